/* Engine-private: worlds, the complete rounds that are possible behind a seat's view.
 *
 * A belief is a weighted set of hidden hands: random hands from the unseen cards, each weighted by
 * the likelihood that its owner made the plays and calls seen (search_plays.h). A world completes
 * one of them with a stock: a `struct round` for the engine's own functions, so that every rule
 * holds in it.
 *
 *     belief_make(g, v, inference, &rng, &b)
 *     world_draw(v, &b, fraction, &rng, &round)      fraction in [0, 1) picks hands by weight
 */
#ifndef KOIKOI_SEARCH_WORLD_H
#define KOIKOI_SEARCH_WORLD_H

#include "rng.h"
#include "search_policy.h"
#include "table_value.h"
#include "view.h"

/* Hidden hands of a belief: most; without inference. */
enum { N_HANDS = 1024, FEW_HANDS = 96 };

struct belief {
    int n;
    bool whole; /* each possible hand is there, once */
    cardset unseen;
    cardset hand[N_HANDS][MAX_PLAYERS]; /* for the own seat: its hand */
    float upto[N_HANDS];                /* cumulative weight, this one included; the last is 1 */
};

/* The value net for the match of a view, and how the match stands for each seat; net NULL if not
 * two play, if they play for coins, or if none was learned from the rules. */
struct match_value match_value_of(const struct view *v);

/* inference 0: equal weights; 1: the likelihood of the play seen; between: scaled log-weights. */
void belief_make(const struct ruleset *g, const struct view *v, float inference, struct rng *rng,
                 struct belief *ret);
/* For world k of many, so that any number of them picks hands evenly (the golden ratio's
 * multiples). */
static inline float world_fraction(uint32_t k)
{
    float x = 0.5f + 0.61803399f * (float)(k & 0xffff);
    return x - (float)(int)x;
}
void world_draw(const struct view *v, const struct belief *b, float fraction, struct rng *rng,
                struct round *ret);

#endif
