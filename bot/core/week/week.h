/* Week: what a chat reads on Monday, if it wants: who won most matches in the seven days before, and
 * its people who solve puzzles and play duels, with their days in a row. All of it follows from rows
 * that other features keep. */
#ifndef KOIKOI_WEEK_H
#define KOIKOI_WEEK_H

#include "world.h"

/* Of the seven days; place: from 1, shared by equals. */
struct week_player {
    int64_t place, won, drawn, lost, points;
    int64_t best;         /* points of the dearest round won; 0: none */
    struct str best_hand; /* by hand_won_write() */
    struct str name;
};
/* So far; *_run: days in a row, up to the last day that is over. */
struct week_solver {
    int64_t solved, puzzle_run, duels, duel_run;
    struct str name;
};
struct week_facts {
    int n_players, n_solvers;
    const struct week_player *player; /* best first */
    const struct week_solver *solver; /* longest runs first */
};

#endif
