/* See positions.h. */
#include "positions.h"
#include "test.h"
#include "search_policy.h"
#include "presets.h"
#include "search_world.h"
#include "table.h"
#include "world.h"

#include <string.h>

/* Rules as under() reads them, and the number of players. */
static const struct {
    const char *rules;
    int players;
} rows[N_RULE_CASES] = {
    {"sensei", 2},
    {"mongolopedia", 2},
    {"mongolopedia", 3},
    {"okoshki", 2},
    {"standard", 2},
    {"sensei capture=optional", 2},
    {"sensei multipliers.own_koikoi=double_once multipliers.opponent_koikoi=double_each "
     "multipliers.any_koikoi=plus_one_each multipliers.table_brights=on table_four=keep",
     2},
    {"standard exhausted=oya_kan", 2},
    {"standard wild_lightning=on capture=optional", 2},
    {"standard yaku.shiko=0 yaku.sanko=0 yaku.kasu=0 yaku.tane=0 yaku.tsukimi=0 "
     "yaku.inoshikacho=0 yaku.hiki=4 multipliers.seven_plus=off multipliers.seven_plus.points=0 "
     "multipliers.seven_plus.min_yaku=0 multipliers.seven_plus.x=0 viewing.with_brights=off",
     2},
    {"mongolopedia table.3=6", 3},
    {"mongolopedia capture=optional", 3},
    {"console", 2},
    {"steam", 2},
    {"mongolopedia koikoi_limit=2 call_bonus=steps drawn_dealer=changes both_ribbons=4 "
     "viewing.after_koikoi=6 hand_four=redeal",
     3},
};

const struct rule_case *rule_case(int i)
{
    static struct rule_case made[N_RULE_CASES];
    if (made[i].name == NULL)
        made[i] = (struct rule_case){rows[i].rules, rows[i].players, *under(rows[i].rules)};
    return &made[i];
}

void deck_by_chance(struct rng *chance, uint8_t ret[static N_CARDS])
{
    for (int i = 0; i < N_CARDS; i++)
        ret[i] = (uint8_t)i;
    rng_shuffle(chance, ret, N_CARDS);
}

bool same_move(struct move a, struct move b)
{
    return a.kind == b.kind && a.card == b.card && a.take == b.take;
}

void match_dealt(const struct ruleset *g, struct rng *chance, int dealer, struct match *ret)
{
    uint8_t deck[N_CARDS];
    match_start(&g->rules, 2, dealer, ret);
    while (ret->stage == MATCH_READY) {
        deck_by_chance(chance, deck);
        match_deal(g, ret, deck, NULL);
    }
}

int playout_pick(const struct ruleset *g, const struct call_net *calls, const struct round *r,
                 const struct move *moves, int n)
{
    if (calls == NULL || r->phase != PHASE_DECIDE || n == 1 || r->hand[r->turn] == 0)
        return policy_pick(g, &policy_tuned, r, moves, n);
    return moves[0].kind == (call_is_better(calls, g, r) ? MOVE_KOIKOI : MOVE_STOP) ? 0 : 1;
}

void playout_finish(const struct ruleset *g, const struct call_net *calls, struct round *r)
{
    struct move legal[MAX_MOVES];
    while (r->phase != PHASE_OVER) {
        int n = round_legal(g, r, r->turn, legal);
        round_apply(g, r, r->turn, legal[playout_pick(g, calls, r, legal, n)], NULL);
    }
}

bool position(const struct ruleset *g, int players, uint64_t seed, int moves, struct match *ret)
{
    struct rng chance = rng_seed(seed);
    struct move legal[MAX_MOVES];
    uint8_t deck[N_CARDS];
    deck_by_chance(&chance, deck);
    match_start(&g->rules, players, (int)rng_below(rng_next(&chance), (unsigned)players), ret);
    match_deal(g, ret, deck, NULL);
    while (moves-- > 0 && ret->stage == MATCH_PLAYING) {
        int n = round_legal(g, &ret->round, ret->round.turn, legal);
        int pick = (int)rng_below(rng_next(&chance), (unsigned)n);
        if (ret->round.phase == PHASE_DECIDE)
            pick = 0; /* koi-koi: the round goes on */
        if (legal[pick].kind == MOVE_DECLARE || legal[pick].kind == MOVE_REDEAL)
            pick = n - 1;
        match_apply(g, ret, ret->round.turn, legal[pick], NULL);
    }
    return ret->stage == MATCH_PLAYING;
}

void setup_set(const struct ruleset *g, const struct setup *s, struct match *ret)
{
    struct round *r = &ret->round;
    match_start(&g->rules, s->third ? 3 : 2, s->dealer, ret);
    ret->stage = MATCH_PLAYING;
    ret->round_no = (uint16_t)s->round_no;
    ret->scores[0] = s->scores[0];
    ret->scores[1] = s->scores[1];
    *r = (struct round){.phase = s->phase,
                        .players = s->third ? 3 : 2,
                        .dealer = (uint8_t)s->dealer,
                        .drawn = CARD_NONE,
                        .void_by = -1,
                        .played = {true, true, s->third != NULL},
                        .next = N_CARDS};
    r->hand[0] = set_of(s->hand);
    r->hand[1] = s->others_hand ? set_of(s->others_hand) : 0;
    r->field = set_of(s->field);
    r->taken[0] = set_of(s->own);
    r->taken[1] = set_of(s->other);
    r->taken[2] = s->third ? set_of(s->third) : 0;
    cardset rest =
        ALL_CARDS & ~(r->hand[0] | r->hand[1] | r->field | r->taken[0] | r->taken[1] | r->taken[2]);
    for (; rest; rest = set_rest(rest)) {
        if (set_count(r->hand[1]) < s->others_cards)
            r->hand[1] |= rest & -rest;
        else if (s->third && set_count(r->hand[2]) < s->others_cards)
            r->hand[2] |= rest & -rest;
        else
            r->deck[--r->next] = (uint8_t)set_first(rest);
    }
}

void setup_view(const struct ruleset *g, const struct setup *s, struct view *ret)
{
    struct match m;
    setup_set(g, s, &m);
    view_of(g, &m, 0, ret);
    assert_true(ret->n_legal > 0);
}

float wins_with(const struct ruleset *g, const struct match *m, struct move first, int seat,
                enum yaku y)
{
    enum { ROUNDS = 1000 };
    struct rng chance = rng_seed(7);
    const struct move stop = {.kind = MOVE_STOP, .card = CARD_NONE};
    int won = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct round r = other_world(m, 0, &chance).round;
        struct move legal[MAX_MOVES];
        assert_int_equal(round_apply(g, &r, 0, first, NULL), LEGAL);
        while (r.phase != PHASE_OVER) {
            int n = round_legal(g, &r, r.turn, legal);
            bool decides = r.phase == PHASE_DECIDE;
            round_apply(g, &r, r.turn,
                        decides ? stop : legal[policy_pick(g, &policy_tuned, &r, legal, n)], NULL);
        }
        won += r.result.winner == seat && r.result.score.worth[y] > 0;
    }
    return (float)won / ROUNDS;
}
