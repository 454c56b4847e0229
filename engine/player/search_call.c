/* See search_call.h. */
#include "search_call.h"
#include "nets.h"
#include "search_policy.h"

#include <string.h>

/* ---- Features -------------------------------------------------------------------------------- */

enum { ANIMALS = 10, RIBBONS = 11, PLAINS = 17, TRIO = 5, BRIGHTS = 10, BASES = 16 };

/* A table of two as a seat sees it. */
struct call_sight {
    cardset hand, field, own, other; /* the last two: piles */
};

/* Places of a card: own pile, other pile, field, hand, unseen; the last three by the known cards of
 * its month. */
static int card_features(const struct call_sight *at, uint16_t *ret)
{
    cardset unseen = ALL_CARDS & ~(at->hand | at->own | at->other | at->field);
    for (int c = 0; c < N_CARDS; c++) {
        cardset month = card_month_set(c);
        int hidden = at_most(set_count(unseen & month), 3), place;
        bool held = (at->hand & month) != 0, lies = (at->field & month) != 0;
        if (at->own & CARD(c))
            place = 0;
        else if (at->other & CARD(c))
            place = 1;
        else if (at->field & CARD(c))
            place = 2 + 4 * held + hidden;
        else if (at->hand & CARD(c))
            place = 10 + 4 * lies + hidden;
        else
            place = 18 + 2 * lies + held;
        ret[c] = (uint16_t)(c * CALL_PLACES + place);
    }
    return N_CARDS;
}

/* One feature of each group, by the pile's cards. A trio is dead once the opponent has one of its
 * cards. */
static int pile_features(const struct ruleset *g, cardset pile, bool called, cardset other, int at,
                         uint16_t *ret)
{
    static const cardset trios[3] = {SET_INOSHIKACHO, SET_POETRY, SET_BLUE};
    int n = 0;
    ret[n++] = (uint16_t)(at + at_most(set_count(pile & set_animals), ANIMALS - 1));
    at += ANIMALS;
    ret[n++] = (uint16_t)(at + at_most(set_count(pile & set_ribbons), RIBBONS - 1));
    at += RIBBONS;
    ret[n++] = (uint16_t)(at + at_most(set_count(pile & g->plains), PLAINS - 1));
    at += PLAINS;
    for (int k = 0; k < 3; k++, at += TRIO)
        ret[n++] = (uint16_t)(at + (other & trios[k] ? TRIO - 1 : set_count(pile & trios[k])));
    ret[n++] =
        (uint16_t)(at + 2 * set_count(pile & SET_DRY_BRIGHTS) + ((pile & CARD(RAINMAN)) != 0));
    at += BRIGHTS;
    ret[n++] = (uint16_t)(at + at_most(pile_base(g, pile, called), BASES - 1));
    return n;
}

int call_features(const struct ruleset *g, const struct round *r,
                  uint16_t ret[static MAX_CALL_FEATURES])
{
    int me = r->turn, other = 1 - me;
    const struct call_sight at = {
        .hand = r->hand[me], .field = r->field, .own = r->taken[me], .other = r->taken[other]};
    bool called = r->koikoi[me] > 0, other_called = r->koikoi[other] > 0;
    int n = card_features(&at, ret), base = pile_base(g, at.own, called);
    n += pile_features(g, at.own, called, at.other, CALL_PILE, ret + n);
    n += pile_features(g, at.other, other_called, at.own, CALL_PILE + CALL_PILE_SIZE, ret + n);
    ret[n++] = (uint16_t)(CALL_CALLS + at_most(r->koikoi[me] + 1, 2));
    ret[n++] = (uint16_t)(CALL_CALLS + 3 + at_most(r->koikoi[other], 2));
    ret[n++] = (uint16_t)(CALL_BASE + at_most(base, BASES - 1));
    ret[n++] = (uint16_t)(CALL_BASE + BASES + at_most(r->last_decision[other].base, BASES - 1));
    ret[n++] = (uint16_t)(CALL_LEFT + at_most(set_count(r->hand[me]), 8));
    if (r->dealer == me)
        ret[n++] = CALL_DEALER;
    return n;
}

/* ---- Worth ----------------------------------------------------------------------------------- */

/* Too rare a call to be learned. */
static bool rare(const struct ruleset *g, const struct round *r)
{
    return pile_base(g, r->taken[r->turn], r->koikoi[r->turn] > 0) >= BASES - 1;
}

