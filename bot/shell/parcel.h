/* A struct outgoing as bytes, for a row of the outbox: what the sayer fills in, not what the shell
 * adds when it sends. One format byte, then fields in a fixed order; numbers are LEB128, strings
 * are a length and their bytes. Reading is strict: what pack() would not have written is
 * refused. */
#ifndef KOIKOI_PARCEL_H
#define KOIKOI_PARCEL_H

#include "adapter.h"

enum { PARCEL_MOST = 64 * 1024 };

/* False if it is larger than the buffer. */
bool parcel_pack(const struct outgoing *out, struct buf *ret, struct err *err) MUST_CHECK;
/* Strings point into `bytes`; the buttons are in the arena. */
bool parcel_open(struct str bytes, struct arena *a, struct outgoing *ret,
                 struct err *err) MUST_CHECK;

#endif
