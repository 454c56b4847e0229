/* Engine-private: from what a seat sees to whole rounds that could lie behind it.
 *
 * A belief is a set of hidden hands with weights: hands dealt by chance from the cards the seat has
 * not seen, each weighed by how likely its owner, playing by the tuned policy, would have played
 * what was seen. A world is one of them made whole, stock and all: a `struct round` that the engine
 * itself plays on, so every rule holds in it.
 *
 *     belief_make(g, v, inference, &luck, &b)
 *     world_draw(v, &b, fraction, &luck, &round)      fraction in [0, 1) picks the hands by weight
 */
#ifndef KOIKOI_SEARCH_WORLD_H
#define KOIKOI_SEARCH_WORLD_H

#include "luck.h"
#include "search_policy.h"
#include "view.h"

enum {
    N_HANDS = 1024,
    FEW_HANDS = 96
}; /* hidden hands a belief holds at most; without inference */

struct belief {
    int n;
    bool whole; /* every hand that can be is there, once */
    cardset unseen;
    cardset hand[N_HANDS][MAX_PLAYERS]; /* own seat: the hand held */
    float upto[N_HANDS];                /* sum of weights up to and with this one; the last is 1 */
};

/* inference 0: all hands weigh the same; 1: as the policy says; between: the log-weights scaled. */
void belief_make(const struct ruleset *g, const struct view *v, float inference, struct luck *luck,
                 struct belief *ret);
void world_draw(const struct view *v, const struct belief *b, float fraction, struct luck *luck,
                struct round *ret);

#endif
