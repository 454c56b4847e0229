/* Random rule sets and random matches: the raw material for whoever checks records. */
#ifndef KOIKOI_RANDOM_MATCH_H
#define KOIKOI_RANDOM_MATCH_H

#include "luck.h"
#include "selfplay.h"

/* The preset of this name; fails the test if there is none. */
struct rules rules_named(const char *name);
/* random_rules() of the engine's tests with two or three rounds. */
struct rules random_short_rules(struct luck *luck);
/* A mover for struct selfplay: any legal move; arg (an int *) is in how many moves somebody
 * resigns, 0 = never. */
struct move random_move(void *arg, int who, const struct view *v, uint64_t seed);
/* One match of random moves; the record in room. */
struct str random_record(const struct rules *r, int players, uint64_t seed, int resign_in,
                         char *room, size_t size);

#endif
