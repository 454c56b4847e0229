/* Engine-private: what a table is worth to the seat that has just moved, learned from self-play: the
 * points of the round that it can expect, won less lost, or what stands for them in its match.
 *
 * A net of two hidden layers over the features of value_features.h, for rounds of two. The first
 * layer is a sum of rows, one for each feature, so that moves of one position share most of it; all
 * numbers are fixed-point, so that every machine gives the same result. Temporal differences:
 * Tesauro, TD-Gammon (1994); a net whose first layer is updated: Nasu, NNUE (2018). The numbers are
 * in nets/, made by `make nets` (tests/bench/train/train_value.c).
 *
 *     net = value_net_for(net_rules_hash(&rules))        NULL if none was learned from these rules
 *     context[seat] = value_context(rounds to come, lead of the seat)
 *     value_pick(net, g, &round, context[round.turn], moves, n)
 */
#ifndef KOIKOI_TABLE_VALUE_H
#define KOIKOI_TABLE_VALUE_H

#include "value_features.h"

enum {
    VALUE_HIDDEN = 128,
    VALUE_SECOND = 16,
    /* fixed-point 1 of the numbers */
    VALUE_ROW_UNIT = 256,
    VALUE_HIDDEN_UNIT = 64, /* of a sum of rows, as the second layer gets it */
    VALUE_SECOND_UNIT = 64,
    VALUE_OUT_UNIT = 4096,
    VALUE_DIRECT_UNIT = 256,
    /* the greatest numbers, so that no sum overflows */
    VALUE_MOST_ROW = INT16_MAX / VALUE_ACTIVE,
    VALUE_MOST_SECOND = 2000,
};

struct value_row {
    _Alignas(64) int16_t hidden[VALUE_HIDDEN]; /* the first is unused */
};

struct value_net {
    uint64_t learned_from;  /* the rule set's net_rules_hash() */
    const uint16_t *row_of; /* by feature; row 0 is zero: features too rare to be learned */
    const struct value_row *row;
    const int16_t *direct; /* by row: straight to the result, past the layers */
    int16_t second[VALUE_SECOND][VALUE_HIDDEN];
    int32_t bias[VALUE_SECOND]; /* unit VALUE_HIDDEN_UNIT * VALUE_SECOND_UNIT */
    int16_t out[VALUE_SECOND];
};

const struct value_net *value_net_for(uint64_t rules);

/* The best of n plays or choices, n at least 1, for the seat to move in a round of two: an index. */
int value_pick(const struct value_net *net, const struct ruleset *g, const struct round *r,
               int context, const struct move *moves, int n);

#endif
