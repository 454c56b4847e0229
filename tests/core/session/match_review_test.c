/* Sums of a review, counted by hand: accuracy, play and cards, moments, the turning point. */
#include <math.h>
#include "engine/test.h"

#include <stdlib.h>
#include <string.h>

#include "match.h"
#include "match_review.h"

enum { LINES = 8 };

static struct match_review *review;

FIXTURE(setup)
{
    review = calloc(1, REVIEW_SIZE(LINES));
    if (!review)
        return 1;
    review->players = 2;
    review->why = MATCH_ROUNDS;
    return 0;
}

FIXTURE(teardown)
{
    free(review);
    return 0;
}

static void put_round(float first, float second, float third)
{
    struct match_review_round *r = &review->round[review->n_rounds++];
    *r = (struct match_review_round){.round = (uint16_t)review->n_rounds,
                                     .start = {first, second, third}};
}

static void put_line(int seat, float loss, float spread)
{
    review->at[review->n++] =
        (struct match_review_line){.seat = (uint8_t)seat, .loss = loss, .spread = spread};
}

#define assert_near(a, b) assert_true(fabsf((a) - (b)) < 1e-5f)

/* The first loses 0.1 of 0.4, the second all of 0.2; the first wins from even chances. */
static void put_a_match(void)
{
    put_round(0.5f, 0.5f, 0);
    put_line(0, 0.1f, 0.3f);
    put_line(1, 0.2f, 0.2f);
    put_line(0, 0, 0.1f);
    review->winner = 0;
}

TEST_WITH(a_win_is_split_in_play_and_cards, setup, teardown)
{
    put_a_match();
    match_review_sum(review);
    assert_int_equal(review->player[0].decisions, 2);
    assert_int_equal(review->player[1].decisions, 1);
    assert_near(review->player[0].lost, 0.1f);
    assert_near(review->player[0].accuracy, 0.75f);
    assert_near(review->player[1].accuracy, 0);
    assert_near(review->player[0].play, 0.1f); /* the other's loss less one's own */
    assert_near(review->player[1].play, -0.1f);
    assert_near(review->player[0].cards, 0.4f); /* from 0.5 to 1, less 0.1 by play */
    assert_near(review->player[1].cards, -0.4f);
}

TEST_WITH(of_three_each_gets_half_of_a_loss, setup, teardown)
{
    review->players = 3;
    put_round(0.4f, 0.3f, 0.3f);
    put_line(0, 0.2f, 0.2f);
    review->winner = -1; /* a draw: a third for each */
    match_review_sum(review);
    assert_near(review->player[0].play, -0.2f);
    assert_near(review->player[1].play, 0.1f);
    assert_near(review->player[2].play, 0.1f);
    assert_near(review->player[0].cards, 1 / 3.0f - 0.4f + 0.2f);
    assert_near(review->player[1].cards, 1 / 3.0f - 0.3f - 0.1f);
}

/* A match that was left has no end by play or cards; the decisions stand. */
TEST_WITH(a_match_left_has_no_split, setup, teardown)
{
    put_a_match();
    review->why = MATCH_LEAVE;
    match_review_sum(review);
    for (int s = 0; s < 2; s++)
        assert_true(review->player[s].play == 0 && review->player[s].cards == 0);
    assert_near(review->player[0].accuracy, 0.75f);
}

TEST_WITH(without_a_choice_nothing_was_lost, setup, teardown)
{
    match_review_sum(review);
    assert_near(review->player[0].accuracy, 1);
    assert_near(review->player[0].play, 0);
    assert_near(review->player[0].cards, 0);
    assert_int_equal(review->n_moments, 0);
    assert_int_equal(review->turning, -1);
}

TEST_WITH(moments_are_the_greatest_losses_in_the_order_of_play, setup, teardown)
{
    static const float loss[] = {0.009f, 0.05f, 0.02f, 0.3f, 0.04f, 0};
    for (size_t i = 0; i < sizeof loss / sizeof *loss; i++)
        put_line((int)i % 2, loss[i], 0.5f);
    match_review_sum(review);
    assert_int_equal(review->n_moments, 3);
    assert_int_equal(review->moment[0], 1);
    assert_int_equal(review->moment[1], 3);
    assert_int_equal(review->moment[2], 4);
    review->at[3].loss = review->at[4].loss = 0.005f; /* less than a hundredth is no moment */
    match_review_sum(review);
    assert_int_equal(review->n_moments, 2);
    assert_int_equal(review->moment[1], 2);
}

TEST_WITH(the_match_turned_in_the_round_of_the_greatest_change, setup, teardown)
{
    put_round(0.5f, 0.5f, 0);
    put_round(0.6f, 0.4f, 0);
    put_round(0.2f, 0.8f, 0);
    review->winner = 1; /* from 0.8 to 1 */
    match_review_sum(review);
    assert_int_equal(review->turning, 1);
    assert_near(match_review_after(review, 1, 1), 0.8f);
    assert_near(match_review_after(review, 2, 1), 1);
    review->winner = 0; /* from 0.2 to 1 */
    match_review_sum(review);
    assert_int_equal(review->turning, 2);
    review->why = MATCH_LEAVE; /* the last round was not played to its end */
    match_review_sum(review);
    assert_int_equal(review->turning, 1);
}
