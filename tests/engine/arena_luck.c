/* See arena_luck.h. */
#include "arena_luck.h"
#include "positions.h"

#include <string.h>

void luck_start(struct luck_meter *ret, const struct ruleset *g, int seat, int worlds,
                uint64_t seed)
{
    memset(ret, 0, sizeof *ret);
    ret->g = g;
    ret->calls = call_net_for(g, 2);
    ret->seat = seat;
    ret->worlds = worlds;
    ret->rng = rng_seed(seed);
}

void luck_round(struct luck_meter *l, const struct match *m)
{
    struct view v;
    view_of(l->g, m, l->seat, &v);
    stakes_make(&v, &l->stakes);
    memcpy(l->scores, m->scores, sizeof l->scores);
}

/* ---- Results --------------------------------------------------------------------------------- */

static void add_result(const struct luck_meter *l, const struct round *r, struct luck *sum)
{
    int winner = r->result.winner, points = r->result.points;
    bool coins = l->g->rules.scoring == SCORING_COINS;
    if (r->void_why != VOID_NONE) {
        sum->win += (double)l->stakes.again;
        return;
    }
    sum->win += (double)stakes_of(&l->stakes, winner, points);
    if (winner < 0)
        return;
    if (coins && points > l->scores[1 - winner])
        points = l->scores[1 - winner];
    sum->points += winner == l->seat ? points : -points;
}

/* Adds what came less what could have come. */
static void count(struct luck_meter *l, const struct luck *came, const struct luck *other)
{
    l->sum.win += (came->win - other->win) / l->worlds;
    l->sum.points += (came->points - other->points) / l->worlds;
}

/* ---- Deals ----------------------------------------------------------------------------------- */

void luck_deal(struct luck_meter *l, const struct match *m, const uint8_t deck[static N_CARDS])
{
    struct luck came = {0}, other = {0};
    struct round dealt, r;
    uint8_t any[N_CARDS];
    luck_round(l, m);
    round_deal(l->g, 2, m->dealer, deck, &dealt, NULL);
    if (dealt.void_why != VOID_NONE)
        return;
    for (int w = 0; w < l->worlds; w++) {
        r = dealt;
        rng_shuffle(&l->rng, r.deck + r.next, N_CARDS - r.next);
        playout_finish(l->g, l->calls, &r);
        add_result(l, &r, &came);
        do {
            deck_by_chance(&l->rng, any);
            round_deal(l->g, 2, m->dealer, any, &r, NULL);
        } while (r.void_why != VOID_NONE);
        playout_finish(l->g, l->calls, &r);
        add_result(l, &r, &other);
    }
    count(l, &came, &other);
}

/* ---- Cards turned up ------------------------------------------------------------------------- */

/* The round after `move`, which turns up the stock card number `card`; the cards below it are
 * shuffled as `seed` says, so that two such worlds differ little. */
static void one_world(struct luck_meter *l, const struct round *before, int who, struct move move,
                      int card, uint64_t seed, struct luck *sum)
{
    struct rng rng = rng_seed(seed);
    struct round r = *before;
    uint8_t *top = r.deck + r.next, turned = top[card];
    top[card] = top[0];
    top[0] = turned;
    rng_shuffle(&rng, top + 1, N_CARDS - r.next - 1);
    round_apply(l->g, &r, who, move, NULL);
    playout_finish(l->g, l->calls, &r);
    add_result(l, &r, sum);
}

void luck_play(struct luck_meter *l, const struct match *m, int who, struct move move)
{
    const struct round *r = &m->round;
    int stock = N_CARDS - r->next;
    struct luck came = {0}, other = {0};
    if (move.kind != MOVE_PLAY || stock < 2)
        return;
    int first = (int)rng_below(rng_next(&l->rng), (unsigned)stock);
    for (int w = 0; w < l->worlds; w++) { /* every card of the stock in turn */
        uint64_t seed = rng_next(&l->rng);
        one_world(l, r, who, move, 0, seed, &came);
        one_world(l, r, who, move, (first + w) % stock, seed, &other);
    }
    count(l, &came, &other);
}
