/* What the best level chooses where a person who knows the game is sure, and how far it is from
 * perfect play where perfect play can be reckoned. */
#include "search.h"
#include "endgame.h"
#include "positions.h"
#include "presets.h"
#include "table.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* A turn set up by hand: seat 0 has to decide. The rest is dealt to the other hand and the
 * stock. */
struct scene {
    const char *hand, *field, *own, *other;
    int others_cards, round_no, scores[2], dealer;
};

static void stage_decision(const struct ruleset *g, const struct scene *s, struct match *ret)
{
    struct round *r = &ret->round;
    int left = s->others_cards;

    match_start(&g->rules, 2, s->dealer, ret);
    ret->stage = MATCH_PLAYING;
    ret->round_no = (uint16_t)s->round_no;
    ret->scores[0] = s->scores[0];
    ret->scores[1] = s->scores[1];
    *r = (struct round){.phase = PHASE_DECIDE,
                        .players = 2,
                        .dealer = (uint8_t)s->dealer,
                        .drawn = CARD_NONE,
                        .void_by = -1,
                        .played = {true, true},
                        .next = N_CARDS};
    r->hand[0] = set_of(s->hand);
    r->field = set_of(s->field);
    r->taken[0] = set_of(s->own);
    r->taken[1] = set_of(s->other);
    cardset rest = ALL_CARDS & ~(r->hand[0] | r->field | r->taken[0] | r->taken[1]);
    for (; rest; rest = set_rest(rest)) {
        if (left-- > 0)
            r->hand[1] |= rest & -rest;
        else
            r->deck[--r->next] = (uint8_t)set_first(rest);
    }
}

static int choice(const struct ruleset *g, const struct scene *s, enum level level)
{
    struct budget b = {.visits = 2000};
    struct advice a;
    struct match m;
    struct view v;

    stage_decision(g, s, &m);
    view_of(g, &m, 0, &v);
    assert_int_equal(v.n_legal, 2);
    search(&v, level, &b, 1, &a);
    return a.move.kind;
}

#define AKATAN "1r 1p1 2r 2p1 3r 3p1" /* 5 points */

static void it_stops_in_the_last_round_when_that_wins(void **state)
{
    struct scene s = {"4a 5a 6a 12b", "8b 9p1 10p1", AKATAN, "11a 11r", 4, 12, {40, 10}, 0};

    (void)state;
    assert_int_equal(choice(preset(PRESET_STANDARD), &s, LEVEL_MASTER), MOVE_STOP);
    s.scores[0] = 6; /* behind by 4: five points turn it */
    assert_int_equal(choice(preset(PRESET_STANDARD), &s, LEVEL_MASTER), MOVE_STOP);
}

static void it_goes_on_in_the_last_round_when_stopping_loses(void **state)
{
    struct scene s = {"4a 5a 6a 12b", "8b 9p1 10p1", AKATAN, "11a 11r", 4, 12, {10, 30}, 0};

    (void)state;
    assert_int_equal(choice(preset(PRESET_STANDARD), &s, LEVEL_MASTER), MOVE_KOIKOI);
}

static void it_stops_when_that_empties_the_other_purse(void **state)
{
    struct scene s = {"4a 5a 6a 12b", "8b 9p1 10p1", AKATAN, "11a 11r", 4, 3, {195, 5}, 0};

    (void)state;
    assert_int_equal(choice(preset(PRESET_SENSEI), &s, LEVEL_MASTER), MOVE_STOP);
}

static void nobody_goes_on_without_a_card(void **state)
{
    struct scene s = {"", "8b 9p1 10p1", AKATAN, "11a 11r", 1, 5, {10, 12}, 0};

    (void)state;
    for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++)
        assert_int_equal(choice(preset(PRESET_STANDARD), &s, l), MOVE_STOP);
}

/* All hands are empty and a call makes the dealer's exhausted round worth 6. */
static void the_dealer_takes_six_for_one_under_oya_kan(void **state)
{
    struct rules r = presets[PRESET_STANDARD];
    struct ruleset g;
    struct scene s = {
        "", "8b 9p1", "1p1 1p2 2p1 2p2 3p1 3p2 4p1 4p2 5p1 5p2", "11a 11r", 0, 5, {10, 12}, 0};

    (void)state;
    r.exhausted = EXHAUSTED_OYA_KAN;
    ruleset_make(&r, &g);
    for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++)
        assert_int_equal(choice(&g, &s, l), MOVE_KOIKOI);
    s.dealer = 1; /* six for the other one, then */
    for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++)
        assert_int_equal(choice(&g, &s, l), MOVE_STOP);
}

