/* The playout against the public road: same chance, same moves, same end; and rounds that obey
 * the rules. */
#include "playout.h"
#include "presets.h"
#include "table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct playout_policy random_policy(struct luck *c)
{
    struct playout_policy p = {.greedy = luck_next(c) % 2,
                               .blunder = (uint8_t)(luck_next(c) % 2 * 40),
                               .koikoi = (uint8_t)(luck_next(c) % 256),
                               .cheap = (uint8_t)(luck_next(c) % 4),
                               .early = (uint8_t)(luck_next(c) % 8)};
    for (int i = 0; i < N_CARDS; i++)
        p.weight[i] = (uint8_t)(luck_next(c) % 20);
    return p;
}

/* Deals and plays `steps` random legal moves; false if the round was over by then. */
static bool position(const struct ruleset *g, int players, int steps, struct luck *c,
                     struct round *ret)
{
    uint8_t deck[N_CARDS];
    struct move moves[MAX_MOVES];

    shuffle(c, deck);
    round_deal(g, players, (int)(luck_next(c) % (uint64_t)players), deck, ret, NULL);
    for (; steps > 0 && ret->phase != PHASE_OVER; steps--) {
        int n = round_legal(g, ret, ret->turn, moves);
        round_apply(g, ret, ret->turn, moves[luck_next(c) % (uint64_t)n], NULL);
    }
    return ret->phase != PHASE_OVER;
}

/* From any phase of any round: the fast road in both ways of reading tables, and the plain road,
 * end alike, point for point. A copy of the rule set that trusts no sums is sent down the plain
 * road. */
static void all_roads_end_alike(void **state)
{
    struct luck c = luck_seed(81);
    int fast = 0, wild = 0, rain = 0;
    (void)state;
    for (int i = 0; i < 12000; i++) {
        struct rules rules = i % 4 ? presets[i / 4 % N_PRESETS] : random_rules(&c);
        struct ruleset g = *ready(0, &rules), other, plain = g;
        struct playout_policy p = random_policy(&c);
        struct luck a[3];
        struct playout_end end[3];
        struct round r;
        for (int k = 0; k < 3; k++)
            a[k] = luck_seed(i * 3 + 1u);
        if (!position(&g, 2, (int)(luck_next(&c) % 16), &c, &r) || !playout_is_fast(&g, &r))
            continue;
        struct round before = r;
        ruleset_make_by(false, &rules, &other);
        plain.base_decides = plain.rest_decides = false;
        assert_false(playout_is_fast(&plain, &r));
        playout_round(&g, &p, &a[0], &r, &end[0]);
        playout_round(&other, &p, &a[1], &r, &end[1]);
        playout_round(&plain, &p, &a[2], &r, &end[2]);
        assert_memory_equal(&before, &r, sizeof r);
        for (int k = 1; k < 3; k++) {
            assert_int_equal(end[0].why, end[k].why);
            assert_int_equal(end[0].winner, end[k].winner);
            assert_int_equal(end[0].points, end[k].points);
            assert_true(a[0].state == a[k].state);
        }
        fast++;
        wild += rules.wild_lightning;
        rain += !g.base_decides;
    }
    assert_true(fast > 5000 && wild > 1500 && rain > 1000);
}

static void every_rule_set_is_played_to_an_end_that_its_rules_know(void **state)
{
    struct luck c = luck_seed(82);
    (void)state;
    for (int i = 0; i < 4000; i++) {
        struct rules rules = random_rules(&c);
        const struct ruleset *g = ready(0, &rules);
        struct playout_policy p = random_policy(&c);
        struct playout_end end;
        struct round r;
        int players = (rules.players_allowed >> 3 & 1) != 0 && i % 2 ? 3 : 2;
        if (!position(g, players, (int)(luck_next(&c) % 12), &c, &r))
            continue;
        playout_round(g, &p, &c, &r, &end);
        switch ((enum round_why)end.why) {
        case WHY_STOP:
        case WHY_HAND_YAKU:
            assert_in_range(end.winner, 0, players - 1);
            assert_true(end.points > 0);
            break;
        case WHY_OYA_KAN:
            assert_int_equal(rules.exhausted, EXHAUSTED_OYA_KAN);
            assert_int_equal(end.winner, r.dealer);
            assert_int_equal(end.points, 6);
            break;
        default:
            assert_int_equal(end.why, WHY_EXHAUSTED);
            assert_int_equal(end.winner, -1);
            assert_int_equal(end.points, 0);
        }
    }
}

