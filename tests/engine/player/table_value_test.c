/* Worth of tables after moves: what a net sees, that it adds up, and how one is learned. */
#include "table_value.h"
#include "nets.h"
#include "positions.h"
#include "presets.h"
#include "search_level.h"
#include "search_policy.h"
#include "value_learn.h"
#include "world.h"

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const struct value_net *standard_net(void)
{
    return value_net_for(net_rules_hash(&presets[PRESET_STANDARD]));
}

static bool chooses(const struct round *r, const struct move *moves, int n)
{
    return n > 1 && r->phase != PHASE_DECIDE &&
           (moves[0].kind == MOVE_PLAY || moves[0].kind == MOVE_CHOOSE);
}

static void a_net_belongs_to_the_preset_as_it_is(void **state)
{
    (void)state;
    if (standard_net() == NULL)
        fail_msg("value/nets/standard.inc: learned from other rules: make nets-value");
    assert_null(value_net_for(net_rules_hash(&presets[PRESET_OKOSHKI])));
}

/* The lead counts in the last rounds, to both sides alike, and steps away from 0. */
static void the_match_counts_when_few_rounds_are_left(void **state)
{
    (void)state;
    assert_int_equal(value_context(VALUE_ROUNDS, 30), 0);
    for (int rounds = 0; rounds < VALUE_ROUNDS; rounds++) {
        int level = value_context(rounds, 0), last = level;
        assert_true(level > 0);
        for (int lead = 1; lead <= 100; lead++) {
            int ahead = value_context(rounds, lead), behind = value_context(rounds, -lead);
            assert_true(ahead >= last);
            assert_int_equal(ahead - level, level - behind);
            last = ahead;
        }
        assert_int_equal(last - level, VALUE_LEADS / 2);
        if (rounds > 0)
            assert_int_equal(level - value_context(rounds - 1, 0), VALUE_LEADS);
    }
}

/* Each group has its own range, so that no two features of one table can be the same row. */
static void features_of_groups_do_not_overlap(void **state)
{
    uint16_t low[VALUE_ACTIVE], high[VALUE_ACTIVE] = {0}, f[VALUE_ACTIVE];
    struct move moves[MAX_MOVES];
    long tables = 0;

    (void)state;
    memset(low, 255, sizeof low);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct match m;
        if (!position(preset(PRESET_STANDARD), 2, seed, (int)(seed % 30), &m))
            continue;
        int n = round_legal(preset(PRESET_STANDARD), &m.round, m.round.turn, moves);
        if (moves[0].kind != MOVE_PLAY)
            continue;
        struct value_table t = value_table_of(&m.round, AFTER_A_PLAY);
        value_lay(&t, moves[seed % (uint64_t)n]);
        value_features(preset(PRESET_STANDARD), &t, f);
        tables++;
        for (int i = 0; i < VALUE_ACTIVE; i++) {
            assert_true(f[i] < N_VALUE_FEATURES);
            low[i] = f[i] < low[i] ? f[i] : low[i];
            high[i] = f[i] > high[i] ? f[i] : high[i];
        }
    }
    assert_true(tables > 1000);
    for (int i = 0; i < VALUE_ACTIVE; i++)
        for (int k = 0; k < i; k++)
            assert_true(high[k] < low[i] || high[i] < low[k]);
}

/* The hidden cards exchanged: the same choice. */
static void a_choice_sees_no_hidden_card(void **state)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct rng chance = rng_seed(3);
    struct move moves[MAX_MOVES];
    int compared = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct match m;
        if (!position(g, 2, seed, (int)(seed % 20), &m))
            continue;
        int seat = m.round.turn, n = round_legal(g, &m.round, seat, moves);
        if (!chooses(&m.round, moves, n))
            continue;
        struct match other = other_world(&m, seat, &chance);
        assert_int_equal(value_pick(standard_net(), g, &m.round, 0, moves, n),
                         value_pick(standard_net(), g, &other.round, 0, moves, n));
        compared++;
    }
    assert_true(compared > 100);
}

/* The same table by another way: moves that leave the same cards everywhere are worth the same, so
 * the order in which they are listed decides nothing. */
static void a_choice_does_not_depend_on_the_order_of_moves(void **state)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct move moves[MAX_MOVES], turned[MAX_MOVES];
    int same = 0, compared = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct match m;
        if (!position(g, 2, seed, (int)(seed % 20), &m))
            continue;
        int n = round_legal(g, &m.round, m.round.turn, moves);
        if (!chooses(&m.round, moves, n))
            continue;
        for (int i = 0; i < n; i++)
            turned[i] = moves[n - 1 - i];
        int a = value_pick(standard_net(), g, &m.round, 0, moves, n),
            b = n - 1 - value_pick(standard_net(), g, &m.round, 0, turned, n);
        compared++;
        same += a == b || (card_month(moves[a].card) == card_month(moves[b].card) &&
                           card_kind(moves[a].card) == card_kind(moves[b].card));
    }
    assert_true(compared > 100);
    assert_int_equal(same, compared);
}

