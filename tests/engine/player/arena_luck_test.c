/* The luck that the arena takes out: against answers counted out to the last card, where it must
 * not move the mean, and where it must narrow it. And the sequential test, on scores of a known
 * mean. */
#include "test.h"
#include "arena_luck.h"
#include "arena_match.h"
#include "positions.h"
#include "presets.h"
#include "search_policy.h"
#include "sprt.h"
#include "stride.h"

#include <math.h>
#include <string.h>

/* ---- A known answer -------------------------------------------------------------------------- */

/* Two unequal players whose moves follow from what they see: seat 0 plays the tuned policy, seat 1
 * its first legal move; nobody calls koi-koi. */
static struct move choice(const struct ruleset *g, const struct round *r)
{
    struct move moves[MAX_MOVES];
    int n = round_legal(g, r, r->turn, moves);
    if (r->phase == PHASE_DECIDE)
        return moves[n - 1];
    return moves[r->turn == 0 ? policy_pick(g, &policy_tuned, r, moves, n) : 0];
}

/* What a finished round is worth to seat 0. */
static struct luck worth_of(const struct luck_meter *l, const struct round *r)
{
    int winner = r->result.winner, points = r->result.points;
    return (struct luck){.win = (double)stakes_of(&l->stakes, winner, points),
                         .points = winner < 0    ? 0
                                   : winner == 0 ? points
                                                 : -points};
}

/* The mean over all orders of the stock, counted out. */
static struct luck exact(const struct ruleset *g, const struct luck_meter *l, const struct round *r)
{
    struct luck sum = {0};
    if (r->phase == PHASE_OVER)
        return worth_of(l, r);
    struct move move = choice(g, r);
    int cards = move.kind == MOVE_PLAY ? N_CARDS - r->next : 1;
    for (int i = 0; i < cards; i++) {
        struct round next = *r;
        uint8_t card = next.deck[next.next + i];
        next.deck[next.next + i] = next.deck[next.next];
        next.deck[next.next] = card;
        round_apply(g, &next, next.turn, move, NULL);
        struct luck one = exact(g, l, &next);
        sum.win += one.win / cards;
        sum.points += one.points / cards;
    }
    return sum;
}

/* One round from here by a random order of the stock, and what luck says of it. */
static struct luck one_round(const struct ruleset *g, const struct match *m, struct rng *rng,
                             struct luck_meter *l)
{
    struct match now = *m;
    uint8_t *stock = now.round.deck + now.round.next;
    rng_shuffle(rng, stock, N_CARDS - now.round.next);
    l->sum = (struct luck){0};
    while (now.round.phase != PHASE_OVER) {
        struct move move = choice(g, &now.round);
        luck_play(l, &now, now.round.turn, move);
        round_apply(g, &now.round, now.round.turn, move, NULL);
    }
    return worth_of(l, &now.round);
}

/* A round in which both hold two cards and seat 0 begins the last turns; the stock has twelve. */
static bool near_the_end(const struct ruleset *g, uint64_t seed, struct match *ret)
{
    for (int moves = 12; moves < 24; moves++)
        if (position(g, 2, seed, moves, ret) && ret->round.phase == PHASE_HAND &&
            ret->round.turn == 0 && set_count(ret->round.hand[0]) == 2 &&
            set_count(ret->round.hand[1]) == 2)
            return true;
    return false;
}

static void close_to(const struct sample *s, double want, const char *what)
{
    double error = sqrt(sample_variance(s) / s->n) + 1e-9;
    if (fabs(sample_mean(s) - want) > 4 * error)
        fail_msg("%s: %.4f, counted out it is %.4f, standard error %.4f", what, sample_mean(s),
                 want, error);
}

static void a_known_answer(int which, uint64_t first_seed)
{
    enum { POSITIONS = 3, WORLDS = 24 };
    const int rounds = stride(250, 1500);
    const struct ruleset *g = preset(which);
    struct rng rng = rng_seed(77);
    double raw = 0, fair = 0;
    uint64_t seed = first_seed;
    for (int k = 0; k < POSITIONS; seed++) {
        struct sample won = {0}, left = {0}, points = {0}, fair_points = {0};
        struct luck_meter l;
        struct match m;
        if (!near_the_end(g, seed, &m))
            continue;
        luck_start(&l, g, 0, WORLDS, seed);
        luck_round(&l, &m);
        struct luck want = exact(g, &l, &m.round);
        for (int i = 0; i < rounds; i++) {
            struct luck came = one_round(g, &m, &rng, &l);
            sample_add(&won, came.win);
            sample_add(&left, came.win - l.sum.win);
            sample_add(&points, came.points);
            sample_add(&fair_points, came.points - l.sum.points);
        }
        close_to(&won, want.win, "wins");
        close_to(&left, want.win, "wins without luck");
        close_to(&points, want.points, "points");
        close_to(&fair_points, want.points, "points without luck");
        raw += sample_variance(&won);
        fair += sample_variance(&left);
        k++;
    }
    assert_true(fair < 0.6 * raw);
}

