/* See positions.h. */
#include "positions.h"
#include "search_policy.h"
#include "presets.h"
#include "search_world.h"
#include "table.h"
#include "world.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void optional_takes(struct rules *r)
{
    r->capture = CAPTURE_OPTIONAL;
}
static void oya_kan(struct rules *r)
{
    r->exhausted = EXHAUSTED_OYA_KAN;
}
static void wild_optional(struct rules *r)
{
    r->wild_lightning = true;
    r->capture = CAPTURE_OPTIONAL;
}
static void all_doublings(struct rules *r)
{
    r->own_koikoi = DOUBLING_ONCE;
    r->opponent_koikoi = DOUBLING_EACH;
    r->any_koikoi = DOUBLING_PLUS_ONE_EACH;
    r->table_brights = true;
    r->table_four = TABLE_FOUR_KEEP;
}
static void six_on_the_table(struct rules *r)
{
    r->table[3] = 6;
}
static void few_yaku(struct rules *r)
{
    r->yaku[YAKU_SHIKO] = r->yaku[YAKU_SANKO] = r->yaku[YAKU_KASU] = 0;
    r->yaku[YAKU_TANE] = r->yaku[YAKU_TSUKIMI] = r->yaku[YAKU_INOSHIKACHO] = 0;
    r->has_seven_plus = false;
    r->seven_points = r->seven_min_yaku = r->seven_x = 0;
    r->viewing_with_brights = false;
    r->yaku[YAKU_HIKI] = 4;
}
static void two_calls_that_add(struct rules *r)
{
    r->koikoi_limit = 2;
    r->call_bonus = CALL_BONUS_STEPS;
    r->drawn_dealer = DRAWN_CHANGES;
    r->both_ribbons = 4;
    r->viewing_after_koikoi = 6;
    r->hand_four = HAND_FOUR_REDEAL;
}
static void plain_table(struct rules *r)
{
    (void)r;
}

static const struct {
    const char *name;
    int preset, players;
    void (*change)(struct rules *);
} rows[N_RULE_CASES] = {
    {"sensei", PRESET_SENSEI, 2, plain_table},
    {"mongolopedia", PRESET_MONGOLOPEDIA, 2, plain_table},
    {"mongolopedia for three", PRESET_MONGOLOPEDIA, 3, plain_table},
    {"okoshki", PRESET_OKOSHKI, 2, plain_table},
    {"standard", PRESET_STANDARD, 2, plain_table},
    {"sensei, optional takes", PRESET_SENSEI, 2, optional_takes},
    {"sensei, all doublings", PRESET_SENSEI, 2, all_doublings},
    {"standard, oya-kan", PRESET_STANDARD, 2, oya_kan},
    {"standard, wild and optional", PRESET_STANDARD, 2, wild_optional},
    {"standard, few yaku", PRESET_STANDARD, 2, few_yaku},
    {"mongolopedia for three, six on the table", PRESET_MONGOLOPEDIA, 3, six_on_the_table},
    {"mongolopedia for three, optional takes", PRESET_MONGOLOPEDIA, 3, optional_takes},
    {"console", PRESET_CONSOLE, 2, plain_table},
    {"steam", PRESET_STEAM, 2, plain_table},
    {"mongolopedia for three, two calls that add", PRESET_MONGOLOPEDIA, 3, two_calls_that_add},
};

const struct rule_case *rule_case(int i)
{
    static struct rule_case made[N_RULE_CASES];

    if (made[i].name == NULL) {
        struct rules r = presets[rows[i].preset];
        rows[i].change(&r);
        assert_null(rules_check(&r));
        ruleset_make(&r, &made[i].g);
        made[i].players = rows[i].players;
        made[i].name = rows[i].name;
    }
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

void scene_set(const struct ruleset *g, const struct scene *s, struct match *ret)
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

void scene_view(const struct ruleset *g, const struct scene *s, struct view *ret)
{
    struct match m;

    scene_set(g, s, &m);
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
