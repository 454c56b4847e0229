/* Rounds set up by card codes, and moves in the engine's notation. */
#ifndef KOIKOI_TESTS_ROUNDS_H
#define KOIKOI_TESTS_ROUNDS_H

#include "round.h"

/* Two hands of eight without a hand yaku. */
extern const char *const calm0, *const calm1;
/* mongolopedia, with its wild Lightning, without its hand yaku. */
struct rules wild(void);
/* A deal for two or three players; seat 0 deals. NULL: left to deck_of(). */
struct round dealt(const struct ruleset *g, const char *hand0, const char *hand1, const char *table,
                   const char *stock);
struct round dealt3(const struct ruleset *g, const char *const *hands, const char *table,
                    const char *stock);
/* Makes the move of the seat to move; checks that a refusal changes nothing. */
enum illegal does(const struct ruleset *g, struct round *r, const char *move);
bool is_legal(const struct ruleset *g, const struct round *r, int seat, const char *move);
int count_legal(const struct ruleset *g, const struct round *r);

#endif
