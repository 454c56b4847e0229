/* Residuals: their features are complete and those of the table after the move, they are nothing
 * where nothing follows or nothing was learned, and the search adds them as they are. */
#include "search_residual.h"
#include "nets.h"
#include "positions.h"
#include "presets.h"
#include "search_level.h"

#include <stdarg.h>
#include <setjmp.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static bool seen(int which, uint64_t seed, struct match *ret_match, struct view *ret)
{
    if (!position(preset(which), 2, seed, (int)(seed % 14), ret_match))
        return false;
    view_of(preset(which), ret_match, ret_match->round.turn, ret);
    return true;
}

static bool goes_on(struct move m)
{
    return m.kind == MOVE_PLAY || m.kind == MOVE_CHOOSE || m.kind == MOVE_KOIKOI;
}

static void features_are_complete_and_unique(void **state)
{
    uint16_t feature[MAX_RESIDUAL_FEATURES];
    int asked = 0;

    (void)state;
    for (int p = 0; p < N_PRESETS; p++)
        for (uint64_t seed = 0; seed < 40; seed++) {
            struct match m;
            struct view v;
            if (!seen(p, seed, &m, &v))
                continue;
            for (int i = 0; i < v.n_legal; i++) {
                bool there[N_RESIDUAL_FEATURES] = {false};
                int n = residual_features(preset(p), &v, v.legal[i], feature);
                if (!goes_on(v.legal[i])) {
                    assert_int_equal(n, 0);
                    continue;
                }
                assert_int_equal(n, N_CARDS + 2 * 8 + 5 + (v.dealer == (uint8_t)v.seat));
                for (int k = 0; k < n; k++) {
                    assert_true(feature[k] < N_RESIDUAL_FEATURES && !there[feature[k]]);
                    there[feature[k]] = true;
                }
                asked++;
            }
        }
    assert_true(asked > 400);
}

/* The cards lie where the move leaves them: with the engine's own move from a deck without its next
 * card, as features know nothing of the draw. */
static void cards_lie_where_the_move_leaves_them(void **state)
{
    uint16_t after[MAX_RESIDUAL_FEATURES], table[MAX_CALL_FEATURES];
    int compared = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct match m;
        struct view v;
        if (!seen(PRESET_STANDARD, seed, &m, &v) || m.round.phase != PHASE_HAND)
            continue;
        int me = v.seat, other = 1 - me;
        for (int i = 0; i < v.n_legal; i++) {
            struct round r = m.round;
            if (v.legal[i].kind != MOVE_PLAY)
                continue;
            r.next = N_CARDS; /* nothing to draw */
            assert_int_equal(round_apply(preset(PRESET_STANDARD), &r, me, v.legal[i], NULL), LEGAL);
            const struct call_sight at = {.hand = r.hand[me],
                                          .field = r.field,
                                          .own = r.taken[me],
                                          .other = r.taken[other],
                                          .called = r.koikoi[me] > 0,
                                          .calls = r.koikoi[me],
                                          .other_calls = r.koikoi[other],
                                          .base = r.last_decision[me].base,
                                          .other_base = r.last_decision[other].base};
            int n = call_table_features(preset(PRESET_STANDARD), &at, table);
            assert_true(residual_features(preset(PRESET_STANDARD), &v, v.legal[i], after) > n);
            assert_memory_equal(after, table, sizeof *table * (size_t)n);
            compared++;
        }
    }
    assert_true(compared > 100);
}

static void only_rules_and_tables_learned_from_have_residuals(void **state)
{
    struct rules r = presets[PRESET_STANDARD];
    struct ruleset g;

    (void)state;
    for (int p = 0; p < N_PRESETS; p++) {
        const struct residual_net *net = residual_net_for(preset(p), 2);
        assert_int_equal(net != NULL, p == PRESET_STANDARD || p == PRESET_CONSOLE);
        assert_true(net == NULL || net->learned_from == net_rules_hash(&presets[p]));
        assert_null(residual_net_for(preset(p), 3));
    }
    r.yaku[YAKU_KASU]++;
    ruleset_make(&r, &g);
    assert_null(residual_net_for(&g, 2));
}

/* The same playouts without and with residuals: the worth of each move differs by its residual, that
 * of a stop not at all. */
static void the_search_adds_the_residual_of_each_move(void **state)
{
    struct habits with = habits[LEVEL_MASTER], without;
    const struct residual_net *net = residual_net_for(preset(PRESET_STANDARD), 2);
    const struct budget budget = {.visits = 400};
    int compared = 0, stops = 0;
    float residual[MAX_MOVES];

    (void)state;
    with.weighs = false;
    without = with;
    without.residual = false;
    for (uint64_t seed = 0; seed < 120; seed++) {
        struct advice plain, more;
        struct match m;
        struct view v;
        if (!seen(PRESET_STANDARD, seed, &m, &v))
            continue;
        search_as(preset(PRESET_STANDARD), &v, &without, &budget, seed, &plain);
        search_as(preset(PRESET_STANDARD), &v, &with, &budget, seed, &more);
        residuals(net, preset(PRESET_STANDARD), &v, residual);
        for (int i = 0; i < v.n_legal; i++) {
            if (v.legal[i].kind == MOVE_STOP) {
                assert_true(residual[i] == 0);
                stops++;
            }
            if (plain.at[i].visits != more.at[i].visits)
                continue; /* dropped out at another time */
            assert_true(fabsf(more.at[i].value - plain.at[i].value - residual[i]) < 0.001f);
            compared++;
        }
    }
    assert_true(compared > 100 && stops > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_are_complete_and_unique),
        cmocka_unit_test(cards_lie_where_the_move_leaves_them),
        cmocka_unit_test(only_rules_and_tables_learned_from_have_residuals),
        cmocka_unit_test(the_search_adds_the_residual_of_each_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
