/* What is hidden, laid out anew: a match that one seat cannot tell from another. */
#ifndef KOIKOI_TESTS_WORLD_H
#define KOIKOI_TESTS_WORLD_H

#include "luck.h"
#include "match.h"

/* The same to the eyes of `seat` (SEAT_PUBLIC: of everybody): other hands, stock and rights to a
 * redeal, and no order in which cards were dealt. */
struct match other_world(const struct match *m, int seat, struct luck *c);

#endif
