/* See search_playout.h. */
#include "search_playout.h"

#include <math.h>

/* The play of the searching seat at which a value net ends a playout, unless it is that of its last
 * card; the most moves that it compares, the policy's best. */
enum { VALUED_PLAYS = 2, VALUED_MOVES = 4 };
/* Where the net expects more points than these the playout goes on: to the net all beyond
 * VALUE_MOST_POINTS are alike. */
static const float few_points = 20;

void playouts_start(const struct ruleset *g, const struct view *v, const struct habits *h,
                    struct playouts *ret)
{
    struct playouts *p = ret;
    *p = (struct playouts){.g = g, .h = h, .seat = (uint8_t)v->seat};
    if (h->calls)
        p->calls = call_net_for(g, v->players);
    if (h->thinks)
        stakes_make(v, &p->stakes);
    if (h->values)
        p->value = match_value_of(v);
    if (p->value.net == NULL)
        return;
    /* How the value net counts. Far from the end of the match its unit is a point, which counts by
     * the slope of the stakes between 6 points lost and 6 won. */
    const int me = p->seat, swing = 6;
    float high = stakes_of(&p->stakes, me, swing), low = stakes_of(&p->stakes, 1 - me, swing);
    p->voids = value_voids_of(v->seen, v->n_seen, v->field);
    p->for_match = p->value.context[0] != 0;
    p->point = (high - low) / (float)(2 * swing);
    p->level = p->for_match ? p->stakes.no_winner : (high + low) / 2;
    p->unit = p->for_match ? (float)stakes_unit(v, &p->stakes) : p->point;
}

/* What a stop is worth to the seat to move, of two, as the value net counts it. */
static float worth_of_stop(const struct playouts *p, int seat, int pays)
{
    if (!p->for_match)
        return (float)at_most(pays, VALUE_MOST_POINTS);
    float more = stakes_of(&p->stakes, seat, pays) - p->stakes.no_winner;
    float worth = value_of_chance(more, (double)p->unit);
    return seat == p->seat ? worth : -worth;
}

/* MOVE_STOP or MOVE_KOIKOI; -1: the policy decides. A stop that decides the match settles it: a win
 * is taken, a loss is not. Otherwise two players follow a net, by what it says of the match; three
 * need the policy's consent as well. */
static int decided(const struct playouts *p, const struct round *r, const struct value_voids *voids)
{
    if (!p->h->match || r->hand[r->turn] == 0)
        return -1;
    if (r->players == 2) {
        int pays = policy_pays(p->g, r);
        float win = stakes_of(&p->stakes, r->turn, pays);
        bool call;
        if (r->turn != p->seat)
            win = 1 - win;
        if (win > certain_win || win < 1 - certain_win)
            return win > 0.5f ? MOVE_STOP : MOVE_KOIKOI;
        if (p->value.net != NULL)
            call =
                value_after(p->value.net, p->g, r, voids, p->value.context[r->turn],
                            (struct move){.kind = MOVE_KOIKOI}) > worth_of_stop(p, r->turn, pays);
        else if (p->calls != NULL && p->h->calls_for_match)
            call = call_wins_more(p->calls, p->g, r, pays, &p->stakes, p->seat);
        else if (p->calls != NULL)
            call = call_is_better(p->calls, p->g, r);
        else
            return -1;
        return call ? MOVE_KOIKOI : MOVE_STOP;
    }
    return p->calls != NULL && !call_is_better(p->calls, p->g, r) ? MOVE_STOP : -1;
}

/* A play or a choice by what the table is worth after it: an index into moves. */
static int valued(const struct playouts *p, const struct round *r, const struct value_voids *voids,
                  const struct move *moves, int n, float *ret_worth)
{
    const struct value_net *net = p->value.net;
    int context = p->value.context[r->turn];
    struct move some[VALUED_MOVES];
    float score[MAX_MOVES];
    uint8_t which[VALUED_MOVES];
    if (n <= VALUED_MOVES)
        return value_pick(net, p->g, r, voids, context, moves, n, ret_worth);
    struct sight at = policy_sight(r);
    policy_scores(p->g, &policy_tuned, &at, moves, n, score);
    for (int k = 0; k < VALUED_MOVES; k++) {
        int best = 0;
        for (int i = 1; i < n; i++)
            best = score[i] > score[best] ? i : best;
        score[best] = -INFINITY;
        which[k] = (uint8_t)best;
        some[k] = moves[best];
    }
    return which[value_pick(net, p->g, r, voids, context, some, VALUED_MOVES, ret_worth)];
}

/* Writes what the table is worth after that move, by the value net; worth: what it counts there.
 * Returns false if more points are at stake than it tells apart. */
static bool worth_told(const struct playouts *p, const struct round *r,
                       const struct value_voids *voids, struct move m, float worth,
                       struct playout_end *ret)
{
    float points = p->for_match ? value_after(p->value.net, p->g, r, voids, 0, m) : worth;
    if (fabsf(points) >= few_points)
        return false;
    *ret = (struct playout_end){points, fminf(fmaxf(p->level + worth * p->unit, 0), 1)};
    return true;
}

bool playout_run(const struct playouts *p, const struct round *world, struct move m,
                 struct round *ret, struct playout_end *ret_end)
{
    struct value_voids voids = p->voids;
    struct move moves[MAX_MOVES];
    struct round *r = ret;
    float worth = 0;
    int plays = 0;
    *r = *world;
    value_see(&voids, r, m);
    round_apply(p->g, r, p->seat, m, NULL);
    while (r->phase != PHASE_OVER) {
        int n = round_legal(p->g, r, r->turn, moves), pick = -1;
        int kind = r->phase == PHASE_DECIDE && n > 1 ? decided(p, r, &voids) : -1;
        for (int i = 0; i < n && kind >= 0; i++)
            pick = moves[i].kind == kind ? i : pick;
        if (p->value.net && n > 1 && (moves[0].kind == MOVE_PLAY || moves[0].kind == MOVE_CHOOSE)) {
            pick = valued(p, r, &voids, moves, n, &worth);
            bool own = r->turn == p->seat;
            plays += own && moves[0].kind == MOVE_PLAY;
            if (ret_end != NULL && own && plays >= VALUED_PLAYS &&
                set_count(r->hand[p->seat]) > 1 &&
                worth_told(p, r, &voids, moves[pick], worth, ret_end))
                return true;
        }
        if (pick < 0)
            pick = policy_pick(p->g, &policy_tuned, r, moves, n);
        value_see(&voids, r, moves[pick]);
        round_apply(p->g, r, r->turn, moves[pick], NULL);
    }
    return false;
}
