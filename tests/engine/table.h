/* Cards set up by their codes, for tests that start from a chosen deal. */
#ifndef KOIKOI_TESTS_TABLE_H
#define KOIKOI_TESTS_TABLE_H

#include "rng.h"
#include "match.h"

/* Parses "1b 3b 8b" into a set, and in order into `ret` if it is not NULL. Fails the test on a bad
 * code. */
cardset set_of(const char *codes);
int card_list(const char *codes, uint8_t *ret);

/* A deck that deals these hands (by seat), field and first stock cards; the other cards follow in
 * canonical order. NULL: not chosen. */
void deck_of(const struct rules *r, int players, int dealer, const char *const *hands,
             const char *table, const char *stock, uint8_t ret[static N_CARDS]);

void shuffle(struct rng *c, uint8_t ret[static N_CARDS]);
/* A deck that starts with these cards; the others follow in canonical order. */
void deck_starting(const char *codes, uint8_t ret[static N_CARDS]);
/* A shuffled deck, one for each number. */
void deck_shuffled(uint64_t seed, uint8_t ret[static N_CARDS]);

/* "1b=1r", "koikoi" ...: a move in the engine's notation. */
struct move move_of(const char *note);

/* A prepared rule set, valid until the next call with the same slot (0 ... 7). */
const struct ruleset *ready(int slot, const struct rules *r);
/* Rules as a text, prepared: a preset, and fields that differ from it by their paths in
 * rules_field.c, as in "standard viewing.both=8 tie_break=extra_round sake_is_plain=off". Valid
 * until the eighth call after this one. */
const struct ruleset *under(const char *text);

/* Random rules that rules_check() accepts, starting from a random preset. */
struct rules random_rules(struct rng *c);

/* Fails the test, and says where, unless the two are equal: for a row of a table. */
void assert_same(long have, long want, const char *where);

#endif