static void three_players_hand_yaku_and_odd_sums_take_the_plain_road(void **state)
{
    struct rules odd = presets[PRESET_STANDARD];
    struct luck c = luck_seed(87);
    struct round r;
    uint8_t deck[N_CARDS];
    (void)state;
    for (int p = 0; p < N_PRESETS; p++) {
        while (!position(preset(p), 2, 4, &c, &r))
            continue;
        assert_true(playout_is_fast(preset(p), &r));
    }
    while (!position(preset(PRESET_MONGOLOPEDIA), 3, 4, &c, &r))
        continue;
    assert_false(playout_is_fast(preset(PRESET_MONGOLOPEDIA), &r));
    odd.yaku[YAKU_TANE] = 50; /* a trio would lower the sum */
    while (!position(ready(0, &odd), 2, 4, &c, &r))
        continue;
    assert_false(playout_is_fast(ready(0, &odd), &r));
    deck_of(&presets[PRESET_SENSEI], 2, 0,
            (const char *const[]){"1b 1r 1p1 1p2 2a 2r 3p1 4p1", "3r 4r 5r 6r 7r 8b 9r 12b"}, NULL,
            NULL, deck);
    round_deal(preset(PRESET_SENSEI), 2, 0, deck, &r, NULL); /* four of a month, to be declared */
    assert_false(playout_is_fast(preset(PRESET_SENSEI), &r));
}

static void a_hand_yaku_is_declared_when_its_turn_comes(void **state)
{
    const struct ruleset *g = preset(PRESET_SENSEI);
    struct playout_policy p = {0};
    struct luck c = luck_seed(83);
    struct playout_end end;
    uint8_t deck[N_CARDS];
    struct round r;
    (void)state;
    deck_of(&g->rules, 2, 0,
            (const char *const[]){"1b 1r 1p1 1p2 2a 2r 2p1 2p2", "3r 4r 5r 6r 7r 8b 9r 12b"},
            "8p1 9a 10a 10r 11b 11a 12p1 6a", NULL, deck);
    round_deal(g, 2, 0, deck, &r, NULL);
    playout_round(g, &p, &c, &r, &end);
    assert_int_equal(end.why, WHY_HAND_YAKU);
    assert_int_equal(end.winner, 0);
    assert_int_equal(end.points, 28);
}

static void a_greedy_player_takes_what_weighs_most_and_lays_down_the_lightest(void **state)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct playout_policy p = {.greedy = true};
    struct luck c = luck_seed(84);
    uint8_t deck[N_CARDS];
    struct playout_end end;
    struct playout w;
    struct round r;
    (void)state;
    for (int i = 0; i < N_CARDS; i++)
        p.weight[i] = (uint8_t)card_points(i);
    /* Only the moon pile is worth a stop: 8b with 9a, which the heaviest takes bring at once. */
    deck_of(&g->rules, 2, 0,
            (const char *const[]){"9p1 2r 3p1 4p1 5p1 6p1 7p1 12p3",
                                  "1p2 2p1 3p2 4p2 5p2 6p2 7p2 10p2"},
            "9a 8b 10r 10p1 11r 11a 9r 12p2", "8p1", deck);
    round_deal(g, 2, 0, deck, &r, NULL);
    playout_from(&r, &w);
    playout_run(g, &p, &c, &w, &end);
    assert_int_equal(end.why, WHY_STOP);
    assert_int_equal(end.winner, 0);
    assert_int_equal(end.points, 5);
    assert_true(w.taken[0] == set_of("9p1 9a 8b 8p1"));
    /* Nothing can be taken: the lightest card lies down, not the bright one. */
    deck_of(&g->rules, 2, 0,
            (const char *const[]){"1b 2a 3r 4p1 5a 6a 7a 8b", "1r 2r 3p1 4r 5r 6r 7r 8a"},
            "9a 9r 10r 10p1 11r 11a 12p1 12p2", "9p1", deck);
    round_deal(g, 2, 0, deck, &r, NULL);
    r.hand[1] = set_of("1r"); /* the round is over after seat 1's card */
    r.hand[0] = set_of("1b 4p1");
    playout_from(&r, &w);
    playout_run(g, &p, &c, &w, &end);
    assert_true((w.field & set_of("4p1")) != 0);
}