/* Worth of a call in a round of two. */
HOT_CLONES static int64_t worth_of_two(const struct call_net *net, const struct ruleset *g,
                                       const struct round *r)
{
    uint16_t feature[MAX_CALL_FEATURES];
    int n = call_features(g, r, feature);
    return net_sum(&net->start, net->row, net->weight, CALL_UNIT, feature, n);
}

static int64_t gain_of_two(const struct call_net *net, const struct ruleset *g,
                           const struct round *r)
{
    if (rare(g, r))
        return 0;
    return worth_of_two(net, g, r) - (int64_t)policy_pays(g, r) * CALL_UNIT;
}

/* The seat to move and one opponent, as a round of two. */
static struct round pair_of(const struct round *r, int other)
{
    const int seats[2] = {r->turn, other};
    struct round two = *r;
    two.players = 2;
    two.turn = 0;
    two.dealer = r->dealer == r->turn ? 0 : 1;
    for (int i = 0; i < 2; i++) {
        two.hand[i] = r->hand[seats[i]];
        two.taken[i] = r->taken[seats[i]];
        two.koikoi[i] = r->koikoi[seats[i]];
        two.last_decision[i] = r->last_decision[seats[i]];
    }
    return two;
}

static int64_t gain_over(const struct call_net *net, const struct ruleset *g, const struct round *r,
                         int other)
{
    if (r->players == 2)
        return gain_of_two(net, g, r);
    struct round two = pair_of(r, other);
    return gain_of_two(net, g, &two);
}

bool call_is_better(const struct call_net *net, const struct ruleset *g, const struct round *r)
{
    for (int s = 0; s < r->players; s++)
        if (s != r->turn && gain_over(net, g, r, s) <= 0)
            return false;
    return true;
}

float call_gain(const struct call_net *net, const struct ruleset *g, const struct round *r)
{
    int64_t least = INT64_MAX;
    for (int s = 0; s < r->players; s++) {
        int64_t gain = s == r->turn ? INT64_MAX : gain_over(net, g, r, s);
        least = gain < least ? gain : least;
    }
    return (float)least / CALL_UNIT;
}

/* Points that a win brings, in the k-th third of them. */
static float won_points(const struct call_net *net, int k, int pays)
{
    return net->won[k][0] + net->won[k][1] * (float)pays;
}

bool call_wins_more(const struct call_net *net, const struct ruleset *g, const struct round *r,
                    int pays, const struct stakes *stakes, int of)
{
    float lost = net->loses * net->lost, won = 0;
    int me = r->turn, other = 1 - me;
    if (rare(g, r))
        return false;
    float worth = (float)worth_of_two(net, g, r) / CALL_UNIT;
    for (int k = 0; k < CALL_THIRDS; k++)
        won += won_points(net, k, pays) / CALL_THIRDS;
    float wins = (worth + lost) / (won + lost);
    wins = wins < 0 ? 0 : wins > 1 ? 1 : wins;
    float call = (1 - wins) * (net->loses * stakes_of(stakes, other, (int)(net->lost + .5f)) +
                               (1 - net->loses) * stakes_of(stakes, -1, 0));
    for (int k = 0; k < CALL_THIRDS; k++)
        call += wins / CALL_THIRDS * stakes_of(stakes, me, (int)(won_points(net, k, pays) + .5f));
    float more = call - stakes_of(stakes, me, pays);
    return (me == of ? more : -more) > 1e-6f;
}

/* ---- Which net ------------------------------------------------------------------------------- */

static const struct call_net nets[] = {
    {
#include "nets/standard.inc"
    },
    {
#include "nets/sensei.inc"
    },
    {
#include "nets/okoshki.inc"
    },
    {
#include "nets/mongolopedia.inc"
    },
    {
#include "nets/console.inc"
    },
    {
#include "nets/steam.inc"
    },
};

static const struct call_net *learned_from(uint64_t rules)
{
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
        if (nets[i].learned_from == rules)
            return &nets[i];
    return NULL;
}

const struct call_net *call_net_for(const struct ruleset *g, int players)
{
    const struct call_net *own = learned_from(net_rules_hash(&g->rules));
    return own ? own : learned_from(equity_nearest(&g->rules, players)->learned_from);
}
