/* Positions of a finished match: how it stood before each move, and at the end of each round. */
#ifndef KOIKOI_POSITION_H
#define KOIKOI_POSITION_H

#include "err.h"
#include "arena.h"
#include "table.h"
#include "match.h"
#include "str.h"

/* Plays the record up to position `step`; one that is too great is the last. *ret lives in the
 * arena. */
bool position_at(struct str record, int64_t step, struct arena *a, const struct position **ret,
                 struct err *err) MUST_CHECK;

#endif
