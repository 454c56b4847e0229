/* Packing of an update as bytes, so that one which could not be handled can be handled again, by
 * another process too. Times of the network's clock and the raw bytes are left out. */
#ifndef KOIKOI_UPDATE_PACK_H
#define KOIKOI_UPDATE_PACK_H

#include "arena.h"
#include "update.h"

/* In the arena. */
struct str update_pack(const struct update *u, struct arena *a);
/* Strings point into `bytes`. Returns false, with *ret untouched, for anything that update_pack()
 * does not write. */
bool update_unpack(struct str bytes, struct update *ret);

#endif
