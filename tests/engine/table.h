/* Laying out cards by their codes, for tests that start from a chosen deal. */
#ifndef KOIKOI_TESTS_TABLE_H
#define KOIKOI_TESTS_TABLE_H

#include "luck.h"
#include "match.h"

/* "1b 3b 8b" as a set, in order into `ret` (NULL: not wanted). Fails the test on a bad code. */
cardset set_of(const char *codes);
int card_list(const char *codes, uint8_t *ret);

/* A deck that deals these hands (by seat), table and first stock cards; what is left out is
 * filled up in canonical order from what remains. NULL: nothing chosen. */
void deck_of(const struct rules *r, int players, int dealer, const char *const *hands,
             const char *table,
             const char *stock, uint8_t ret[static N_CARDS]);

void shuffle(struct luck *c, uint8_t ret[static N_CARDS]);
/* The same from a number: one deck for each. */
void deck_shuffled(uint64_t seed, uint8_t ret[static N_CARDS]);

/* "1b=1r", "koikoi" ...: the move in the engine's notation. */
struct move move_of(const char *note);

/* A rule set made ready that lives until the next call with the same slot (0 ... 7). */
const struct ruleset *ready(int slot, const struct rules *r);

/* Random knobs that rules_check() accepts, starting from a random preset. */
struct rules random_rules(struct luck *c);

#endif
