/* Engine-private: the koi-koi decision, learned from self-play.
 *
 * A net for each preset (nets/PRESET.inc, made by `make nets`) estimates the worth of a call: the
 * expected points of the round, won less lost. Its inputs are binary features of what the seat
 * sees: the place of each card with the known rest of its month; of each pile the numbers of its
 * kinds, its trios, brights and worth; the calls; the cards left.
 *
 *     net = call_net_for(g, players)       NULL if none fits: policy_pick() decides
 *     call_is_better(net, g, &round)       for the seat to decide, which holds cards
 *
 * It is learned from rounds of two. With three players it judges each opponent as if the third were
 * absent, and both answers must be yes; the policy must agree as well, which is more reliable than
 * either alone.
 */
#ifndef KOIKOI_SEARCH_CALL_H
#define KOIKOI_SEARCH_CALL_H

#include "equity.h"
#include "nets.h"
#include "round.h"

enum {
    CALL_PLACES = 22, /* place of a card, with the places of its month's other cards */
    CALL_PILE = CALL_PLACES * N_CARDS,
    CALL_PILE_SIZE = 79,
    CALL_CALLS = CALL_PILE + 2 * CALL_PILE_SIZE,
    CALL_BASE = CALL_CALLS + 6, /* of the piles at the last calls, this one included */
    CALL_LEFT = CALL_BASE + 32,
    CALL_DEALER = CALL_LEFT + 9,
    N_CALL_FEATURES,
    MAX_CALL_FEATURES = N_CARDS + 24,
    CALL_HIDDEN = NET_HIDDEN,
    CALL_THIRDS = 3,
    CALL_UNIT = 256 /* fixed-point 1 of a net */
};

struct call_net {
    uint64_t learned_from; /* the rule set's net_rules_hash() */
    struct net_row start, row[N_CALL_FEATURES];
    int16_t weight[CALL_HIDDEN];
    /* What came of calls. Points when won, in the third that wins least, ..., most: without and for
     * each point that the stop would have paid. Points when lost; share lost of those not won. */
    float won[CALL_THIRDS][2], lost, loses;
};

/* Writes the feature indices of a call by the seat to move, of two. Returns their number. */
int call_features(const struct ruleset *g, const struct round *r,
                  uint16_t ret[static MAX_CALL_FEATURES]);

/* The net learned from these rules, else that of the nearest preset (equity_nearest()). */
const struct call_net *call_net_for(const struct ruleset *g, int players);
bool call_is_better(const struct call_net *net, const struct ruleset *g, const struct round *r);
/* Points that a call is worth more than a stop. */
float call_gain(const struct call_net *net, const struct ruleset *g, const struct round *r);

/* True if a call of the seat to move, of two, does more for the match than a stop that pays so many
 * points: by the results of calls, as likely as its worth says. stakes: of that seat or the other,
 * `of` the seat. False where a call is too rare to be learned. */
bool call_wins_more(const struct call_net *net, const struct ruleset *g, const struct round *r,
                    int pays, const struct stakes *stakes, int of);

#endif
