/* See review_worlds.h. Counts over worlds that are played to the end of the round.
 *
 * A reason is found by counting: both moves are made in the same worlds. It is the yaku whose
 * frequency at the end differs most in favour of the better move, weighted by its points, if the
 * difference is significant. The card behind it is one that only one of the moves captures, or that
 * the other lays down.
 */
#include "pile.h"
#include "review_worlds.h"

#include <math.h>
#include <string.h>

/* Least difference of a probability that makes a reason. */
static const float min_difference = 0.05f;
static const float z_to_tell = 3; /* least significance of a reason, in standard errors */

struct yaku_counts {
    int n;
    /* worlds with the yaku: after the better move; after the other, if any */
    int have[2][MAX_PLAYERS][N_YAKU];
    int changed[MAX_PLAYERS][N_YAKU]; /* worlds in which the two differ */
};

cardset yaku_cards(const struct rules *r, enum yaku y, int *ret_need)
{
    const struct {
        cardset pool;
        int need;
    } rows[N_YAKU] = {
        [YAKU_GOKO] = {set_brights, 5},
        [YAKU_SHIKO] = {SET_DRY_BRIGHTS, 4},
        [YAKU_AME_SHIKO] = {set_brights, 4},
        [YAKU_SANKO] = {SET_DRY_BRIGHTS, 3},
        [YAKU_TSUKIMI] = {CARD(MOON) | CARD(SAKE), 2},
        [YAKU_HANAMI] = {CARD(CURTAIN) | CARD(SAKE), 2},
        [YAKU_INOSHIKACHO] = {SET_INOSHIKACHO, 3},
        [YAKU_AKATAN] = {SET_POETRY, 3},
        [YAKU_AOTAN] = {SET_BLUE, 3},
        [YAKU_TANE] = {set_animals, 5},
        [YAKU_TANZAKU] = {set_ribbons, 5},
        [YAKU_KASU] = {set_plains | (r->sake_is_plain ? CARD(SAKE) : 0), 10},
    };
    *ret_need = rows[y].need;
    return rows[y].pool;
}

