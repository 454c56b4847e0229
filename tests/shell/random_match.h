/* Random rule sets and random matches: the raw material for whoever checks records. */
#ifndef KOIKOI_RANDOM_MATCH_H
#define KOIKOI_RANDOM_MATCH_H

#include "selfplay.h"

/* The next number, any. */
uint64_t dice(uint64_t *state);
/* The preset of this name; fails the test if there is none. */
struct rules rules_named(const char *name);
/* A rule set that rules_check() lets pass: a preset with knobs turned at random, few rounds. */
struct rules random_rules(uint64_t *state);
/* A mover for struct selfplay: any legal move; arg (an int *) is in how many moves somebody resigns, 0 = never. */
struct move random_move(void *arg, int who, const struct view *v, uint64_t seed);
/* One match of random moves; the record in room. */
struct str random_record(const struct rules *r, int players, uint64_t seed, int resign_in, char *room,
                         size_t size);

#endif
