/* Worth of tables after moves: what a net sees, that it adds up, and how one is learned. */
#include "test.h"
#include "table_value.h"
#include "nets.h"
#include "positions.h"
#include "presets.h"
#include "search_level.h"
#include "search_policy.h"
#include "value_learn.h"
#include "world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The presets with a net. */
static const int learned[] = {PRESET_STANDARD, PRESET_CONSOLE, PRESET_OKOSHKI};
enum { N_LEARNED = sizeof learned / sizeof *learned };

static const struct value_net *net_of(int p)
{
    return value_net_for(net_rules_hash(&presets[p]));
}

static const struct value_net *standard_net(void)
{
    return net_of(PRESET_STANDARD);
}

static bool chooses(const struct round *r, const struct move *moves, int n)
{
    return n > 1 && r->phase != PHASE_DECIDE &&
           (moves[0].kind == MOVE_PLAY || moves[0].kind == MOVE_CHOOSE);
}

static struct value_voids voids_seen(const struct round *r)
{
    return value_voids_of(r->seen, r->n_seen, r->field);
}

TEST(nets_belong_to_the_presets_as_they_are)
{
    for (int i = 0; i < N_LEARNED; i++)
        if (net_of(learned[i]) == NULL)
            fail_msg("nets/%s.net: learned from other rules: make nets-value",
                     presets[learned[i]].name);
    assert_null(net_of(PRESET_SENSEI));
}

/* The lead counts in the last rounds, to both sides alike, and steps away from 0. */
TEST(the_match_counts_when_few_rounds_are_left)
{
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
TEST(features_of_groups_do_not_overlap)
{
    uint16_t low[VALUE_ACTIVE], high[VALUE_ACTIVE] = {0}, f[VALUE_ACTIVE];
    struct move moves[MAX_MOVES];
    long tables = 0;
    memset(low, 255, sizeof low);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct match m;
        if (!position(preset(PRESET_STANDARD), 2, seed, (int)(seed % 30), &m))
            continue;
        int n = round_legal(preset(PRESET_STANDARD), &m.round, m.round.turn, moves);
        if (moves[0].kind != MOVE_PLAY)
            continue;
        struct value_voids voids = voids_seen(&m.round);
        struct value_table t = value_table_of(&m.round, AFTER_A_PLAY, &voids);
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

/* The void months kept move by move are those that the log of moves tells, and only grow. */
TEST(void_months_follow_from_the_moves_seen)
{
    struct rng chance = rng_seed(5);
    struct move moves[MAX_MOVES];
    int grown = 0, called = 0;
    for (int i = 0; i < 100 * N_PRESETS; i++) {
        const struct ruleset *g = preset(i % N_PRESETS);
        struct value_voids voids = {0};
        struct match m;
        match_dealt(g, &chance, i & 1, &m);
        while (m.round.phase != PHASE_OVER) {
            struct value_voids before = voids, seen = voids_seen(&m.round);
            assert_memory_equal(&seen, &voids, sizeof voids);
            int seat = m.round.turn, n = round_legal(g, &m.round, seat, moves);
            struct move made = moves[rng_below(rng_next(&chance), (unsigned)n)];
            value_see(&voids, &m.round, made);
            assert_int_equal(voids.of[1 - seat], before.of[1 - seat]);
            assert_int_equal(before.of[seat] & ~voids.of[seat], 0);
            if (memcmp(&voids, &before, sizeof voids) != 0) {
                assert_int_equal(made.kind, MOVE_PLAY);
                assert_int_equal(m.round.field & ~voids.of[seat], 0);
                grown++;
                called += m.round.koikoi[0] + m.round.koikoi[1] > 0;
            }
            round_apply(g, &m.round, seat, made, NULL);
        }
    }
    assert_true(grown > 600 && called > 10);
}

/* The hidden cards exchanged: the same choice, the same worth, of plays and of calls. */
TEST(a_choice_sees_no_hidden_card)
{
    struct rng chance = rng_seed(3);
    struct move moves[MAX_MOVES];
    int compared[2] = {0};
    for (uint64_t seed = 0; seed < 3000; seed++) {
        int p = learned[seed % N_LEARNED];
        const struct ruleset *g = preset(p);
        struct match m;
        float worth[2] = {0};
        if (!position(g, 2, seed, (int)(seed % 28), &m))
            continue;
        int seat = m.round.turn, n = round_legal(g, &m.round, seat, moves);
        struct match other = other_world(&m, seat, &chance);
        struct value_voids voids = voids_seen(&m.round);
        if (chooses(&m.round, moves, n)) {
            assert_int_equal(
                value_pick(net_of(p), g, &m.round, &voids, 0, moves, n, &worth[0]),
                value_pick(net_of(p), g, &other.round, &voids, 0, moves, n, &worth[1]));
            compared[0]++;
        } else if (m.round.phase == PHASE_DECIDE && n > 1) {
            struct move call = {.kind = MOVE_KOIKOI};
            worth[0] = value_after(net_of(p), g, &m.round, &voids, 0, call);
            worth[1] = value_after(net_of(p), g, &other.round, &voids, 0, call);
            compared[1]++;
        }
        assert_true(worth[0] == worth[1]);
    }
    assert_true(compared[0] > 500 && compared[1] > 20);
}

/* The same table by another way: moves that leave the same cards everywhere are worth the same, so
 * the order in which they are listed decides nothing. */
TEST(a_choice_does_not_depend_on_the_order_of_moves)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct move moves[MAX_MOVES], turned[MAX_MOVES];
    int same = 0, compared = 0;
    float worth;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct match m;
        if (!position(g, 2, seed, (int)(seed % 20), &m))
            continue;
        int n = round_legal(g, &m.round, m.round.turn, moves);
        if (!chooses(&m.round, moves, n))
            continue;
        for (int i = 0; i < n; i++)
            turned[i] = moves[n - 1 - i];
        struct value_voids voids = voids_seen(&m.round);
        int a = value_pick(standard_net(), g, &m.round, &voids, 0, moves, n, &worth),
            b = n - 1 - value_pick(standard_net(), g, &m.round, &voids, 0, turned, n, &worth);
        compared++;
        same += a == b || (card_month(moves[a].card) == card_month(moves[b].card) &&
                           card_kind(moves[a].card) == card_kind(moves[b].card));
    }
    assert_true(compared > 100);
    assert_int_equal(same, compared);
}

