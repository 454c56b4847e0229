/* Engine-private: how the rest of a round is played in a world, each seat choosing by what it would
 * see.
 *
 *     playouts_start(g, v, habits, &p)
 *     at_cut = playout_run(&p, &world, move, &round, &end)
 *
 * Where a value net was learned from the rules (table_value.h), seats choose what leaves the
 * table worth most; elsewhere as the tuned policy does (search_policy.h), koi-koi by search_call.h.
 */
#ifndef KOIKOI_SEARCH_PLAYOUT_H
#define KOIKOI_SEARCH_PLAYOUT_H

#include "equity.h"
#include "search_call.h"
#include "search_level.h"
#include "table_value.h"

static const float certain_win = 0.995f; /* a chance to win the match that settles a choice */

struct playouts {
    const struct ruleset *g;
    const struct habits *h;
    int seat;                     /* the one that sees the view */
    const struct call_net *calls; /* NULL: the policy decides */
    struct match_value value;     /* without a net the policy plays */
    struct value_voids voids;     /* at the view */
    bool for_match;               /* the value net knows how the match stands; else: points */
    float level, unit; /* chances of the match at 0 of the value net, and that 1 of it is worth */
    float point;       /* that a point is worth, with a value net */
    struct stakes stakes;
};

/* g and h must outlive *ret. */
void playouts_start(const struct ruleset *g, const struct view *v, const struct habits *h,
                    struct playouts *ret);

/* What a table is worth to the seat that sees the view. */
struct playout_end {
    float points, win; /* of the round, won less lost; chance to win the match */
};

/* Makes the move of that seat in a world and plays on: to the end of the round, or to where a value
 * net tells what the table is worth: at the second later play of that seat, if it holds more than
 * one card then. There it returns true and writes *ret_end. ret_end NULL: to the end of the round.
 * ret: the round where it ended. */
bool playout_run(const struct playouts *p, const struct round *world, struct move m,
                 struct round *ret, struct playout_end *ret_end);

#endif
