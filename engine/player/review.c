/* What moves are worth beside each other.
 *
 * 1. The search of level `master` looks at all legal moves. Its best is the best here.
 * 2. The best of many had some luck too. So the loss of the other move comes from a second search,
 *    of the two moves alone, with other chance.
 * 3. That search ends early where one of the two is worse beyond doubt. Where it did not, a
 *    difference below `min_loss` counts as none.
 */
#include "review_worlds.h"
#include "pile.h"

/* In chances of a match: the least difference that counts after a search that left doubt. */
static const float min_loss = 0.02f;
static const float min_explained = 0.01f; /* smaller losses get no reason */

const char *reason_key(enum reason_kind k)
{
    static const char *const keys[N_REASONS] = {"none",   "completes", "takes",  "holds", "builds",
                                                "denies", "gives",     "blocks", "stop",  "koikoi"};
    return keys[k];
}

/* ---- Moves ----------------------------------------------------------------------------------- */

static bool alike_sets(cardset a, cardset b)
{
    if ((a & ~set_plains) != (b & ~set_plains))
        return false;
    for (int m = 0; m < N_MONTHS; m++)
        if (set_count(a & set_plains & month_set(m)) != set_count(b & set_plains & month_set(m)))
            return false;
    return true;
}

static cardset card_of(struct move m)
{
    return m.card < N_CARDS ? CARD(m.card) : 0;
}

bool review_alike(struct move a, struct move b)
{
    return a.kind == b.kind && alike_sets(card_of(a), card_of(b)) && alike_sets(a.take, b.take);
}

static int index_of(const struct view *v, struct move m)
{
    for (int i = 0; i < v->n_legal; i++)
        if (v->legal[i].kind == m.kind && v->legal[i].card == m.card && v->legal[i].take == m.take)
            return i;
    return 0;
}

/* ---- Losses ---------------------------------------------------------------------------------- */

/* Searches the two moves alone. Sets loss and points. It chooses neither, so all its worlds
 * count. */
static void lose(const struct view *v, uint32_t visits, uint64_t seed, struct review *ret)
{
    struct habits judge = habits[LEVEL_MASTER];
    struct view two = *v;
    struct advice advice;
    struct ruleset g;
    const struct budget b = {.visits = visits};
    judge.weighs = false;
    ruleset_make(&v->rules, &g);
    two.n_legal = 2;
    two.legal[0] = v->legal[ret->best];
    two.legal[1] = v->legal[ret->made];
    search_as(&g, &two, &judge, &b, seed, &advice);
    float loss = advice.at[0].win - advice.at[1].win;
    bool sure = advice.playouts + 2 <= visits;
    if (loss <= 0 || (!sure && loss < min_loss))
        return;
    ret->loss = loss;
    ret->points = advice.at[0].value - advice.at[1].value;
}

static void look(const struct view *v, uint32_t visits, uint64_t seed, struct review *ret)
{
    const struct budget b = {.visits = visits};
    float least = 1, most = 0;
    *ret = (struct review){.next = -1,
                           .reason = {.seat = -1, .yaku = N_YAKU, .card = CARD_NONE},
                           .plan = {.seat = -1, .yaku = N_YAKU},
                           .threat = {.seat = -1, .yaku = N_YAKU}};
    search(v, LEVEL_MASTER, &b, seed, &ret->advice);
    ret->best = ret->made = (uint8_t)index_of(v, ret->advice.move);
    for (int i = 0; i < v->n_legal; i++) {
        float win = ret->advice.at[i].win;
        least = win < least ? win : least;
        most = win > most ? win : most;
    }
    ret->spread = most > least ? most - least : 0;
}

/* ---- Plan and threat ------------------------------------------------------------------------- */

/* What a seat still lacks for its yaku after a move, by the cards that lie open; and which of them
 * matter: a plan of the seat's own and a threat by another. Both are chosen by their share of the
 * value, the chance of the yaku at the end of the round times its points. */

/* A yaku below it is left out. */
static const float min_chance = 0.05f;

/* A threat is at most this many cards away; so is the plan of a call, which captures nothing. */
enum { NEAR = 2 };

bool review_reach(const struct view *v, int seat, enum yaku y, struct reach *ret)
{
    int need;
    struct score made = {0};
    cardset pool = yaku_cards(&v->rules, y, &need), gone = 0;
    for (int s = 0; s < v->players; s++)
        gone |= s == seat ? 0 : v->taken[s];
    int have = set_count(pool & v->taken[seat]);
    *ret = (struct reach){have, need, pool & ~gone & ~v->taken[seat]};
    if (need == 0 || v->rules.yaku[y] == 0 || have >= need || set_count(pool & ~gone) < need)
        return false;
    if (y != YAKU_TSUKIMI && y != YAKU_HANAMI)
        return !review_absorbed(&v->rules, v->taken[seat], y);
    /* Brights of the pile, or the rain, may leave a viewing without pay. */
    group_brights(&v->rules, v->taken[seat] | pool, v->koikoi[seat] > 0, &made);
    return made.worth[y] > 0;
}

bool review_lacks(const struct view *v, struct move m, int seat, enum yaku y, struct reach *ret)
{
    struct view after = *v;
    after.taken[v->seat] |= review_captured(m);
    /* Four brights are one yaku with the rainman and another without. */
    enum yaku other = after.taken[seat] & CARD(RAINMAN) ? YAKU_SHIKO : YAKU_AME_SHIKO;
    if (y == other || !review_reach(&after, seat, y, ret))
        return false;
    if (seat != v->seat)
        ret->missing &= ~v->hand | (m.card < N_CARDS ? CARD(m.card) : 0);
    return set_count(ret->missing) >= ret->need - ret->have;
}

