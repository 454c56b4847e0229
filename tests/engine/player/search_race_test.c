/* The race between moves: a move stays a candidate as long as chance alone may explain its deficit,
 * and leaves when chance cannot. */
#include "test.h"
#include "search_race.h"

#include <math.h>
#include <string.h>

enum { WORLDS = 400 };

/* Two moves whose difference in each world is mean +- spread in turn, so that its standard error is
 * spread / sqrt(WORLDS). `common`: what a world adds to both. */
static double race_of_two(double mean, double spread, double common, struct race *ret)
{
    race_start(ret, 2);
    for (int k = 0; k < WORLDS; k++) {
        double both = k % 4 < 2 ? common : -common, apart = k % 2 ? spread : -spread;
        float worth[2] = {(float)(both + mean + apart), (float)both};
        race_add(ret, worth);
    }
    return race_prune(ret);
}

/* Is a move that is behind by so many standard errors still a candidate? */
static bool stays(double errors)
{
    static struct race r;
    double spread = 0.25;
    race_of_two(errors * spread / sqrt(WORLDS), spread, 0, &r);
    assert_int_equal(race_leader(&r), 0);
    return !r.at[1].out;
}

/* Three standard errors are the usual bound: 1 of 740 equal moves lies beyond. */
TEST(a_move_within_three_standard_errors_stays)
{
    for (double errors = 0.1; errors <= 3; errors += 0.1)
        assert_true(stays(errors));
}

TEST(a_move_beyond_four_standard_errors_leaves)
{
    for (double errors = 4; errors < 40; errors *= 1.5)
        assert_false(stays(errors));
}

/* A good or bad world moves all moves alike: only the difference between them counts. */
TEST(a_common_part_of_both_moves_cancels)
{
    static struct race r;
    race_of_two(0.1, 0.25, 100, &r);
    assert_true(r.at[1].out);
    race_of_two(0.02, 0.25, 100, &r);
    assert_false(r.at[1].out);
}

/* The regret of a draw between equals is 0.4 standard errors (the mean of the better half of a
 * normal distribution); it falls as the leader's lead grows, and grows with the error. */
TEST(regret_is_the_likely_cost_of_a_wrong_choice)
{
    static struct race r;
    double error = 0.25 / sqrt(WORLDS), last = 1;
    assert_true(fabs(race_of_two(1e-6, 0.25, 0, &r) / error - 0.3989) < 0.01);
    for (double errors = 0; errors <= 3; errors += 0.25) {
        double regret = race_of_two(errors * error + 1e-7, 0.25, 0, &r);
        assert_true(regret > 0 && regret < last);
        assert_true(race_of_two(errors * 2 * error + 1e-7, 0.5, 0, &r) > regret);
        last = regret;
    }
    assert_true(last < 0.001 * error);
}

/* Of three moves the hopeless one leaves and is not counted any more. */
TEST(a_move_that_left_takes_no_more_part)
{
    static struct race r;
    race_start(&r, 3);
    for (int k = 0; k < WORLDS; k++)
        race_add(&r, (const float[]){0, k % 2 ? 0.6f : 0.42f, k % 2 ? 0.4f : 0.62f});
    race_prune(&r);
    assert_true(r.at[0].out && !r.at[1].out && !r.at[2].out);
    assert_int_equal(race_left(&r), 2);
    race_add(&r, (const float[]){1e6f, 0, 10});
    assert_int_equal(r.at[0].n, WORLDS);
    assert_int_equal(r.at[1].n, WORLDS + 1);
    assert_int_equal(race_leader(&r), 2);
}
