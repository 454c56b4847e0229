/* Rounds laid out by codes, and moves in them by the engine's notation. */
#ifndef KOIKOI_TESTS_ROUNDS_H
#define KOIKOI_TESTS_ROUNDS_H

#include "round.h"

/* Two hands of eight without a hand yaku. */
extern const char *const calm0, *const calm1;
/* mongolopedia, where Lightning is wild, without its hand yaku. */
struct rules wild(void);
/* A deal for two, or for three; seat 0 deals. NULL: nothing chosen, see deck_of(). */
struct round dealt(const struct ruleset *g, const char *hand0, const char *hand1, const char *table,
                   const char *stock);
struct round dealt3(const struct ruleset *g, const char *const *hands, const char *table,
                    const char *stock);
/* The seat to move does this; a refusal must change nothing. */
enum illegal does(const struct ruleset *g, struct round *r, const char *move);
bool is_legal(const struct ruleset *g, const struct round *r, int seat, const char *move);
int count_legal(const struct ruleset *g, const struct round *r);

#endif
