/* Ratings against the paper's example, and what players may expect of any rating. */
#include "engine/test.h"
#include <string.h>

#include <math.h>

#include "rating.h"

static struct rating rated(int points, int deviation)
{
    struct rating r;
    rating_new(&r);
    r.points = (int64_t)points * RATING_UNIT;
    r.deviation = (int64_t)deviation * RATING_UNIT;
    return r;
}

static struct rating after(struct rating player, struct rating opponent, int halves)
{
    struct rating next;
    const struct rating_game game = {opponent, halves};
    rating_games(&player, &game, 1, &next);
    return next;
}

/* Glickman's example: 1500 ± 200 beats 1400 ± 30, loses to 1550 ± 100 and to 1700 ± 300. */
TEST(the_example_of_the_paper)
{
    struct rating player = rated(1500, 200), next;
    const struct rating_game games[] = {
        {rated(1400, 30), 2}, {rated(1550, 100), 0}, {rated(1700, 300), 0}};
    rating_games(&player, games, 3, &next);
    assert_in_range(next.points, 1464045, 1464055);     /* 1464.05 */
    assert_in_range(next.deviation, 151515, 151525);    /* 151.52 */
    assert_in_range(next.volatility, 5999000, 5999999); /* 0.05999... */
}

TEST(equal_players_gain_what_the_other_loses)
{
    for (int deviation = 40; deviation <= 350; deviation += 31) {
        struct rating one = rated(1500, deviation);
        struct rating won = after(one, one, 2), lost = after(one, one, 0);
        assert_true(won.points > one.points);
        assert_int_equal(won.points - one.points, one.points - lost.points);
        assert_int_equal(after(one, one, 1).points, one.points);
    }
}

TEST(a_surprise_moves_more_than_what_was_expected)
{
    struct rating strong = rated(1800, 60), weak = rated(1400, 60);
    int64_t surprise = after(weak, strong, 2).points - weak.points;
    int64_t expected = after(strong, weak, 2).points - strong.points;
    assert_true(surprise > 5 * expected);
    assert_true(expected > 0);
    assert_true(after(weak, strong, 1).points > weak.points); /* a draw is a gain */
    assert_true(after(strong, weak, 1).points < strong.points);
}

TEST(a_new_player_becomes_known)
{
    struct rating a, b;
    int provisional = 0;
    rating_new(&a);
    rating_new(&b);
    for (int i = 0; i < 40; i++) {
        struct rating was = a;
        provisional += rating_provisional(&a);
        a = after(a, b, i % 2 ? 2 : 0);
        b = after(b, was, i % 2 ? 0 : 2);
        assert_true(a.deviation < was.deviation || was.deviation < 60 * RATING_UNIT);
    }
    assert_in_range(provisional, 10, 25);
    assert_false(rating_provisional(&a));
}

TEST(a_rest_makes_unsure_but_costs_no_points)
{
    struct rating r = rated(1688, 48), was = r;
    rating_rest(&r, 3);
    assert_int_equal(r.points, was.points);
    assert_in_range(r.deviation, 64000, 65000); /* sqrt(48² + 3 · 25²) = 64.6 */
    struct rating soon = was;
    rating_rest(&soon, 0); /* a new season next day counts as a month */
    assert_in_range(soon.deviation, 54000, 55000);
    rating_rest(&r, 12 * 50);
    assert_int_equal(r.deviation, 350 * RATING_UNIT); /* as a new player, no more */
}

/* Three players, each pair a game: the winner's two wins in one period move further than one, and
 * less than two in a row. */
TEST(two_games_of_one_match)
{
    struct rating one = rated(1500, 100), next;
    const struct rating_game games[] = {{one, 2}, {one, 2}};
    rating_games(&one, games, 2, &next);
    struct rating single = after(one, one, 2);
    assert_true(next.points > single.points);
    assert_true(next.deviation < single.deviation);
    assert_true(next.points - one.points < 2 * (single.points - one.points));
}

/* Extreme values stay finite: a beginner who beats a master a hundred times. */
TEST(extremes_stay_in_range)
{
    struct rating weak = rated(300, 30), strong = rated(3200, 30);
    for (int i = 0; i < 100; i++) {
        struct rating was = weak;
        weak = after(weak, strong, 2);
        strong = after(strong, was, 0);
        assert_in_range(weak.deviation, 1, 350 * RATING_UNIT);
        assert_in_range(weak.volatility, 1, 100000000);
    }
    assert_true(weak.points > 1000 * RATING_UNIT && weak.points < 4000 * RATING_UNIT);
}

TEST(own_exp_and_log)
{
    for (double x = -40; x <= 40; x += 0.137)
        assert_true(fabs(rating_exp(x) / exp(x) - 1) < 1e-13);
    for (double x = 1e-9; x < 1e9; x *= 1.37)
        assert_true(fabs(rating_log(x) - log(x)) < 1e-13 * (1 + fabs(log(x))));
    assert_true(rating_exp(0) == 1 && rating_log(1) == 0);
}