/* No sum can overflow, whatever table comes: the rows of a table, then the second layer. */
static void sums_stay_in_range(void **state)
{
    const struct value_net *net = standard_net();
    int64_t most = INT16_MAX / (VALUE_ROW_UNIT / VALUE_HIDDEN_UNIT);

    (void)state;
    for (int i = 0; i < N_VALUE_FEATURES; i++)
        for (int k = 0; k < VALUE_HIDDEN; k++)
            assert_in_range(net->row[net->row_of[i]].hidden[k] + VALUE_MOST_ROW, 0,
                            2 * VALUE_MOST_ROW);
    for (int j = 0; j < VALUE_SECOND; j++) {
        int64_t sum = net->bias[j] < 0 ? -net->bias[j] : net->bias[j];
        for (int k = 0; k < VALUE_HIDDEN; k++)
            sum += most * (net->second[j][k] < 0 ? -net->second[j][k] : net->second[j][k]);
        assert_true(sum <= INT32_MAX);
    }
}

/* Over the policy, both with its way to call koi-koi: deals from both seats. */
static void the_net_plays_better_than_the_hand_made_policy(void **state)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct rng chance = rng_seed(11);
    struct move moves[MAX_MOVES];
    uint8_t deck[N_CARDS];
    int sum = 0;

    (void)state;
    for (int i = 0; i < 600; i++) {
        int dealer = (i / 2) & 1, mine = i & 1;
        struct round r;
        if (mine == 0)
            deck_by_chance(&chance, deck);
        round_deal(g, 2, dealer, deck, &r, NULL);
        while (r.phase != PHASE_OVER) {
            int n = round_legal(g, &r, r.turn, moves), pick;
            if (r.turn != mine)
                pick = policy_pick(g, habits[LEVEL_NORMAL].policy, &r, moves, n);
            else if (chooses(&r, moves, n))
                pick = value_pick(standard_net(), g, &r, 0, moves, n);
            else
                pick = policy_pick(g, &policy_tuned, &r, moves, n);
            round_apply(g, &r, r.turn, moves[pick], NULL);
        }
        if (r.result.winner >= 0)
            sum += r.result.winner == mine ? r.result.points : -r.result.points;
    }
    assert_true(sum > 0);
}

/* ---- Learning -------------------------------------------------------------------------------- */

/* Steps towards targets of two tables bring both there. */
static void steps_lead_to_the_targets(void **state)
{
    static struct value_learned l;
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct rng chance = rng_seed(1);
    uint16_t f[2][VALUE_ACTIVE];
    const float target[2] = {3, -2};
    struct value_sums sums;

    (void)state;
    value_learn_begin(g, &chance, &l);
    for (int i = 0; i < 2; i++) {
        struct match m;
        match_dealt(g, &chance, i, &m);
        struct value_table t = value_table_of(&m.round, AFTER_A_PLAY);
        value_learned_features(g, &t, f[i]);
    }
    for (int i = 0; i < 4000; i++)
        value_learn(&l, f[i & 1], target[i & 1], 0.002f, true);
    value_sums_of(&l.weights, f[0], &sums);
    for (int i = 0; i < 2; i++)
        assert_true(fabsf(value_worth_of(&l.weights, &sums, f[0], f[i]) - target[i]) < 0.3f);
}

/* In the last round of a match what wins it counts, not by how much. */
static void results_count_as_they_decide_the_match(void **state)
{
    static struct value_learned l;
    struct rng chance = rng_seed(1);
    const struct value_terms last = {.rounds = 0, .lead = -5}, plainly = {.rounds = VALUE_ROUNDS};

    (void)state;
    value_learn_begin(preset(PRESET_STANDARD), &chance, &l);
    assert_true(value_of_result(&plainly, 0, 7) == 7);
    assert_true(value_of_result(&plainly, 1, -7) == -7);
    assert_true(value_of_result(&last, 0, 0) == 0);
    assert_true(value_of_result(&last, 0, 4) == 0);
    assert_true(value_of_result(&last, 0, 6) > 0);
    assert_true(value_of_result(&last, 0, 6) == value_of_result(&last, 0, 40));
    assert_true(value_of_result(&last, 1, -6) == -value_of_result(&last, 0, 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_net_belongs_to_the_preset_as_it_is),
        cmocka_unit_test(the_match_counts_when_few_rounds_are_left),
        cmocka_unit_test(features_of_groups_do_not_overlap),
        cmocka_unit_test(a_choice_sees_no_hidden_card),
        cmocka_unit_test(a_choice_does_not_depend_on_the_order_of_moves),
        cmocka_unit_test(sums_stay_in_range),
        cmocka_unit_test(the_net_plays_better_than_the_hand_made_policy),
        cmocka_unit_test(steps_lead_to_the_targets),
        cmocka_unit_test(results_count_as_they_decide_the_match),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
