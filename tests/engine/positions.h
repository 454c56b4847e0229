/* Positions for tests of the computer player: reached by chance, or set up by hand. */
#ifndef KOIKOI_TESTS_POSITIONS_H
#define KOIKOI_TESTS_POSITIONS_H

#include "luck.h"
#include "match.h"
#include "view.h"

enum { N_TABLES = 12 }; /* rule sets that between them use every knob, for 2 and 3 players */

struct table {
    const char *name;
    int players;
    struct ruleset g;
};
const struct table *table(int i);

/* A deck by chance, as even as luck_below(). */
void deck_by_chance(struct luck *chance, uint8_t ret[static N_CARDS]);

/* A match under way: `moves` moves by chance from a deal by chance. False if the round ended
 * before. */
bool position(const struct ruleset *g, int players, uint64_t seed, int moves, struct match *ret);

#endif
