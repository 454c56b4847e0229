/* Engine-private: residual of a move, what playouts leave out of its worth.
 *
 * Playouts finish a round by the policy, while the seats go on to search. The worth of a move under
 * the players that search exceeds its worth under the policy by the expected sum of the advantages
 * of their later choices over those of the policy, own less the opponent's (the performance
 * difference lemma: Kakade, Langford, Approximately optimal approximate reinforcement learning,
 * 2002). And the belief about the opponent's hand misses something: who plays well keeps better
 * cards than the plays show. A net estimates both from what the seat sees right after its move: so a
 * move that leaves the seat good choices, and the opponent none, counts more, and an opponent who
 * has called koi-koi is worth more than the belief says.
 *
 *     net = residual_net_for(g, players)            NULL if none was learned from these rules
 *     residuals(net, g, v, points)                  of all legal moves, in points of the round
 *
 * Its features are those of the koi-koi nets (search_call.h) but for the cards left. The nets are in
 * nets/PRESET_residual.inc, made by `make nets` (tests/bench/train/train_residual.c). Two players.
 */
#ifndef KOIKOI_SEARCH_RESIDUAL_H
#define KOIKOI_SEARCH_RESIDUAL_H

#include "search_call.h"
#include "view.h"

enum {
    RESIDUAL_UNIT = 4096,      /* fixed-point 1 */
    RESIDUAL_LEFT = CALL_LEFT, /* own cards in hand, by the kind of the move */
    RESIDUAL_DEALER = RESIDUAL_LEFT + 27,
    N_RESIDUAL_FEATURES,
    MAX_RESIDUAL_FEATURES = MAX_CALL_FEATURES
};

struct residual_net {
    uint64_t learned_from; /* the rule set's net_rules_hash() */
    struct net_row start, row[N_RESIDUAL_FEATURES];
    int16_t weight[NET_HIDDEN];
};

/* Writes the feature indices of the table after a play, a choice or a koi-koi of the seat that sees
 * v, of two. Returns their number; 0 for other moves, after which the round is over. */
int residual_features(const struct ruleset *g, const struct view *v, struct move m,
                      uint16_t ret[static MAX_RESIDUAL_FEATURES]);

const struct residual_net *residual_net_for(const struct ruleset *g, int players);
/* Writes that of each move of v->legal, in their order; cards of one position less far apart than
 * the net says. */
void residuals(const struct residual_net *net, const struct ruleset *g, const struct view *v,
               float ret[static MAX_MOVES]);

#endif
