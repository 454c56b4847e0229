/* Engine-private: whether to call koi-koi, as learned from games.
 *
 * A rule set that has a net (search_call_NAME.c, made by `make learn`) tells what a call is worth:
 * how many points of the round the caller can expect to win, less those it will lose. What it sees
 * goes in as features that are there or not: for each card where it lies, beside what else is known
 * of its month; of each pile the numbers of its kinds, its trios, brights and worth; the calls; the
 * cards left. Each adds its row to eight hidden sums, of which those above 0 are weighed and added
 * up, and its share to the result. All of it is whole numbers: every machine answers the same.
 *
 *     net = call_net_for(g, players)       NULL: there is none; policy_pick() decides then
 *     call_is_better(net, g, &round)       for the seat that has to decide and holds cards
 *
 * Learned from rounds of two. Where three play it is asked about each of the others as if the third
 * were not there, and both answers must be yes; a call that the policy makes too is then right more
 * often than one that either makes alone. Sees what the seat sees, nothing more.
 */
#ifndef KOIKOI_SEARCH_CALL_H
#define KOIKOI_SEARCH_CALL_H

#include "round.h"

enum {
    CALL_PLACES = 22, /* where a card may lie, and what of its month lies elsewhere */
    CALL_PILE = CALL_PLACES * N_CARDS,
    CALL_PILE_SIZE = 79,
    CALL_CALLS = CALL_PILE + 2 * CALL_PILE_SIZE,
    CALL_BASE = CALL_CALLS + 6, /* of the piles at the last calls, this one included */
    CALL_LEFT = CALL_BASE + 32,
    CALL_DEALER = CALL_LEFT + 9,
    N_CALL_FEATURES,
    MAX_CALL_FEATURES = N_CARDS + 24,
    CALL_HIDDEN = 8,
    CALL_UNIT = 256 /* what stands for 1 in a net */
};

struct call_row {
    int16_t hidden[CALL_HIDDEN], direct;
};
struct call_net {
    struct call_row start, row[N_CALL_FEATURES];
    int16_t weight[CALL_HIDDEN];
};

extern const struct call_net call_net_standard, call_net_sensei, call_net_okoshki,
    call_net_mongolopedia;

/* The features of a call by the seat to move, of two: their indices. Returns how many. */
int call_features(const struct ruleset *g, const struct round *r,
                  uint16_t ret[static MAX_CALL_FEATURES]);

const struct call_net *call_net_for(const struct ruleset *g, int players);
bool call_is_better(const struct call_net *net, const struct ruleset *g, const struct round *r);

#endif
