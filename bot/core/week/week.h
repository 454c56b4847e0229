/* Week: what a chat reads on Monday, if it wants: who won most matches in the seven days before, and
 * its people who solve puzzles and play duels, with their days in a row. All of it follows from rows
 * that other features keep. */
#ifndef KOIKOI_WEEK_H
#define KOIKOI_WEEK_H

#include "seasons.h"

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
    const struct stand *player;       /* of the seven days, best first */
    const struct week_solver *solver; /* longest runs first */
    int n_runs;
    enum text run_head[MAX_RUNS];
};

#endif
