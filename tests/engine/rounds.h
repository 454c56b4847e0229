/* Rounds set up by card codes, and moves in the engine's notation. */
#ifndef KOIKOI_TESTS_ROUNDS_H
#define KOIKOI_TESTS_ROUNDS_H

#include "match.h"
#include "rng.h"

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
/* Makes several moves, with blanks between; each must be legal. */
void plays(const struct ruleset *g, struct round *r, const char *moves);
bool is_legal(const struct ruleset *g, const struct round *r, int seat, const char *move);
int count_legal(const struct ruleset *g, const struct round *r);

/* A match's next deal, from a deck shuffled by chance. */
void deal_next(const struct ruleset *g, struct match *m, struct rng *c);
/* The log has n lines of these kinds (enum log_kind). */
void logged(const struct round_log *log, int n, ...);
void ended(const struct round_result *r, enum round_why why, int winner, int points);

#endif