/* The other one waits for a blue ribbon that lies on the table. */
static void it_does_not_go_on_for_nothing(void **state)
{
    struct scene s = {"4p1", "10r 12p1 8p1", AKATAN, "6r 6p1 9r 9p1 10p1 10p2", 2, 3, {10, 12}, 0};

    (void)state;
    assert_int_equal(choice(preset(PRESET_STANDARD), &s, LEVEL_MASTER), MOVE_STOP);
}

/* ---- The last turns, against perfect play ---------------------------------------------------- */

static void the_last_turns_are_played_almost_perfectly(void **state)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    double lost = 0, worst = 0, apart = 0;
    int played = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 4000 && played < 40; seed++) {
        struct match m;
        struct view v;
        struct advice a;
        if (!position(g, 2, seed, 16, &m) || m.round.phase != PHASE_HAND)
            continue;
        int me = m.round.turn;
        if (set_count(m.round.hand[me]) != 2 || set_count(m.round.hand[1 - me]) != 1)
            continue;
        view_of(g, &m, me, &v);
        v.n_seen = 0; /* dealt by chance, not by thought: nothing to infer */
        if (v.n_legal < 2)
            continue;
        search(&v, LEVEL_MASTER, &(struct budget){.visits = 4000}, seed, &a);
        double best = -1000, chosen = endgame_worth(g, &m, a.move);
        for (int i = 0; i < v.n_legal; i++) {
            double value = endgame_worth(g, &m, v.legal[i]);
            best = value > best ? value : best;
            apart = best - value > apart ? best - value : apart;
        }
        lost += best - chosen;
        worst = best - chosen > worst ? best - chosen : worst;
        played++;
    }
    assert_int_equal(played, 40);
    assert_true(apart > 3); /* there was something to lose */
    assert_true(lost / played < 0.1);
    assert_true(worst < 1.5);
}

/* Level in the last round: whoever can make a yaku now has won, whatever is drawn, and need not play for more
 * points. */
static void what_wins_for_certain_is_played(void **state)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    int met = 0;

    (void)state;
    for (uint64_t seed = 1; met < 150; seed++) {
        struct match m;
        struct view v;
        struct advice a;
        cardset makes = 0;
        assert_true(seed < 200000);
        if (!position(g, 2, seed, (int)(8 + seed % 12), &m) || m.round.phase != PHASE_HAND)
            continue;
        int me = m.round.turn;
        m.round_no = g->rules.rounds;
        m.scores[0] = m.scores[1] = 20;
        view_of(g, &m, me, &v);
        v.n_seen = 0; /* dealt by chance, not by thought: nothing to infer */
        if (m.round.koikoi[me] || score_base(g, v.taken[me]) > 0 || set_count(v.hand) < 2)
            continue;
        for (int i = 0; i < v.n_legal; i++)
            if (v.legal[i].kind == MOVE_PLAY && v.legal[i].take &&
                score_base(g, v.taken[me] | v.legal[i].take | CARD(v.legal[i].card)) > 0)
                makes |= CARD(v.legal[i].card);
        if (!makes || makes == v.hand)
            continue;
        search(&v, LEVEL_MASTER, &(struct budget){0}, seed, &a);
        met++;
        assert_true(makes & CARD(a.move.card));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stops_in_the_last_round_when_that_wins),
        cmocka_unit_test(it_goes_on_in_the_last_round_when_stopping_loses),
        cmocka_unit_test(it_stops_when_that_empties_the_other_purse),
        cmocka_unit_test(nobody_goes_on_without_a_card),
        cmocka_unit_test(the_dealer_takes_six_for_one_under_oya_kan),
        cmocka_unit_test(it_does_not_go_on_for_nothing),
        cmocka_unit_test(what_wins_for_certain_is_played),
        cmocka_unit_test(the_last_turns_are_played_almost_perfectly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
