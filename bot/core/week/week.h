/* Week: what a chat reads on Monday, if it wants: who won most matches in the seven days before, and
 * its people who solve puzzles and play duels, with their days in a row. All of it follows from rows
 * that other features keep. */
#ifndef KOIKOI_WEEK_H
#define KOIKOI_WEEK_H

#include "text.h"
#include "world.h"

/* Of the seven days; place: from 1, shared by equals. */
struct week_player {
    int64_t place, won, drawn, lost, points;
    int64_t best;         /* points of the dearest round won; 0: none */
    struct str best_hand; /* by hand_won_write() */
    struct str name;
};
/* Of a person in what comes daily: days so far, and days in a row up to the last that is over. */
struct day_run {
    int64_t days, run;
};
enum { MAX_RUNS = 4 };
struct week_solver {
    struct day_run of[MAX_RUNS];
    struct str name;
};
struct week_facts {
    int n_players, n_solvers;
    const struct week_player *player; /* best first */
    const struct week_solver *solver; /* longest runs first */
    int n_runs;
    enum text run_head[MAX_RUNS];
};

#endif
