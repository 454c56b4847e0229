/* See review.h. What a seat still lacks for its yaku after a move, by the cards that lie open; and
 * which of them matter: a plan of the seat's own and a threat by another.
 *
 * Both are chosen by their share of the value, the chance of the yaku at the end of the round times
 * its points. A yaku below `min_chance` is left out.
 */
#include "review.h"

static const float min_chance = 0.05f;

/* A threat is at most this many cards away; so is the plan of a call, which captures nothing. */
enum { NEAR = 2 };

bool review_reach(const struct view *v, int seat, enum yaku y, struct reach *ret)
{
    int need;
    cardset pool = yaku_cards(&v->rules, y, &need), gone = 0;

    for (int s = 0; s < v->players; s++)
        gone |= s == seat ? 0 : v->taken[s];
    int have = set_count(pool & v->taken[seat]);
    *ret = (struct reach){have, need, pool & ~gone & ~v->taken[seat]};
    return need > 0 && v->rules.yaku[y] > 0 && have < need && set_count(pool & ~gone) >= need;
}

/* True if the hand card alone makes a yaku: then the question is whether to stop. */
static bool is_paid(const struct view *v, struct move m)
{
    struct ruleset g;
    bool called = v->koikoi[v->seat] > 0;

    ruleset_make(&v->rules, &g);
    return score_base(&g, v->taken[v->seat] | review_captured(m), called) >
           score_base(&g, v->taken[v->seat], called);
}

/* Four brights are one yaku with the rainman and another without. */
static bool is_other_four(cardset pile, enum yaku y)
{
    return y == ((pile & CARD(RAINMAN)) ? YAKU_SHIKO : YAKU_AME_SHIKO);
}

bool review_lacks(const struct view *v, struct move m, int seat, enum yaku y, struct reach *ret)
{
    struct view after = *v;

    after.taken[v->seat] |= review_captured(m);
    if (is_other_four(after.taken[seat], y) || !review_reach(&after, seat, y, ret))
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

void review_prospects(const struct view *v, struct move m, uint32_t worlds, uint64_t seed,
                      const struct reason *why, struct prospect *ret_plan,
                      struct prospect *ret_threat)
{
    float chance[MAX_PLAYERS][N_YAKU];
    bool paid = is_paid(v, m);
    struct reach r;

    review_chances(v, m, worlds, seed, chance);
    *ret_plan = *ret_threat = (struct prospect){.seat = -1, .yaku = N_YAKU};
    for (int s = 0; s < v->players; s++)
        for (int y = 0; y < N_YAKU; y++) {
            if (!review_lacks(v, m, s, (enum yaku)y, &r))
                continue;
            if (s != v->seat && is_near(&r))
                take_dearer(v, s, (enum yaku)y, chance[s][y], ret_threat);
            if (s == v->seat && !paid && works_towards(v, m, (enum yaku)y, why, &r))
                take_dearer(v, s, (enum yaku)y, chance[s][y], ret_plan);
        }
}