TEST(without_luck_the_mean_is_the_one_counted_out)
{
    a_known_answer(PRESET_STANDARD, 1);
    a_known_answer(PRESET_CONSOLE, 900);
}

/* The same player on both seats wins half, and luck of both seats is opposite. */
TEST(equal_players_are_equal)
{
    struct arena_level l = {LEVEL_NORMAL, {.visits = 1}};
    struct arena_player a = {.name = "a", .pick = arena_level_pick, .self = &l}, b = a;
    const struct arena_terms terms = {.pairs = stride(16, 40), .seed = 11, .worlds = 24};
    struct arena_table t;
    arena_duel(preset(PRESET_STANDARD), &a, &b, &terms, &t);
    assert_true(t.win_rate == 0.5);
    assert_true(fabs(t.fair_rate - 0.5) < 2 * t.fair_interval);
    assert_true(fabs(t.fair_points) < 2 * t.fair_points_interval);
}

/* ---- The sequential test --------------------------------------------------------------------- */

/* Scores of pairs 0, 1/4 ... 1 with this mean, until the test is settled. */
static enum sprt settle(struct rng *rng, double mean, double *ret_pairs)
{
    enum sprt is = SPRT_GOES_ON;
    struct sample s = {0};
    while (is == SPRT_GOES_ON) {
        double x = 0;
        for (int i = 0; i < 4; i++)
            x += (double)rng_fraction(rng) < mean ? 0.25 : 0;
        sample_add(&s, x);
        is = sprt_verdict(&s, 0.50, 0.55, 0.05);
    }
    *ret_pairs += s.n;
    return is;
}

TEST(wrong_verdicts_are_as_rare_as_promised)
{
    enum { RUNS = 400 };
    struct rng rng = rng_seed(5);
    double pairs[4] = {0};
    int high[4] = {0};
    static const double means[4] = {0.50, 0.55, 0.45, 0.60};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < RUNS; i++)
            high[k] += settle(&rng, means[k], &pairs[k]) == SPRT_HIGH;
    assert_in_range(high[0], 0, RUNS * 8 / 100); /* 5 %, and what chance adds in 400 runs */
    assert_in_range(high[1], RUNS * 92 / 100, RUNS);
    assert_in_range(high[2], 0, 2);
    assert_in_range(high[3], RUNS - 2, RUNS);
    assert_true(pairs[2] < pairs[0] && pairs[3] < pairs[1]); /* clear cases end sooner */
}

TEST(few_or_equal_scores_settle_nothing)
{
    struct sample s = {0};
    for (int i = 0; i < SPRT_LEAST - 1; i++) {
        sample_add(&s, i & 1 ? 1 : 0.9);
        assert_int_equal(sprt_verdict(&s, 0.5, 0.55, 0.05), SPRT_GOES_ON);
    }
    sample_add(&s, 1);
    assert_int_equal(sprt_verdict(&s, 0.5, 0.55, 0.05), SPRT_HIGH);
    struct sample same = {0};
    for (int i = 0; i < 100; i++)
        sample_add(&same, 0.5);
    assert_int_equal(sprt_verdict(&same, 0.5, 0.55, 0.05), SPRT_GOES_ON);
}

TEST(a_duel_ends_when_the_test_is_settled)
{
    struct arena_level l[2] = {{LEVEL_NORMAL, {.visits = 1}}, {LEVEL_BEGINNER, {.visits = 1}}};
    struct arena_player a = {.name = "a", .pick = arena_level_pick, .self = &l[0]};
    struct arena_player b = {.name = "b", .pick = arena_level_pick, .self = &l[1]};
    struct arena_terms terms = {.pairs = 200, .seed = 3, .low = 0.5, .high = 0.6};
    struct arena_table t;
    arena_duel(preset(PRESET_STANDARD), &a, &b, &terms, &t);
    assert_int_equal(t.verdict, SPRT_HIGH);
    assert_int_equal(t.matches, 2 * SPRT_LEAST);
    arena_duel(preset(PRESET_STANDARD), &b, &a, &terms, &t);
    assert_int_equal(t.verdict, SPRT_LOW);
    terms.low = terms.high = 0;
    terms.pairs = SPRT_LEAST + 5;
    arena_duel(preset(PRESET_STANDARD), &a, &b, &terms, &t);
    assert_int_equal(t.verdict, SPRT_GOES_ON);
    assert_int_equal(t.matches, 2 * terms.pairs);
}
