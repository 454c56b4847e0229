/* What finished matches leave behind, over a store: results and ratings (inbox_results.c,
 * inbox_rating.c), the scoreboard of a chat and its seasons (inbox_season.c), figures of people
 * (inbox_figures.c).
 *
 *     results_add(store, arena, rows, n)               a match has ended: its rows of one chat
 *     results_recount(store)                           all sums and ratings anew
 *     season_now(&settings, now)                       key, end and zone of the running season
 *     season_table_load(store, arena, &asked)          one page of a table, as /board shows it
 *     season_table_close(...)                          a season has ended: its table is kept
 *     figures_load(store, arena, &asked)               one person, as /stats shows them
 *
 * Rows of matches (store_played.h) are the facts; everything else is counted from them in their
 * order, by one function, so that counting anew gives the same. Ratings are Glicko-2
 * (bot/core/rating), one period a match. */
#ifndef KOIKOI_INBOX_RESULTS_H
#define KOIKOI_INBOX_RESULTS_H

#include "chat_settings.h"
#include "rating.h"
#include "seasons.h"
#include "store_played.h"
#include "store_rating.h"
#include "store_season.h"

enum { RESULT_SEATS = 3, BOARD_ROWS = 10, HISTORY_ROWS = 6, MET_ROWS = 8 };

/* ---- a match ---- */

/* What a match did to the ratings, by seat. */
struct results_news {
    bool rated;
    bool over_limit; /* the pair had RATED_PAIR_DAY rated matches that day */
    struct rating rating[RESULT_SEATS];
};
/* Completes rows[].rated, stores the rows and counts them. n: seats, 2 or 3, in order. */
struct results_news results_add(struct store *s, struct arena *a, struct played *rows, int n);
/* Empties what was counted of the first chat above *chat (-1: of all) and counts its rows again, in
 * the caller's transaction; sets *chat to it and adds its matches. Returns false if there is none. */
bool results_recount_step(struct store *s, int64_t *chat, int64_t *matches);
/* The same for all chats. Returns the number of matches, once for each of their chats. */
int64_t results_recount(struct store *s);

/* 2 if one did better than the other in their match, 1 if as well, 0 if worse. */
int rating_halves(const struct played *one, const struct played *other);
/* Counts the rows of one match in one chat. All its games are one rating period: everybody's new
 * rating follows from the old ones. */
struct results_news rating_count(struct store *s, struct arena *a, const struct played *rows,
                                 int n);
/* The rating of a person as it is at `now` in a season. Returns false if they have none. */
bool rating_of(struct store *s, struct arena *a, int64_t chat, int64_t who, struct str season,
               int64_t now, struct rating *ret);

/* ---- a season ---- */

struct season_running {
    struct season_key key;
    int64_t ends;   /* unix ms; INT64_MAX: when an admin ends it */
    int32_t offset; /* of the chat's zone, now */
};
struct season_running season_now(const struct chat_settings *settings, int64_t now);
/* The end by the clock of the zone as it is then: daylight saving may begin or end before. */
int64_t season_end_in(struct str zone, const struct season_key *key);
/* Of all chats together: quarters of UTC. */
struct season_running season_everywhere(int64_t now);
struct season_due season_due_of(int64_t chat, const struct season_running *now, struct str season);

/* Order of a table: matches won; among those level the matches between them; the difference of
 * points; fewer matches lost. People who are level in all of it share a place. */
struct season_asked {
    int64_t chat, asker;            /* asker: a person, 0 unknown */
    struct season_key key, running; /* running: the chat's, by which ratings rest */
    int64_t ends, now;              /* ends: of key, as in season_running */
    int page;                       /* from 0; one beyond the last is the last */
};
struct board_facts season_table_load(struct store *s, struct arena *a,
                                     const struct season_asked *asked);
/* A row of the store as it is shown, without its rating. */
struct stand season_stand(const struct standing *s);
/* Places of n persons in the running table, from 1; 0: not in it. */
void season_table_places(struct store *s, struct arena *a, int64_t chat, struct str season, int n,
                         const int64_t *person, int64_t *ret);
/* Keeps the table as it is and forgets that the season runs; *ret is its first page. Returns false
 * if no match was played in it, or it is closed already. */
bool season_table_close(struct store *s, struct arena *a, const struct season_asked *asked,
                        struct board_facts *ret);

/* ---- a person ---- */

struct figures_asked {
    int64_t chat; /* EVERY_CHAT: of all chats */
    int64_t who;
    struct str season; /* the running one of that chat */
    int64_t now;
};
struct figures figures_load(struct store *s, struct arena *a, const struct figures_asked *asked);
/* With other > 0 those two alone; else the people they have met most. */
struct versus figures_versus(struct store *s, struct arena *a, const struct figures_asked *asked,
                             int64_t other);
/* Matches with a number below `below`; with other > 0 those of the two alone. */
struct history figures_history(struct store *s, struct arena *a, const struct figures_asked *asked,
                               int64_t other, int64_t below);

#endif
