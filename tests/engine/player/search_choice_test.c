/* Choices of the best level where a good player is sure, and its distance from perfect play where
 * that can be computed. */
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

static int choice(const struct ruleset *g, const struct scene *s, enum level level)
{
    struct budget b = {.visits = 2000};
    struct advice a;
    struct view v;

    scene_view(g, s, &v);
    assert_int_equal(v.n_legal, 2);
    search(&v, level, &b, 1, &a);
    return a.move.kind;
}

#define AKATAN "1r 1p1 2r 2p1 3r 3p1" /* 5 points */

static void it_stops_in_the_last_round_when_that_wins(void **state)
{
    struct scene s = {.phase = PHASE_DECIDE,
                      .hand = "4a 5a 6a 12b",
                      .field = "8b 9p1 10p1",
                      .own = AKATAN,
                      .other = "11a 11r",
                      .others_cards = 4,
                      .round_no = 12,
                      .scores = {40, 10},
                      .dealer = 0};

    (void)state;
    assert_int_equal(choice(preset(PRESET_STANDARD), &s, LEVEL_MASTER), MOVE_STOP);
    s.scores[0] = 6; /* behind by 4: five points turn it */
    assert_int_equal(choice(preset(PRESET_STANDARD), &s, LEVEL_MASTER), MOVE_STOP);
}

static void it_goes_on_in_the_last_round_when_stopping_loses(void **state)
{
    struct scene s = {.phase = PHASE_DECIDE,
                      .hand = "4a 5a 6a 12b",
                      .field = "8b 9p1 10p1",
                      .own = AKATAN,
                      .other = "11a 11r",
                      .others_cards = 4,
                      .round_no = 12,
                      .scores = {10, 30},
                      .dealer = 0};

    (void)state;
    assert_int_equal(choice(preset(PRESET_STANDARD), &s, LEVEL_MASTER), MOVE_KOIKOI);
}

static void it_stops_when_that_empties_the_other_purse(void **state)
{
    struct scene s = {.phase = PHASE_DECIDE,
                      .hand = "4a 5a 6a 12b",
                      .field = "8b 9p1 10p1",
                      .own = AKATAN,
                      .other = "11a 11r",
                      .others_cards = 4,
                      .round_no = 3,
                      .scores = {195, 5},
                      .dealer = 0};

    (void)state;
    assert_int_equal(choice(preset(PRESET_SENSEI), &s, LEVEL_MASTER), MOVE_STOP);
}

static void no_koikoi_without_a_card(void **state)
{
    struct scene s = {.phase = PHASE_DECIDE,
                      .hand = "",
                      .field = "8b 9p1 10p1",
                      .own = AKATAN,
                      .other = "11a 11r",
                      .others_cards = 1,
                      .round_no = 5,
                      .scores = {10, 12},
                      .dealer = 0};

    (void)state;
    for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++)
        assert_int_equal(choice(preset(PRESET_STANDARD), &s, l), MOVE_STOP);
}

/* All hands are empty, and a call makes an exhausted round worth 6 to the dealer. */
static void the_dealer_takes_six_for_one_under_oya_kan(void **state)
{
    struct rules r = presets[PRESET_STANDARD];
    struct ruleset g;
    struct scene s = {.phase = PHASE_DECIDE,
                      .hand = "",
                      .field = "8b 9p1",
                      .own = "1p1 1p2 2p1 2p2 3p1 3p2 4p1 4p2 5p1 5p2",
                      .other = "11a 11r",
                      .others_cards = 0,
                      .round_no = 5,
                      .scores = {10, 12},
                      .dealer = 0};

    (void)state;
    r.exhausted = EXHAUSTED_OYA_KAN;
    ruleset_make(&r, &g);
    for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++)
        assert_int_equal(choice(&g, &s, l), MOVE_KOIKOI);
    s.dealer = 1; /* then the opponent gets six */
    for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++)
        assert_int_equal(choice(&g, &s, l), MOVE_STOP);
}

/* The opponent waits for a blue ribbon on the field. */
static void it_does_not_go_on_for_nothing(void **state)
{
    struct scene s = {.phase = PHASE_DECIDE,
                      .hand = "4p1",
                      .field = "10r 12p1 8p1",
                      .own = AKATAN,
                      .other = "6r 6p1 9r 9p1 10p1 10p2",
                      .others_cards = 2,
                      .round_no = 3,
                      .scores = {10, 12},
                      .dealer = 0};

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
        v.n_seen = 0; /* random deals: no play to infer from */
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
    assert_true(apart > 3); /* the choice matters */
    assert_true(lost / played < 0.1);
    assert_true(worst < 1.5);
}

/* Tied in the last round: a seat that can make a yaku now has won, whatever it draws, and need not
 * play for more points. */
static void a_certain_win_is_played(void **state)
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
        v.n_seen = 0; /* random deals: no play to infer from */
        if (m.round.koikoi[me] || pile_base(g, v.taken[me], false) > 0 || set_count(v.hand) < 2)
            continue;
        for (int i = 0; i < v.n_legal; i++)
            if (v.legal[i].kind == MOVE_PLAY && v.legal[i].take &&
                pile_base(g, v.taken[me] | v.legal[i].take | CARD(v.legal[i].card), false) > 0)
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
        cmocka_unit_test(no_koikoi_without_a_card),
        cmocka_unit_test(the_dealer_takes_six_for_one_under_oya_kan),
        cmocka_unit_test(it_does_not_go_on_for_nothing),
        cmocka_unit_test(a_certain_win_is_played),
        cmocka_unit_test(the_last_turns_are_played_almost_perfectly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
