/* Equity: what a result is worth to the match. */
#include "test.h"
#include "equity.h"
#include "presets.h"
#include "positions.h"
#include "rng.h"

#include <math.h>
#include <string.h>

static struct view between(int which, int players, int round_no, int a, int b)
{
    struct view v = {
        .rules = presets[which], .players = (uint8_t)players, .round_no = (uint16_t)round_no};
    v.scores[0] = a;
    v.scores[1] = b;
    return v;
}

static struct stakes seen_by(struct view v, int seat)
{
    struct stakes s;
    v.seat = (int8_t)seat;
    stakes_make(&v, &s);
    return s;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-4;
}

TEST(equities_of_both_seats_add_up_to_one)
{
    for (int which = 0; which < N_PRESETS; which++)
        for (int round_no = 1; round_no <= presets[which].rounds; round_no++) {
            struct view v = between(which, 2, round_no, 60, 40);
            struct stakes a = seen_by(v, 0), b = seen_by(v, 1);
            assert_true(near(a.no_winner + b.no_winner, 1));
            assert_true(near(a.again + b.again, 1));
            for (int w = 0; w < 2; w++)
                for (int p = 0; p < STAKE_POINTS; p++)
                    assert_true(near(stakes_of(&a, w, p) + stakes_of(&b, w, p), 1));
        }
}

TEST(three_share_one_match)
{
    struct view v = between(PRESET_MONGOLOPEDIA, 3, 7, 20, 25);
    v.scores[2] = 31;
    for (int round_no = 7; round_no <= 12; round_no++)
        for (int w = -1; w < 3; w++) {
            double sum = 0;
            v.round_no = (uint16_t)round_no;
            for (int seat = 0; seat < 3; seat++) {
                struct stakes s = seen_by(v, seat);
                sum += stakes_of(&s, w, 9);
            }
            assert_true(near(sum, 1));
        }
    struct stakes last = seen_by(v, 0);
    assert_true(near(stakes_of(&last, 0, 12), 1));
    assert_true(near(stakes_of(&last, 0, 3), 0));
}

TEST(more_is_never_worth_less)
{
    for (int t = 0; t < N_RULE_CASES; t++) {
        struct view v = {.rules = rule_case(t)->g.rules,
                         .players = (uint8_t)rule_case(t)->players,
                         .round_no = 4};
        for (int s = 0; s < v.players; s++)
            v.scores[s] = 50 + 5 * s;
        struct stakes s = seen_by(v, 0);
        assert_true(s.no_winner > 0 && s.no_winner < 1);
        for (int p = 1; p < STAKE_POINTS; p++) {
            assert_true(s.win[0][p] >= s.win[0][p - 1] - 1e-5);
            assert_true(s.win[1][p] <= s.win[1][p - 1] + 1e-5);
        }
    }
}

TEST(the_last_round_is_counted_out)
{
    struct stakes s = seen_by(between(PRESET_STANDARD, 2, 12, 20, 27), 0);
    assert_true(near(s.no_winner, 0));
    assert_true(near(stakes_of(&s, 0, 6), 0));
    assert_true(near(stakes_of(&s, 0, 7), 0.5)); /* a draw is half a win */
    assert_true(near(stakes_of(&s, 0, 8), 1));
    assert_true(near(stakes_of(&s, 0, 100000), 1));
}

/* Okoshki plays extra rounds: a tied score is no draw, and the dealer has a small advantage. */
TEST(a_tie_is_played_on_where_the_rules_say_so)
{
    struct stakes s = seen_by(between(PRESET_OKOSHKI, 2, 6, 20, 20), 0);
    assert_true(s.no_winner > 0.4 && s.no_winner < 0.6 && !near(s.no_winner, 0.5));
    assert_true(near(stakes_of(&s, 0, 1), 1));
}

