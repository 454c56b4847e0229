/* Engine-private: the multipliers of a round and its points, shared by score_pay() and the
 * playout. */
#ifndef KOIKOI_PAY_H
#define KOIKOI_PAY_H

#include "score.h"

/* The factor of one koi-koi multiplier for this many calls; 1 where it does not apply. Past 2^24 it
 * stands still: the points are capped long before. */
static inline uint32_t pay_factor(enum doubling d, int calls)
{
    switch (d) {
    case DOUBLING_ONCE:          return calls > 0 ? 2 : 1;
    case DOUBLING_EACH:          return (uint32_t)1 << (calls < 24 ? calls : 24);
    case DOUBLING_PLUS_ONE_EACH: return 1 + (uint32_t)calls;
    default:                     return 1;
    }
}

/* own, all: koi-koi calls of the winner and of everyone. n_yaku is asked only where a rule needs
 * it. */
static inline int32_t pay_points(const struct rules *r, int base, int n_yaku, int own, int all,
                                 int table_brights, uint32_t ret_x[static N_MULTIPLIERS])
{
    uint64_t points = (uint64_t)base;

    ret_x[X_SEVEN_PLUS] =
        r->has_seven_plus && base >= r->seven_points && n_yaku >= r->seven_min_yaku ? r->seven_x
                                                                                    : 1;
    ret_x[X_OWN_KOIKOI] = pay_factor((enum doubling)r->own_koikoi, own);
    ret_x[X_OPPONENT_KOIKOI] = pay_factor((enum doubling)r->opponent_koikoi, all - own);
    ret_x[X_ANY_KOIKOI] = pay_factor((enum doubling)r->any_koikoi, all);
    ret_x[X_TABLE_BRIGHTS] = r->table_brights ? 1 + (uint32_t)table_brights : 1;
    for (int m = 0; m < N_MULTIPLIERS; m++) {
        points *= ret_x[m];
        points = points < POINTS_MAX ? points : POINTS_MAX;
    }
    return (int32_t)points;
}

#endif