/* A yaku that is not begun is as near as ever. */
static bool is_near(const struct reach *r)
{
    return r->have > 0 && r->need - r->have <= NEAR;
}

/* True if the move works towards the own yaku: it captures one of its cards, the reason says so, or
 * it is a call, which leaves the seat to play on for what is near. */
static bool works_towards(const struct view *v, struct move m, enum yaku y,
                          const struct reason *why, const struct reach *r)
{
    int need;
    if (m.kind == MOVE_KOIKOI)
        return is_near(r);
    return (yaku_cards(&v->rules, y, &need) & review_captured(m)) != 0 ||
           (why->seat == v->seat && why->yaku == y);
}

static void take_dearer(const struct view *v, int seat, enum yaku y, float chance,
                        struct prospect *ret)
{
    float points = (float)v->rules.yaku[y];
    if (chance >= min_chance &&
        (ret->chance == 0 || chance * points > ret->chance * (float)v->rules.yaku[ret->yaku]))
        *ret = (struct prospect){(int8_t)seat, (uint8_t)y, chance};
}

/* Sets plan and threat of a move. */
static void prospects(const struct review_worlds *w, struct move m, uint32_t worlds,
                      struct review *ret)
{
    const struct view *v = w->v;
    float chance[MAX_PLAYERS][N_YAKU];
    cardset pile = v->taken[v->seat];
    bool called = v->koikoi[v->seat] > 0;
    /* The hand card alone makes a yaku: then the question is whether to stop. */
    bool paid =
        pile_base(&w->g, pile | review_captured(m), called) > pile_base(&w->g, pile, called);
    struct reach r;
    review_chances(w, m, worlds, chance);
    for (int s = 0; s < v->players; s++)
        for (int y = 0; y < N_YAKU; y++) {
            if (!review_lacks(v, m, s, (enum yaku)y, &r))
                continue;
            if (s != v->seat && is_near(&r))
                take_dearer(v, s, (enum yaku)y, chance[s][y], &ret->threat);
            if (s == v->seat && !paid && works_towards(v, m, (enum yaku)y, &ret->reason, &r))
                take_dearer(v, s, (enum yaku)y, chance[s][y], &ret->plan);
        }
}

/* ---- Reason, plan and threat of the best move ------------------------------------------------ */

static void explain(const struct review_worlds *w, uint32_t worlds, struct review *ret)
{
    const struct view *v = w->v;
    if (ret->made == ret->best)
        return;
    uint8_t best = v->legal[ret->best].kind, made = v->legal[ret->made].kind;
    if (ret->decision)
        ret->reason.kind = v->legal[ret->best].kind == MOVE_STOP ? REASON_STOP : REASON_KOIKOI;
    else if (best == made) /* cards on both sides; a declaration or redeal explains itself */
        review_reason(w, ret->best, ret->made, worlds, &ret->reason);
}

/* In a decision what counts is what comes after a call. */
static void foresee(const struct review_worlds *w, uint32_t worlds, struct review *ret)
{
    const struct view *v = w->v;
    struct move m = v->legal[ret->best];
    if (v->n_legal < 2 || m.kind == MOVE_DECLARE || m.kind == MOVE_REDEAL)
        return;
    if (ret->decision)
        m.kind = MOVE_KOIKOI;
    prospects(w, m, worlds, ret);
    if (v->legal[ret->best].kind == MOVE_STOP)
        ret->plan = (struct prospect){.seat = -1, .yaku = N_YAKU};
}

/* ---- Both questions -------------------------------------------------------------------------- */

void review_move(const struct view *v, struct move made, uint32_t visits, uint64_t seed,
                 struct review *ret)
{
    const uint32_t worlds = visits / 4 + 1;
    look(v, visits, seed, ret);
    ret->made = (uint8_t)index_of(v, made);
    if (!review_alike(v->legal[ret->best], v->legal[ret->made]))
        lose(v, visits / 2 + 2, seed + 1, ret);
    if (ret->loss > ret->spread)
        ret->spread = ret->loss;
    if (v->phase != PHASE_DECIDE && ret->loss < min_explained)
        return;
    struct review_worlds w;
    review_worlds_make(v, seed + 2, &w);
    review_outlooks(&w, worlds, ret);
    if (ret->loss >= min_explained)
        explain(&w, worlds, ret);
}

void review_hint(const struct view *v, uint32_t visits, uint64_t seed, struct review *ret)
{
    const uint32_t worlds = visits / 4 + 1;
    struct review_worlds w;
    float most = -1;
    look(v, visits, seed, ret);
    for (int i = 0; i < v->n_legal; i++) {
        float win = ret->advice.at[i].win;
        if (review_alike(v->legal[i], v->legal[ret->best]))
            continue;
        ret->next = win > ret->next ? win : ret->next;
        if (win > most && win <= ret->advice.at[ret->best].win - min_explained) {
            most = win;
            ret->made = (uint8_t)i;
        }
    }
    if (v->n_legal < 2 && v->phase != PHASE_DECIDE)
        return;
    review_worlds_make(v, seed + 2, &w);
    review_outlooks(&w, worlds, ret);
    explain(&w, worlds, ret);
    foresee(&w, worlds, ret);
}
