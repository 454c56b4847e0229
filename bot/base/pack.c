/* See pack.h. */
#include "pack.h"

void pack_number(struct buf *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        buf_char(b, (char)(v | 0x80));
    buf_char(b, (char)v);
}

void pack_string(struct buf *b, struct str s)
{
    pack_number(b, s.n);
    buf_put(b, s);
}

uint64_t unpack_number(struct unpacking *u, uint64_t most)
{
    uint64_t v = u->rest.n ? (unsigned char)u->rest.p[0] : 0x80;
    if (v < 0x80 && v <= most) { /* most are of one byte */
        u->rest = str_skip(u->rest, 1);
        return v;
    }
    v = 0;
    for (int shift = 0; u->rest.n && shift < 64; shift += 7) {
        unsigned char c = (unsigned char)u->rest.p[0];
        uint64_t bits = c & 0x7f;
        u->rest = str_skip(u->rest, 1);
        if (shift == 63 && bits > 1)
            break;
        v |= bits << shift;
        if (c & 0x80)
            continue;
        if ((c == 0 && shift > 0) || v > most) /* a longer form than needed, or too much */
            break;
        return v;
    }
    u->bad = true;
    return 0;
}

struct str unpack_string(struct unpacking *u)
{
    size_t n = (size_t)unpack_number(u, u->rest.n);
    if (u->bad || n > u->rest.n) {
        u->bad = true;
        return STR("");
    }
    struct str s = {u->rest.p, n};
    u->rest = str_skip(u->rest, n);
    return s;
}
