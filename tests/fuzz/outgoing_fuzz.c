/* Any bytes as a row of the outbox: refused, or a message whose encoding is these bytes. A row of a
 * former format is encoded in the new one, whose byte comes first, and that one to itself. */
#include <stdint.h>

#include "outgoing.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *turn;
    static char room[OUTGOING_MOST];
    struct buf b = BUF(room);
    struct outgoing out = {.row = 42};
    struct err err = {""};
    if (!turn)
        turn = arena_open((size_t)1 << 26);
    arena_reset(turn);
    if (size > OUTGOING_MOST)
        return 0;
    if (!outgoing_decode((struct str){(const char *)data, size}, turn, &out, &err)) {
        assert(err.text[0] != '\0' && out.row == 42);
        return 0;
    }
    assert(outgoing_encode(&out, &b, &err));
    if (data[0] != (uint8_t)room[0]) {
        static char first[OUTGOING_MOST];
        size = b.n;
        memcpy(first, room, size);
        data = (const uint8_t *)first;
        assert(outgoing_decode((struct str){first, size}, turn, &out, &err));
        b.n = 0;
        assert(outgoing_encode(&out, &b, &err));
    }
    assert(b.n == size && memcmp(room, data, size) == 0);
    return 0;
}
