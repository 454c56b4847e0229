/* Seasons in the store: sums of results by chat, season and person, the scoreboard of a chat; and
 * the tables of seasons that were closed. See store.h.
 *
 * Results are stored by handle and summed by person when they are read. */
#ifndef KOIKOI_STORE_SEASON_H
#define KOIKOI_STORE_SEASON_H

#include "adapter.h"
#include "rows.h"
#include "tally.h"

struct store;

/* A handle's sums of a season. best_hand is that of the dearest round won, worth `best`; streak
 * counts the wins up to the last match, longest the most in a row. */
struct result_row {
    int64_t chat, account;
    struct str season;
    int64_t person;
    struct tally tally;
    int64_t best, streak, longest;
    struct str best_hand;
};
struct standing {
    int64_t person;
    struct str name;
    struct tally tally;
    int64_t place; /* from 1; equals share one */
    int64_t best, streak, longest;
    struct str best_hand;
};
ROW_LIST(standings, struct standing);

/* Of a handle; zeros if it has none. */
struct result_row store_result(struct store *s, struct arena *a, int64_t chat, struct str season,
                               int64_t handle);
void store_set_result(struct store *s, const struct result_row *row);
/* By person, in order of matches won, points, fewer matches lost; at most `most`. */
struct standings store_standings(struct store *s, struct arena *a, int64_t chat, struct str season,
                                 int most);
/* The same of the matches on days `from` ... `to` - 1 of the chat, but for casual ones, without runs;
 * without banned people. */
struct standings store_standings_of_days(struct store *s, struct arena *a, int64_t chat,
                                         int64_t from, int64_t to, int most);
/* The person's row alone. */
const struct standing *store_standing(struct store *s, struct arena *a, int64_t chat,
                                      struct str season, int64_t person);

/* ---- one against another ---- */

struct pairing {
    int64_t other;
    struct str name;
    struct tally tally; /* won, drawn, lost, points */
};
ROW_LIST(pairings, struct pairing);
void store_add_pairing(struct store *s, int64_t chat, struct str season, int64_t handle,
                       int64_t other, struct tally add);
/* Of a person, by the other person, most matches first; with other > 0 that one alone. */
struct pairings store_pairings(struct store *s, struct arena *a, int64_t chat, struct str season,
                               int64_t who, int64_t other, int most);

/* ---- seasons that run, and that have ended ---- */

struct season_due {
    int64_t chat, due;
    struct str season;
};
/* Notes that the season has results; changes `due` if it is noted. */
void store_open_season(struct store *s, const struct season_due *season);
void store_drop_season(struct store *s, int64_t chat, struct str season);
/* The open season that ends first, if it is due by `now`. */
const struct season_due *store_season_due(struct store *s, struct arena *a, int64_t now);

struct season_row {
    int64_t chat, account;
    struct str season;
    int64_t row, closed, rating, deviation;
    struct standing s; /* without its streak and some of its sums; name: the person's when read */
};
ROW_LIST(season_rows, struct season_row);
void store_add_season_row(struct store *s, const struct season_row *row);
struct season_rows store_season_rows(struct store *s, struct arena *a, int64_t chat,
                                     struct str season);

struct champion {
    struct str season, name;
    int64_t person;
};
ROW_LIST(champions, struct champion);
/* First places of closed seasons, newest first. */
struct champions store_champions(struct store *s, struct arena *a, int64_t chat, int most);

/* The champion of the week: see store_chat.h. */
struct sql_table;
extern const struct sql_table week_posts;

#endif