/* Worlds dealt for sampling: every card once, hands and table of the right size, all cards about
 * alike. */
static void sampled_deals_are_deals(void **state)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct luck c = luck_seed(85);
    int on_table[N_CARDS] = {0};
    (void)state;
    for (int i = 0; i < 20000; i++) {
        struct playout w;
        playout_deal(g, i & 1, &c, &w);
        cardset all = w.field;
        int n = set_count(w.field);
        assert_int_equal(n, 8);
        for (int p = 0; p < 2; p++)
            for (cardset h = w.hand[p]; h != 0; h = set_rest(h), n++)
                all |= h & -h;
        for (int k = w.next; k < N_CARDS; k++, n++)
            all |= CARD(w.deck[k]);
        assert_true(all == ALL_CARDS);
        assert_int_equal(n, N_CARDS);
        for (cardset f = w.field; f != 0; f = set_rest(f))
            on_table[set_first(f)]++;
    }
    for (int i = 0; i < N_CARDS; i++) /* 3333 expected, deviation 53 */
        assert_in_range(on_table[i], 3333 - 6 * 53, 3333 + 6 * 53);
}

/* Random rounds through the playout and through the public moves win about as much: 6
 * deviations. */
static void random_playouts_are_like_random_rounds(void **state)
{
    enum { N = 30000 };
    const struct ruleset *g = preset(PRESET_OKOSHKI);
    struct playout_policy p = {.koikoi = 128};
    struct luck c = luck_seed(86);
    double sum[2] = {0}, square[2] = {0};
    (void)state;
    for (int i = 0; i < N; i++) {
        struct move moves[MAX_MOVES];
        struct playout_end end;
        struct round r;
        if (!position(g, 2, 0, &c, &r))
            continue;
        playout_round(g, &p, &c, &r, &end);
        while (r.phase != PHASE_OVER) {
            int n = round_legal(g, &r, r.turn, moves), first = moves[0].kind == MOVE_REDEAL;
            round_apply(g, &r, r.turn, moves[first + (int)(luck_next(&c) % (uint64_t)(n - first))],
                        NULL);
        }
        const int points[2] = {end.points, r.result.points};
        for (int k = 0; k < 2; k++) {
            sum[k] += points[k];
            square[k] += (double)points[k] * points[k];
        }
    }
    double gap = (sum[0] - sum[1]) / N, variance = (square[0] + square[1]) / N / N;
    assert_true(gap * gap < 36 * variance);
}

static void the_same_seed_gives_the_same_numbers(void **state)
{
    struct luck a = luck_seed(7), b = luck_seed(7), other = luck_seed(8);
    (void)state;
    for (int i = 0; i < 100; i++) {
        uint64_t x = luck_next(&a);
        assert_true(x == luck_next(&b));
        assert_true(x != luck_next(&other));
        assert_in_range(luck_below(x, 7), 0, 6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_roads_end_alike),
        cmocka_unit_test(every_rule_set_is_played_to_an_end_that_its_rules_know),
        cmocka_unit_test(three_players_hand_yaku_and_odd_sums_take_the_plain_road),
        cmocka_unit_test(a_hand_yaku_is_declared_when_its_turn_comes),
        cmocka_unit_test(a_greedy_player_takes_what_weighs_most_and_lays_down_the_lightest),
        cmocka_unit_test(sampled_deals_are_deals),
        cmocka_unit_test(random_playouts_are_like_random_rounds),
        cmocka_unit_test(the_same_seed_gives_the_same_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
