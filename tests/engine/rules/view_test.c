/* Views: equal for matches that differ only in hidden cards, with exactly the seat's own moves. */
#include "test.h"
#include "presets.h"
#include "rounds.h"
#include "table.h"
#include "world.h"
#include "view.h"

#include <string.h>

static void check_secrecy(const struct ruleset *g, const struct match *m, struct rng *c)
{
    for (int seat = SEAT_PUBLIC; seat < m->players; seat++) {
        static struct view a, b;
        struct match w = other_world(m, seat, c);
        memset(&a, 0xa5, sizeof a);
        memset(&b, 0, sizeof b);
        view_of(g, m, seat, &a);
        view_of(g, &w, seat, &b);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

static void check_view(const struct ruleset *g, const struct match *m)
{
    static struct view v;
    struct move moves[MAX_MOVES];
    const struct round *r = &m->round;
    for (int seat = 0; seat < m->players; seat++) {
        view_of(g, m, seat, &v);
        int n = round_legal(g, r, seat, moves);
        assert_int_equal(v.n_legal, n);
        for (int i = 0; i < n; i++) {
            assert_int_equal(v.legal[i].kind, moves[i].kind);
            assert_int_equal(v.legal[i].card, moves[i].card);
            assert_true(v.legal[i].take == moves[i].take);
            assert_int_not_equal(v.legal[i].kind, MOVE_RESIGN);
        }
        assert_int_equal(v.phase, r->phase);
        assert_int_equal(v.turn, r->turn);
        assert_int_equal(v.drawn, r->drawn);
        assert_int_equal(v.table_brights, r->table_brights);
        assert_true(v.hand == r->hand[seat] && v.field == r->field);
        assert_int_equal(v.stock_size, N_CARDS - r->next);
        for (int p = 0; p < m->players; p++) {
            assert_int_equal(v.hand_size[p], set_count(r->hand[p]));
            assert_true(v.taken[p] == r->taken[p]);
            assert_int_equal(v.koikoi[p], r->koikoi[p]);
            assert_memory_equal(&v.last_decision[p], &r->last_decision[p],
                                sizeof v.last_decision[p]);
        }
    }
    view_of(g, m, SEAT_PUBLIC, &v);
    assert_true(v.hand == 0);
    assert_int_equal(v.n_legal, 0);
}

TEST(views_omit_hidden_cards_and_show_own_moves)
{
    struct rng c = rng_seed(61);
    for (int i = 0; i < 400; i++) {
        struct rules rules = i < 8 ? presets[i % N_PRESETS] : random_rules(&c);
        const struct ruleset *g = ready(0, &rules);
        int players = (rules.players_allowed >> 3 & 1) != 0 && i % 2 ? 3 : 2;
        struct match m;
        struct move moves[MAX_MOVES];
        match_start(&rules, players, 0, &m);
        deal_next(g, &m, &c);
        while (m.stage == MATCH_PLAYING) {
            check_view(g, &m);
            check_secrecy(g, &m, &c);
            int n = round_legal(g, &m.round, m.round.turn, moves);
            match_apply(g, &m, m.round.turn, moves[rng_next(&c) % (uint64_t)n], NULL);
        }
        check_secrecy(g, &m, &c);
    }
}

TEST(before_the_first_deal_there_is_nothing_to_see)
{
    struct match m;
    struct view v;
    match_start(&presets[PRESET_SENSEI], 2, 1, &m);
    view_of(preset(PRESET_SENSEI), &m, 0, &v);
    assert_int_equal(v.stage, MATCH_READY);
    assert_int_equal(v.phase, PHASE_OVER);
    assert_int_equal(v.dealer, 1);
    assert_int_equal(v.round_no, 1);
    assert_int_equal(v.n_legal, 0);
    assert_int_equal(v.drawn, CARD_NONE);
    assert_int_equal(v.scores[0], 100);
    assert_int_equal(v.result.why, WHY_NONE);
}

TEST(a_finished_round_shows_its_capped_result_a_void_round_does_not)
{
    const struct ruleset *g = preset(PRESET_SENSEI);
    uint8_t deck[N_CARDS];
    struct match m;
    struct view v;
    match_start(&g->rules, 2, 0, &m);
    m.scores[0] = 198;
    m.scores[1] = 2;
    deck_of(&g->rules, 2, 0,
            (const char *const[]){"1b 1r 1p1 1p2 2a 3b 4a 5a", "3r 4r 5r 6r 7r 8b 9r 12b"},
            "8p1 9a 10a 10r 11b 11a 12p1 6a", NULL, deck);
    match_deal(g, &m, deck, NULL);
    assert_int_equal(match_apply(g, &m, 0, move_of("declare"), NULL), LEGAL);
    view_of(g, &m, 1, &v);
    assert_int_equal(v.stage, MATCH_OVER);
    assert_int_equal(v.why, MATCH_BANKRUPT);
    assert_int_equal(v.winner, 0);
    assert_int_equal(v.result.why, WHY_HAND_YAKU);
    assert_int_equal(v.result.points, 2);
    match_start(&g->rules, 2, 0, &m);
    deck_of(&g->rules, 2, 0, NULL, "1b 1r 1p1 1p2", NULL, deck);
    match_deal(g, &m, deck, NULL);
    view_of(g, &m, 0, &v);
    assert_int_equal(v.void_why, VOID_TABLE_FOUR);
    assert_int_equal(v.result.why, WHY_NONE);
    assert_int_equal(v.attempt, 2);
}
