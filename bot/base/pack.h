/* Packing of numbers and strings as bytes, for rows of the database. Numbers are LEB128, strings are
 * a length and their bytes. Unpacking is strict: a number in a longer form than needed, or above
 * its ceiling, and a string beyond the end are refused.
 *
 *     pack_number(&buf, 3), pack_string(&buf, s)              buf.cut: it was too small
 *     struct unpacking u = {bytes, false}
 *     unpack_number(&u, most), unpack_string(&u) ...          then look at u.bad and u.rest
 */
#ifndef KOIKOI_PACK_H
#define KOIKOI_PACK_H

#include "str.h"

void pack_number(struct buf *b, uint64_t v);
void pack_string(struct buf *b, struct str s);

struct unpacking {
    struct str rest; /* what is still to be read */
    bool bad;        /* something was refused */
};
/* A number of at most `most`; 0 if it is refused. */
uint64_t unpack_number(struct unpacking *u, uint64_t most);
/* Points into the bytes; empty if it is refused. */
struct str unpack_string(struct unpacking *u);

#endif
