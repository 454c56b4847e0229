/* Any bytes as a message out of the outbox: refused, or one that packs into just these bytes. */
#include <stdint.h>

#include "parcel.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *turn;
    static char room[PARCEL_MOST];
    struct buf b = BUF(room);
    struct outgoing out = {.row = 42};
    struct err err = {""};

    if (!turn)
        turn = arena_open((size_t)1 << 26);
    arena_reset(turn);
    if (size > PARCEL_MOST)
        return 0;
    if (!parcel_open((struct str){(const char *)data, size}, turn, &out, &err)) {
        assert(err.text[0] != '\0' && out.row == 42);
        return 0;
    }
    assert(parcel_pack(&out, &b, &err));
    assert(b.n == size && memcmp(room, data, size) == 0);
    return 0;
}
