/* The levels among themselves: short matches with fixed numbers of playouts, so that the same
 * happens on every machine. The arena measures how far apart they are; here it is only that they
 * are in order. */
#include "arena_match.h"
#include "positions.h"
#include "plain_player.h"
#include "presets.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct arena_table meet(enum level low, enum level high, int pairs, uint32_t visits)
{
    struct arena_level l[2] = {{low, {.visits = visits}}, {high, {.visits = visits}}};
    struct arena_player a = {.name = "low", .pick = arena_level_pick, .self = &l[0]};
    struct arena_player b = {.name = "high", .pick = arena_level_pick, .self = &l[1]};
    struct arena_table t;

    arena_duel(preset(PRESET_STANDARD), &a, &b, pairs, 7, &t);
    assert_int_equal(t.wins + t.draws + t.losses, 2 * pairs);
    assert_int_equal(t.forfeits, 0);
    return t;
}

static void each_level_beats_the_one_below(void **state)
{
    (void)state;
    assert_true(meet(LEVEL_BEGINNER, LEVEL_EASY, 16, 20).win_rate < 0.4);
    assert_true(meet(LEVEL_EASY, LEVEL_NORMAL, 16, 20).win_rate < 0.4);
    assert_true(meet(LEVEL_BEGINNER, LEVEL_NORMAL, 12, 20).win_rate < 0.3);
    assert_true(meet(LEVEL_NORMAL, LEVEL_HARD, 12, 250).win_rate < 0.45);
    assert_true(meet(LEVEL_EASY, LEVEL_MASTER, 6, 500).win_rate < 0.35);
}

/* The same player on both sides: what one wins on a deal the other wins on it too. */
static void duplicate_deals_cancel_luck(void **state)
{
    struct arena_table t = meet(LEVEL_NORMAL, LEVEL_NORMAL, 4, 20);

    (void)state;
    assert_true(t.win_rate == 0.5);
    assert_true(t.points == 0);
}

static bool gives_nonsense(void *self, const struct ruleset *g, const struct view *v, uint64_t seed,
                           struct move *ret)
{
    (void)self;
    (void)g;
    (void)v;
    (void)seed;
    *ret = (struct move){.kind = MOVE_KOIKOI, .card = 3, .take = 1};
    return true;
}

static bool plays_plain(void *self, const struct ruleset *g, const struct view *v, uint64_t seed,
                        struct move *ret)
{
    (void)self;
    *ret = plain_player(g, v, 30, seed);
    return true;
}

static void who_gives_no_legal_move_loses(void **state)
{
    struct arena_player a = {.name = "plain", .pick = plays_plain},
                        b = {.name = "bad", .pick = gives_nonsense};
    struct arena_table t;

    (void)state;
    arena_duel(preset(PRESET_SENSEI), &a, &b, 2, 1, &t);
    assert_int_equal(t.wins, 4);
    assert_int_equal(t.forfeits, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_level_beats_the_one_below),
        cmocka_unit_test(duplicate_deals_cancel_luck),
        cmocka_unit_test(who_gives_no_legal_move_loses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
