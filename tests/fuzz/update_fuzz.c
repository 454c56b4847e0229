/* Any bytes as a packed update: refused, with nothing changed, or an update whose packing is these
 * bytes; one of a former format is packed in the new one, and that to itself. */
#include <stdint.h>

#include "update.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *turn;
    const struct update untouched = {.when = 42};
    struct update u;
    if (!turn)
        turn = arena_open((size_t)1 << 20);
    arena_reset(turn);
    memcpy(&u, &untouched, sizeof u);
    if (!update_unpack((struct str){(const char *)data, size}, &u)) {
        assert(memcmp(&u, &untouched, sizeof u) == 0);
        return 0;
    }
    struct str packed = update_pack(&u, turn);
    if (data[0] != (uint8_t)packed.p[0]) {
        struct str first = packed;
        assert(update_unpack(first, &u));
        data = (const uint8_t *)first.p;
        size = first.n;
        packed = update_pack(&u, turn);
    }
    assert(packed.n == size && memcmp(packed.p, data, size) == 0);
    return 0;
}