TEST(an_empty_purse_ends_the_match)
{
    struct stakes s = seen_by(between(PRESET_SENSEI, 2, 2, 170, 30), 0);
    assert_true(near(stakes_of(&s, 0, 30), 1));
    assert_true(near(stakes_of(&s, 0, 64), 1));
    assert_true(stakes_of(&s, 0, 29) < 1);
    assert_true(near(stakes_of(&s, 1, 200), 0));
}

/* Twenty points weigh more with fewer rounds left to lose them again. */
TEST(a_lead_grows_dearer_towards_the_end)
{
    float before = 0;
    for (int round_no = 1; round_no <= 12; round_no++) {
        struct stakes s = seen_by(between(PRESET_STANDARD, 2, round_no, 20, 0), 0);
        assert_true(s.no_winner > before);
        before = s.no_winner;
    }
}

TEST(every_counted_round_is_there)
{
    assert_int_equal(n_equity_rounds, 7); /* the presets, one of them for three too */
    for (int i = 0; i < n_equity_rounds; i++) {
        const struct equity_rounds *e = &equity_rounds[i];
        uint32_t sum = e->no_winner;
        for (int p = 0; p < EQUITY_POINTS; p++)
            sum += e->dealer[p] + e->other[p];
        assert_int_equal(sum, e->rounds);
        assert_true(e->rounds >= 100000);
    }
}

/* What a point is worth in the match: the same to both seats, more towards the end, and never
 * nothing. */
TEST(a_point_has_a_worth_in_the_match)
{
    double before = 0;
    for (int round_no = 7; round_no <= 12; round_no++) {
        struct view v = between(PRESET_STANDARD, 2, round_no, 20, 20);
        struct stakes a = seen_by(v, 0), b = seen_by(v, 1);
        double unit = stakes_unit(&v, &a);
        v.seat = 1;
        assert_true(near(unit, stakes_unit(&v, &b)));
        assert_true(unit > before);
        before = unit;
    }
    struct view decided = between(PRESET_STANDARD, 2, 12, 0, 400);
    struct stakes s = seen_by(decided, 0);
    assert_true(stakes_unit(&decided, &s) == 0.002);
}

/* The total of a seat after a match of rounds that are drawn from the same counts. */
static int drawn_match(const struct rules *r, struct rng *c)
{
    const struct equity_rounds *e = equity_nearest(r, 2);
    bool coins = r->scoring == SCORING_COINS;
    int total[2] = {0};
    for (int round = 0; round < r->rounds; round++) {
        uint64_t at = rng_next(c) % e->rounds;
        for (int k = 0; k < 2 * EQUITY_POINTS; k++) {
            uint32_t n = k % 2 ? e->dealer[k / 2] : e->other[k / 2];
            if (at < n) {
                int winner = (int)(rng_next(c) % 2);
                total[winner] += k / 2;
                total[1 - winner] -= coins ? k / 2 : 0;
                break;
            }
            at -= n;
        }
    }
    return total[0] > total[1] ? total[0] : total[1];
}

/* What a forfeit pays: near the mean of drawn matches, and never more than there is to win. */
TEST(a_win_brings_what_it_brings_on_average)
{
    enum { MATCHES = 4000 };
    struct rng c = {27};
    for (int which = 0; which < N_PRESETS; which++)
        for (int rounds = 3; rounds <= 12; rounds *= 2) {
            struct rules r = presets[which];
            double sum = 0;
            r.rounds = (uint16_t)rounds;
            for (int i = 0; i < MATCHES; i++)
                sum += drawn_match(&r, &c);
            int points = equity_win_points(&r, 2), purse = rules_start_score(&r);
            double mean = sum / MATCHES;
            if (r.scoring == SCORING_COINS && mean > purse)
                mean = purse;
            if (fabs(points - mean) > 1 + mean / 8)
                fail_msg("preset %d, %d rounds: %d, of drawn matches %.1f", which, rounds, points,
                         mean);
        }
}
