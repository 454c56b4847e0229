/* Hidden cards dealt anew: a match that one seat cannot tell from the original. */
#ifndef KOIKOI_TESTS_WORLD_H
#define KOIKOI_TESTS_WORLD_H

#include "rng.h"
#include "match.h"

/* The same match to `seat` (SEAT_PUBLIC: to the public), with other hands, stock and redeal rights,
 * and without the order of the deal. */
struct match other_world(const struct match *m, int seat, struct rng *c);

#endif
