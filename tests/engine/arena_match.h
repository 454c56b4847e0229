/* Matches between two computer players on the same deals from both seats. Used by the arena program
 * and by the test of the levels. */
#ifndef KOIKOI_TESTS_ARENA_MATCH_H
#define KOIKOI_TESTS_ARENA_MATCH_H

#include "search.h"

/* How a player moves. False: it gave no legal move, and forfeits the match. */
typedef bool arena_pick(void *self, const struct ruleset *g, const struct view *v, uint64_t seed,
                        struct move *ret);
struct arena_player {
    const char *name;
    arena_pick *pick;
    void *self;
    double seconds;
    long moves;
};

/* From the first player's side. A draw is half a win. Intervals are half-widths at 95 %, over
 * pairs of matches on the same deals. */
struct arena_table {
    int matches, wins, draws, losses, forfeits;
    long rounds;
    double win_rate, win_interval, points, points_interval; /* points (or coins) a round */
};

/* One match; player[i] sits on seat i. The deals follow from `seed` alone. */
void arena_match(const struct ruleset *g, struct arena_player *const *player, uint64_t seed,
                 struct match *ret);
/* `pairs` times two matches on the same deals. */
void arena_duel(const struct ruleset *g, struct arena_player *a, struct arena_player *b, int pairs,
                uint64_t seed, struct arena_table *ret);

/* self: a struct arena_level. */
struct arena_level {
    enum level level;
    struct budget budget;
};
arena_pick arena_level_pick;

#endif