/* No sum can overflow, whatever table comes: the rows of a table, then the second layer. */
TEST(sums_stay_in_range)
{
    int64_t most = INT16_MAX / (VALUE_ROW_UNIT / VALUE_HIDDEN_UNIT);
    for (int p = 0; p < N_LEARNED; p++) {
        const struct value_net *net = net_of(learned[p]);
        for (int i = 0; i < N_VALUE_FEATURES; i++)
            for (int k = 0; k < VALUE_HIDDEN; k++)
                assert_in_range(net->rows->row[net->rows->row_of[i]].hidden[k] + VALUE_MOST_ROW, 0,
                                2 * VALUE_MOST_ROW);
        for (int i = 0; i < VALUE_STACKS; i++)
            for (int j = 0; j < VALUE_SECOND; j++) {
                const struct value_layers *s = &net->file->stack[i];
                int64_t sum = s->bias[j] < 0 ? -s->bias[j] : s->bias[j];
                for (int k = 0; k < VALUE_HIDDEN; k++)
                    sum += most * (s->second[j][k] < 0 ? -s->second[j][k] : s->second[j][k]);
                assert_true(sum <= INT32_MAX);
            }
    }
}

/* The fast way over all moves of a position, the way of one move, and that of the trainer in floats
 * agree. */
TEST(all_ways_to_reckon_agree)
{
    static struct value_learned l;
    struct move moves[MAX_MOVES];
    for (int p = 0; p < N_LEARNED; p++) {
        const struct ruleset *g = preset(learned[p]);
        const struct value_net *net = net_of(learned[p]);
        int plays = 0, calls = 0;
        value_learn_begin(g, &(struct rng){1}, &l);
        value_learn_from(net, &l);
        for (uint64_t seed = 0; seed < 3000 && (plays < 200 || calls < 10); seed++) {
            struct match m;
            if (!position(g, 2, seed, (int)(seed % 28), &m))
                continue;
            int n = round_legal(g, &m.round, m.round.turn, moves), context = (int)(seed % 100);
            bool call = m.round.phase == PHASE_DECIDE && n > 1;
            struct value_voids voids = voids_seen(&m.round);
            float most = -1e9f, worth = 0;
            if (!call && !chooses(&m.round, moves, n))
                continue;
            if (call)
                moves[0] = (struct move){.kind = MOVE_KOIKOI}, n = 1;
            int pick = call ? -1 : value_pick(net, g, &m.round, &voids, context, moves, n, &worth);
            for (int i = 0; i < n; i++) {
                struct value_table t =
                    value_table_of(&m.round, value_moment_of(moves[i].kind), &voids);
                uint16_t f[VALUE_ACTIVE];
                struct value_sums sums;
                float x = value_after(net, g, &m.round, &voids, context, moves[i]);
                t.context = context;
                value_make(g, &t, moves[i]);
                value_learned_features(g, &t, f);
                value_sums_of(&l.weights, f, &sums);
                assert_true(fabsf(value_worth_of(&l.weights, &sums, value_stack_of(&t), f, f) - x) <
                            0.3f + fabsf(x) / 100);
                most = x > most ? x : most;
                assert_true(i != pick || x == worth);
            }
            assert_true(call || worth == most);
            plays += !call;
            calls += call;
        }
        assert_true(plays >= 200 && calls >= 10);
    }
}

/* Numbers straight to the result stand at the rows of their features, in a net's own file and in one
 * that shares its rows; and these are still the rows that it was learned with. */
