/* Matches between two computer players on the same deals from both seats, for the arena and the
 * test of the levels. */
#ifndef KOIKOI_TESTS_ARENA_MATCH_H
#define KOIKOI_TESTS_ARENA_MATCH_H

#include "arena_luck.h"
#include "search.h"

/* A player's choice of a move. Returns false if it found no legal move; it forfeits the match
 * then. */
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
    /* The same without luck (arena_luck.h), and points (or coins) a match; as above where
     * arena_terms.worlds is 0. */
    double fair_rate, fair_interval, fair_points, fair_points_interval;
    uint8_t verdict; /* enum sprt, of fair_rate */
};

struct arena_terms {
    int pairs; /* at most */
    uint64_t seed;
    int worlds;       /* playouts for each card that comes; 0: luck is not counted */
    double low, high; /* rates to tell apart by the sequential test; 0, 0: no test */
};

/* Plays one match; player[i] has seat i. `seed` alone decides the deals. meter: counts the luck of
 * its seat; NULL: none. */
void arena_match(const struct ruleset *g, struct arena_player *const *player, uint64_t seed,
                 struct luck_meter *meter, struct match *ret);
/* Plays pairs of matches, the two of a pair on the same deals. */
void arena_duel(const struct ruleset *g, struct arena_player *a, struct arena_player *b,
                const struct arena_terms *terms, struct arena_table *ret);

/* self: a struct arena_level. */
struct arena_level {
    enum level level;
    struct budget budget;
};
arena_pick arena_level_pick;

#endif
