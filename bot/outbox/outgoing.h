/* Encoding of a struct outgoing as bytes, for its row in the database; the fields that the outbox
 * sets when it sends are left out. One format byte, then fields in a fixed order; numbers are
 * LEB128, strings are a length and their bytes. This keeps a row small, the price is that sqlite3
 * cannot show it. Decoding is strict: bytes that outgoing_encode() would not have written are
 * refused, but for rows of former formats. */
#ifndef KOIKOI_OUTGOING_H
#define KOIKOI_OUTGOING_H

#include "adapter.h"

enum { OUTGOING_MOST = 256 * 1024 };

/* Fails if the buffer is too small. */
bool outgoing_encode(const struct outgoing *out, struct buf *ret, struct err *err) MUST_CHECK;
/* Strings point into `bytes`; the buttons are in the arena. */
bool outgoing_decode(struct str bytes, struct arena *a, struct outgoing *ret,
                     struct err *err) MUST_CHECK;

#endif
