/* Order of the levels: short matches with fixed numbers of playouts, the same on every machine. The
 * arena measures the distances. */
#include "test.h"
#include "arena_match.h"
#include "positions.h"
#include "plain_player.h"
#include "presets.h"
#include "stride.h"

#include <string.h>

static struct arena_table meet(enum level low, enum level high, int pairs, uint32_t visits)
{
    struct arena_level l[2] = {{low, {.visits = visits}}, {high, {.visits = visits}}};
    struct arena_player a = {.name = "low", .pick = arena_level_pick, .self = &l[0]};
    struct arena_player b = {.name = "high", .pick = arena_level_pick, .self = &l[1]};
    struct arena_table t;
    arena_duel(preset(PRESET_STANDARD), &a, &b, &(struct arena_terms){.pairs = pairs, .seed = 7},
               &t);
    assert_int_equal(t.wins + t.draws + t.losses, 2 * pairs);
    assert_int_equal(t.forfeits, 0);
    return t;
}

TEST(each_level_beats_the_one_below)
{
    assert_true(meet(LEVEL_BEGINNER, LEVEL_EASY, 16, 20).win_rate < 0.4);
    assert_true(meet(LEVEL_EASY, LEVEL_NORMAL, 16, 20).win_rate < 0.4);
    assert_true(meet(LEVEL_BEGINNER, LEVEL_NORMAL, 12, 20).win_rate < 0.3);
    /* the closest pair: few matches would leave it to chance */
    assert_true(meet(LEVEL_NORMAL, LEVEL_HARD, stride(14, 60), 250).win_rate < 0.45);
    assert_true(meet(LEVEL_EASY, LEVEL_MASTER, stride(1, 6), 500).win_rate < 0.35);
}

/* The same player on both sides: a deal that one side wins, the other wins too. */
TEST(duplicate_deals_cancel_luck)
{
    struct arena_table t = meet(LEVEL_NORMAL, LEVEL_NORMAL, 4, 20);
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

TEST(a_player_without_a_legal_move_forfeits)
{
    struct arena_player a = {.name = "plain", .pick = plays_plain},
                        b = {.name = "bad", .pick = gives_nonsense};
    struct arena_table t;
    arena_duel(preset(PRESET_SENSEI), &a, &b, &(struct arena_terms){.pairs = 2, .seed = 1}, &t);
    assert_int_equal(t.wins, 4);
    assert_int_equal(t.forfeits, 4);
}
