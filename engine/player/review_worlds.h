/* Engine-private: the counts behind a review. A round is played out from a view in many worlds, as
 * the search plays it (search_playout.h), and what comes of it is counted.
 *
 *     review_worlds_make(&view, seed, &w)
 *     review_reason(&w, best, other, 750, &reason)     all questions meet the same worlds
 */
#ifndef KOIKOI_REVIEW_WORLDS_H
#define KOIKOI_REVIEW_WORLDS_H

#include "review.h"
#include "search_playout.h"

struct review_worlds {
    const struct view *v;
    struct ruleset g;
    struct belief belief;
    struct playouts playouts;
    struct rng rng; /* as each count begins */
};

/* The view must outlive *ret, which must not be moved. */
void review_worlds_make(const struct view *v, uint64_t seed, struct review_worlds *ret);

/* The reason why v->legal[best] is better than v->legal[other], from `worlds` worlds. */
void review_reason(const struct review_worlds *w, int best, int other, uint32_t worlds,
                   struct reason *ret);
/* The outlook of a choice; ret->win is not set. */
void review_outlook(const struct review_worlds *w, struct move m, uint32_t worlds,
                    struct outlook *ret);
/* In a decision: sets ret->decision and the outlooks of stop and koi-koi; their `win` is that of
 * ret->advice. */
void review_outlooks(const struct review_worlds *w, uint32_t worlds, struct review *ret);
/* The chance of each seat to have each yaku at the end of the round, after a move. */
void review_chances(const struct review_worlds *w, struct move m, uint32_t worlds,
                    float ret[MAX_PLAYERS][N_YAKU]);
/* True if a trio in the pile absorbs further cards of its kind, so that their count pays
 * nothing. */
bool review_absorbed(const struct rules *r, cardset pile, enum yaku y);
/* The yaku that a seat has at the end of a round, a bit each: also one that a dearer one stands in
 * the place of, but none that a trio absorbs. */
uint32_t review_yaku_held(const struct ruleset *g, const struct round *end, int seat);

#endif
