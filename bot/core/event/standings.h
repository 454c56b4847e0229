/* A season's table, as /board shows it. Loaded by the inbox before a step. */
#ifndef KOIKOI_STANDINGS_H
#define KOIKOI_STANDINGS_H

#include "rating.h"
#include "season.h"

struct stand {
    int64_t place, person, won, drawn, lost, points;
    int64_t calls, calls_won; /* rounds in which they called koi-koi, and won them */
    int64_t best, longest;    /* points of the dearest round won; matches won in a row */
    struct str best_hand;     /* by hand_won_write() */
    struct str name;
    bool rated;
    struct rating rating;
};
struct champion_seen {
    struct season_key season;
    struct str name;
};
/* One page of a season's table. */
struct board_facts {
    struct season_key season;
    bool open;       /* it has no date for its end */
    int64_t ends;    /* unix ms; 0: it has ended, or it is open */
    int page, pages; /* from 0 */
    int n;
    const struct stand *at;
    const struct stand *own; /* the sender's row if not among `at`, else NULL */
    int64_t asker;
    const struct stand *best, *caller, *run; /* dearest round, most successful koi-koi, most wins in
                                                a row; NULL: none so far */
    int n_champions;                         /* with all matches: of closed seasons, newest first */
    const struct champion_seen *champions;
};

#endif
