/* Choices of the best level where a good player is sure, and its distance from perfect play where
 * that can be computed. */
#include "test.h"
#include "search.h"
#include "endgame.h"
#include "positions.h"
#include "presets.h"
#include "table.h"

#include <string.h>

/* Koi-koi or stop, with these piles; `weak`: every level chooses so, not the best alone. */
TEST(it_calls_and_stops_as_a_good_player_would)
{
#define AKATAN .own = "1r 1p1 2r 2p1 3r 3p1", .phase = PHASE_DECIDE /* 5 points */
#define FOUR_CARDS                                                                                 \
    AKATAN, .hand = "4a 5a 6a 12b", .field = "8b 9p1 10p1", .other = "11a 11r", .others_cards = 4
    /* All hands are empty, and a call makes an exhausted round worth 6 to the dealer. */
#define OYA_KAN                                                                                    \
    .hand = "", .field = "8b 9p1", .own = "1p1 1p2 2p1 2p2 3p1 3p2 4p1 4p2 5p1 5p2",               \
    .other = "11a 11r", .round_no = 5, .scores = {10, 12}, .phase = PHASE_DECIDE
    static const struct {
        const char *rules;
        struct setup setup;
        int want;
        bool weak;
    } rows[] = {
        /* it stops in the last round when that wins, also when five points turn it */
        {"standard", {FOUR_CARDS, .round_no = 12, .scores = {40, 10}}, MOVE_STOP, false},
        {"standard", {FOUR_CARDS, .round_no = 12, .scores = {6, 10}}, MOVE_STOP, false},
        /* it goes on in the last round when stopping loses */
        {"standard", {FOUR_CARDS, .round_no = 12, .scores = {10, 30}}, MOVE_KOIKOI, false},
        /* it stops when that empties the other purse */
        {"sensei", {FOUR_CARDS, .round_no = 3, .scores = {195, 5}}, MOVE_STOP, false},
        /* no koi-koi without a card */
        {"standard",
         {AKATAN, .hand = "", .field = "8b 9p1 10p1", .other = "11a 11r", .others_cards = 1,
          .round_no = 5, .scores = {10, 12}},
         MOVE_STOP,
         true},
        {"standard exhausted=oya_kan", {OYA_KAN}, MOVE_KOIKOI, true},
        {"standard exhausted=oya_kan", {OYA_KAN, .dealer = 1}, MOVE_STOP, true},
        /* it does not go on for nothing: the opponent waits for a blue ribbon on the field */
        {"standard",
         {AKATAN, .hand = "4p1", .field = "10r 12p1 8p1", .other = "6r 6p1 9r 9p1 10p1 10p2",
          .others_cards = 2, .round_no = 3, .scores = {10, 12}},
         MOVE_STOP,
         false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (enum level l = rows[i].weak ? LEVEL_BEGINNER : LEVEL_MASTER; l < N_LEVELS; l++) {
            struct advice a;
            struct view v;
            setup_view(under(rows[i].rules), &rows[i].setup, &v);
            assert_int_equal(v.n_legal, 2);
            search(&v, l, &(struct budget){.visits = 2000}, 1, &a);
            assert_same(a.move.kind, rows[i].want, rows[i].rules);
        }
}

/* ---- The last turns, against perfect play ---------------------------------------------------- */

TEST(the_last_turns_are_played_almost_perfectly)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    double lost = 0, worst = 0, apart = 0;
    int played = 0;
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
TEST(a_certain_win_is_played)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    int met = 0;
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
