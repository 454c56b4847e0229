/* See endgame.h. */
#include "endgame.h"

#include <assert.h>

static void make(const struct ruleset *g, struct round *r, struct move m)
{
    enum illegal no = round_apply(g, r, r->turn, m, NULL);
    assert(no == LEGAL);
    (void)no;
}

/* Points for seat `me` if both play best and know their own hand; each of the `unseen` cards is as
 * likely as the next to be the opponent's one card. */
static double best_of(const struct ruleset *g, const struct round *r, cardset unseen, int me);

static double after_move(const struct ruleset *g, const struct round *r, cardset unseen, int me,
                         struct move m)
{
    double sum = 0;
    int n = 0;
    if (m.kind != MOVE_PLAY) {
        struct round next = *r;
        make(g, &next, m);
        return best_of(g, &next, unseen, me);
    }
    for (cardset u = unseen; u; u = set_rest(u), n++) {
        struct round next = *r;
        next.deck[next.next] = (uint8_t)set_first(u);
        make(g, &next, m);
        sum += best_of(g, &next, unseen & ~(u & -u), me);
    }
    return sum / n;
}

static double best_move(const struct ruleset *g, const struct round *r, cardset unseen, int me)
{
    struct move moves[MAX_MOVES];
    int n = round_legal(g, r, r->turn, moves);
    double best = 0;
    for (int i = 0; i < n; i++) {
        double value = after_move(g, r, unseen, me, moves[i]);
        if (i == 0 || (r->turn == me ? value > best : value < best))
            best = value;
    }
    return best;
}

static double best_of(const struct ruleset *g, const struct round *r, cardset unseen, int me)
{
    double sum = 0;
    int n = 0;
    if (r->phase == PHASE_OVER)
        return r->result.winner < 0     ? 0
               : r->result.winner == me ? r->result.points
                                        : -r->result.points;
    if (r->turn == me || r->phase != PHASE_HAND)
        return best_move(g, r, unseen, me);
    for (cardset u = unseen; u; u = set_rest(u), n++) { /* the opponent's card */
        struct round next = *r;
        next.hand[r->turn] = u & -u;
        sum += best_move(g, &next, unseen & ~(u & -u), me);
    }
    return sum / n;
}

double endgame_worth(const struct ruleset *g, const struct match *m, struct move move)
{
    struct round r = m->round;
    int me = r.turn;
    cardset unseen = ALL_CARDS & ~(r.hand[me] | r.field | r.taken[0] | r.taken[1]);
    if (r.hand[1 - me] != 0)
        r.hand[1 - me] = unseen & -unseen; /* any card: only its presence counts */
    return after_move(g, &r, unseen, me, move);
}