TEST(nets_fit_the_rows_they_share)
{
    static struct value_learned l;
    static int16_t direct[2][N_VALUE_FEATURES + 1];
    int rows = 0;
    value_learn_begin(preset(PRESET_STANDARD), &(struct rng){1}, &l);
    value_learn_from(standard_net(), &l);
    int n = value_direct_numbers(&l.weights, NULL, direct[0]);
    assert_int_equal(value_direct_numbers(&l.weights, standard_net()->rows, direct[1]), n);
    for (int i = 0; i < N_VALUE_FEATURES; i++) {
        int row = standard_net()->rows->row_of[i];
        rows = row > rows ? row : rows;
    }
    assert_int_equal(n, rows + 1);
    for (int i = 0; i < n; i++) {
        assert_int_equal(direct[0][i], standard_net()->file->direct[i]);
        assert_int_equal(direct[1][i], standard_net()->file->direct[i]);
    }
    for (int p = 0; p < N_LEARNED; p++) {
        const struct value_net *net = net_of(learned[p]);
        uint64_t shared = net->file->shared_rows;
        assert_int_equal(net->rows == standard_net()->rows,
                         shared != 0 || learned[p] == PRESET_STANDARD);
        if (shared != 0 && shared != value_rows_fingerprint(net->rows))
            fail_msg("nets/%s.net: learned with other rows of standard: make nets-value",
                     presets[learned[p]].name);
    }
}

/* Over the policy of level normal: deals from both seats. */
TEST(nets_play_better_than_the_hand_made_policy)
{
    struct move moves[MAX_MOVES];
    uint8_t deck[N_CARDS];
    for (int p = 0; p < N_LEARNED; p++) {
        const struct ruleset *g = preset(learned[p]);
        struct rng chance = rng_seed(11);
        int sum = 0;
        for (int i = 0; i < 600; i++) {
            int dealer = (i / 2) & 1, mine = i & 1;
            struct value_voids voids = {0};
            struct round r;
            float worth;
            if (mine == 0)
                deck_by_chance(&chance, deck);
            round_deal(g, 2, dealer, deck, &r, NULL);
            while (r.phase != PHASE_OVER) {
                int n = round_legal(g, &r, r.turn, moves), pick;
                if (r.turn != mine)
                    pick = policy_pick(g, habits[LEVEL_NORMAL].policy, &r, moves, n);
                else if (chooses(&r, moves, n))
                    pick = value_pick(net_of(learned[p]), g, &r, &voids, 0, moves, n, &worth);
                else
                    pick = policy_pick(g, &policy_tuned, &r, moves, n);
                value_see(&voids, &r, moves[pick]);
                round_apply(g, &r, r.turn, moves[pick], NULL);
            }
            if (r.result.winner >= 0)
                sum += r.result.winner == mine ? r.result.points : -r.result.points;
        }
        assert_true(sum > 0);
    }
}

/* ---- Learning -------------------------------------------------------------------------------- */

/* Steps towards targets of two tables bring both there, with or without the hidden units. */
TEST(steps_lead_to_the_targets)
{
    static struct value_learned l;
    static float row[VALUE_HIDDEN];
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct rng chance = rng_seed(1);
    uint16_t f[2][VALUE_ACTIVE];
    const float target[2] = {3, -2};
    struct value_sums sums;
    for (int i = 0; i < 2; i++) {
        struct match m;
        match_dealt(g, &chance, i, &m);
        struct value_table t =
            value_table_of(&m.round, AFTER_A_PLAY, &(struct value_voids){.of = {0}});
        value_learned_features(g, &t, f[i]);
    }
    for (int keep_hidden = 0; keep_hidden < 2; keep_hidden++) {
        value_learn_begin(g, &chance, &l);
        memcpy(row, l.weights.row[f[0][0]], sizeof row);
        for (int i = 0; i < 4000; i++)
            value_learn(&l, f[i & 1], 3, target[i & 1], 0.002f, keep_hidden);
        assert_int_equal(memcmp(row + 1, l.weights.row[f[0][0]] + 1, sizeof row - sizeof *row) == 0,
                         keep_hidden);
        value_sums_of(&l.weights, f[0], &sums);
        for (int i = 0; i < 2; i++)
            assert_true(fabsf(value_worth_of(&l.weights, &sums, 3, f[0], f[i]) - target[i]) < 0.3f);
    }
}

/* In the last round of a match what wins it counts, not by how much. */
TEST(results_count_as_they_decide_the_match)
{
    static struct value_learned l;
    struct rng chance = rng_seed(1);
    const struct value_terms last = {.rounds = 0, .lead = -5}, plainly = {.rounds = VALUE_ROUNDS};
    value_learn_begin(preset(PRESET_STANDARD), &chance, &l);
    assert_true(value_of_result(&plainly, 0, 7) == 7);
    assert_true(value_of_result(&plainly, 1, -7) == -7);
    assert_true(value_of_result(&last, 0, 0) == 0);
    assert_true(value_of_result(&last, 0, 4) == 0);
    assert_true(value_of_result(&last, 0, 6) > 0);
    assert_true(value_of_result(&last, 0, 6) == value_of_result(&last, 0, 40));
    assert_true(value_of_result(&last, 1, -6) == -value_of_result(&last, 0, 6));
}