bool review_absorbed(const struct rules *r, cardset pile, enum yaku y)
{
    static const enum yaku trios[] = {YAKU_INOSHIKACHO, YAKU_AKATAN, YAKU_AOTAN};
    bool ret = false;
    for (int i = 0; i < 3 && r->trio_extra == TRIO_ABSORB; i++) {
        int need;
        bool stands = r->yaku[trios[i]] > 0 && !(yaku_cards(r, trios[i], &need) & ~pile);
        ret |= stands && y == (trios[i] == YAKU_INOSHIKACHO ? YAKU_TANE : YAKU_TANZAKU);
    }
    return ret;
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* True if a pile holds a yaku: by its cards, so that a more valuable yaku that displaces it does
 * not hide it, unless that takes its cards in; viewings and hiki by what they count. */
static bool holds(const struct ruleset *g, cardset pile, const struct score *score, enum yaku y)
{
    int need;
    cardset pool = yaku_cards(&g->rules, y, &need);
    if (y == YAKU_TSUKIMI || y == YAKU_HANAMI || need == 0)
        return score->worth[y] > 0;
    return g->rules.yaku[y] > 0 && set_count(pile & pool) >= need &&
           !review_absorbed(&g->rules, pile, y);
}

void review_worlds_make(const struct view *v, uint64_t seed, struct review_worlds *ret)
{
    const struct habits *h = &habits[LEVEL_MASTER];
    ret->v = v;
    ret->rng = rng_seed(seed);
    ruleset_make(&v->rules, &ret->g);
    belief_make(&ret->g, v, h->inference, &ret->rng, &ret->belief);
    playouts_start(&ret->g, v, h, &ret->playouts);
}

uint32_t review_yaku_held(const struct ruleset *g, const struct round *end, int seat)
{
    struct score score;
    uint32_t ret = 0;
    score_pile(g, end->taken[seat], end->koikoi[seat] > 0, &score);
    for (int y = 0; y < N_YAKU; y++)
        ret |= (uint32_t)holds(g, end->taken[seat], &score, (enum yaku)y) << y;
    return ret;
}

/* Counts after each of one or two moves. */
static void count_worlds(const struct review_worlds *w, const struct move *moves, int n,
                         uint32_t worlds, struct yaku_counts *ret)
{
    struct rng rng = w->rng;
    uint32_t has[2][MAX_PLAYERS] = {{0}};
    struct round world, end;
    memset(ret, 0, sizeof *ret);
    for (uint32_t k = 0; k < worlds; k++) {
        world_draw(w->v, &w->belief, world_fraction(k), &rng, &world);
        ret->n++;
        for (int side = 0; side < n; side++) {
            playout_run(&w->playouts, &world, moves[side], &end, NULL);
            for (int s = 0; s < end.players; s++)
                has[side][s] = review_yaku_held(&w->g, &end, s);
        }
        for (int s = 0; s < w->v->players; s++)
            for (int y = 0; y < N_YAKU; y++) {
                ret->have[0][s][y] += has[0][s] >> y & 1;
                ret->have[1][s][y] += has[1][s] >> y & 1;
                ret->changed[s][y] += (has[0][s] ^ has[1][s]) >> y & 1;
            }
    }
}

/* ---- Which card does it ---------------------------------------------------------------------- */

cardset review_captured(struct move m)
{
    return m.take ? m.take | (m.card < N_CARDS ? CARD(m.card) : 0) : 0;
}

/* Cards that matter for a seat's yaku now. Hiki needs the months that the seat has begun and no
 * other seat has broken. */
static cardset pool_of(const struct view *v, int seat, enum yaku y)
{
    int need;
    cardset pool = yaku_cards(&v->rules, y, &need), others = 0;
    for (int s = 0; s < v->players; s++)
        others |= s == seat ? 0 : v->taken[s];
    for (int m = 0; y == YAKU_HIKI && m < N_MONTHS; m++)
        if ((v->taken[seat] & month_set(m)) && !(others & month_set(m)))
            pool |= month_set(m);
    return pool & ~v->taken[seat];
}

/* The card of greatest weight in a set. */
static uint8_t dearest(cardset s)
{
    int best = set_first(s);
    for (; s; s = set_rest(s))
        if (card_points(set_first(s)) > card_points(best))
            best = set_first(s);
    return (uint8_t)best;
}

static bool completes(const struct ruleset *g, const struct view *v, struct move m, enum yaku y)
{
    bool called = v->koikoi[v->seat] > 0;
    struct score was, now;
    score_pile(g, v->taken[v->seat], called, &was);
    score_pile(g, v->taken[v->seat] | review_captured(m), called, &now);
    return now.worth[y] > 0 && was.worth[y] == 0;
}

static void name(const struct ruleset *g, const struct view *v, const struct move two[2],
                 struct reason *r)
{
    bool own = r->seat == v->seat;
    cardset pool = pool_of(v, r->seat, (enum yaku)r->yaku);
    /* Opponents cannot get cards of the own hand. */
    cardset best = own ? review_captured(two[0]) : two[0].take;
    cardset gained = best & ~review_captured(two[1]) & pool;
    cardset laid = two[1].take == 0 && two[1].card < N_CARDS && two[1].card != two[0].card
                       ? CARD(two[1].card) & pool
                       : 0;
    r->kind = own ? REASON_BUILDS : REASON_BLOCKS;
    if (own && completes(g, v, two[0], (enum yaku)r->yaku) &&
        !completes(g, v, two[1], (enum yaku)r->yaku))
        r->kind = REASON_COMPLETES;
    else if (gained)
        r->kind = own ? REASON_TAKES : REASON_DENIES;
    else if (laid)
        r->kind = own ? REASON_HOLDS : REASON_GIVES;
    r->card = gained ? dearest(gained) : laid ? dearest(laid) : CARD_NONE;
}

/* ---- Results --------------------------------------------------------------------------------- */

/* The greatest difference in favour of the better move; the seat stays -1 without a difference. */
static void strongest(const struct view *v, const struct yaku_counts *c, struct reason *ret)
{
    float most = 0, n = (float)c->n;
    for (int s = 0; s < v->players; s++)
        for (int y = 0; y < N_YAKU; y++) {
            float more = (float)(c->have[0][s][y] - c->have[1][s][y]);
            float good = s == v->seat ? more : -more;
            if (good < min_difference * n || good < z_to_tell * sqrtf((float)c->changed[s][y]) ||
                good * (float)v->rules.yaku[y] <= most)
                continue;
            most = good * (float)v->rules.yaku[y];
            *ret = (struct reason){.seat = (int8_t)s,
                                   .yaku = (uint8_t)y,
                                   .card = CARD_NONE,
                                   .chance = (float)c->have[0][s][y] / n,
                                   .instead = (float)c->have[1][s][y] / n};
        }
}

void review_reason(const struct review_worlds *w, int best, int other, uint32_t worlds,
                   struct reason *ret)
{
    const struct view *v = w->v;
    const struct move two[2] = {v->legal[best], v->legal[other]};
    struct yaku_counts c;
    count_worlds(w, two, 2, worlds, &c);
    *ret = (struct reason){.seat = -1, .yaku = N_YAKU, .card = CARD_NONE};
    strongest(v, &c, ret);
    if (ret->seat >= 0)
        name(&w->g, v, two, ret);
}

void review_chances(const struct review_worlds *w, struct move m, uint32_t worlds,
                    float ret[MAX_PLAYERS][N_YAKU])
{
    struct yaku_counts c;
    count_worlds(w, &m, 1, worlds, &c);
    for (int s = 0; s < w->v->players; s++)
        for (int y = 0; y < N_YAKU; y++)
            ret[s][y] = (float)c.have[0][s][y] / (float)c.n;
}

void review_outlook(const struct review_worlds *w, struct move m, uint32_t worlds,
                    struct outlook *ret)
{
    struct rng rng = w->rng;
    struct round world, end;
    int won = 0, lost = 0;
    *ret = (struct outlook){.win = 0};
    for (uint32_t k = 0; k < worlds; k++) {
        world_draw(w->v, &w->belief, world_fraction(k), &rng, &world);
        playout_run(&w->playouts, &world, m, &end, NULL);
        if (end.void_why != VOID_NONE || end.result.winner < 0)
            continue;
        bool own = end.result.winner == w->v->seat;
        won += own;
        lost += !own;
        *(own ? &ret->gain : &ret->risk) += (float)end.result.points;
    }
    ret->gain /= (float)(won ? won : 1);
    ret->risk /= (float)(lost ? lost : 1);
    ret->won = (float)won / (float)worlds;
    ret->lost = (float)lost / (float)worlds;
}

void review_outlooks(const struct review_worlds *w, uint32_t worlds, struct review *ret)
{
    const struct view *v = w->v;
    for (int i = 0; i < v->n_legal; i++) {
        bool stop = v->legal[i].kind == MOVE_STOP;
        if (!stop && v->legal[i].kind != MOVE_KOIKOI)
            continue;
        struct outlook *o = stop ? &ret->stop : &ret->koikoi;
        ret->decision = true;
        review_outlook(w, v->legal[i], worlds, o);
        o->win = ret->advice.at[i].win;
    }
}
