/* Engine-private calls between the files of a round and those that play it again: legal.c, round.c,
 * match.c, notation.c. */
#ifndef KOIKOI_ROUND_INTERNAL_H
#define KOIKOI_ROUND_INTERNAL_H

#include "round.h"

/* True if the seat, on its first turn, may declare the hand yaku it holds. */
bool round_may_declare(const struct ruleset *g, const struct round *r, int seat);

/* False where the calls of all players have reached koikoi_limit: then only a stop is left. */
static inline bool round_may_call(const struct rules *rules, const struct round *r)
{
    int calls = 0;
    for (int p = 0; p < r->players; p++)
        calls += r->koikoi[p];
    return rules->koikoi_limit == 0 || calls < rules->koikoi_limit;
}

/* The move behind an entry of `seen`. A draw is a MOVE_CHOOSE, whether there was a choice or
 * not. */
struct move round_seen_move(struct seen s);

/* Sets the round back to where it had seen `n_seen` entries, by playing it again. Returns false,
 * with *r untouched, if no player was to act there: a drawn card had no choice. */
bool round_rewind(const struct ruleset *g, struct round *r, int n_seen);

#endif
