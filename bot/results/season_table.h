/* Season table: the scoreboard of a chat, and its seasons: which one runs, when it ends, and what
 * is kept of it then.
 *
 *     season_now(&settings, now, &season)                   key, end and zone of the running one
 *     season_table_load(store, arena, &asked, &facts, &err) one page of a table, as /board shows it
 *     season_table_places(...)                              places of some people, of a running one
 *     season_table_close(...)                               a season has ended: its table is kept
 *
 * Order: matches won; among those level the matches between them; the difference of points; fewer
 * matches lost. Who is level in all of it shares a place.
 */
#ifndef KOIKOI_SEASON_TABLE_H
#define KOIKOI_SEASON_TABLE_H

#include "chat_settings.h"
#include "seasons.h"
#include "results.h"

struct store;

struct season_running {
    struct season_key key;
    int64_t ends;   /* unix ms; INT64_MAX: when an admin ends it */
    int32_t offset; /* of the chat's zone, now */
};
void season_now(const struct chat_settings *settings, int64_t now, struct season_running *ret);
/* The end by the clock of the zone as it is then: daylight saving may begin or end before. */
int64_t season_end_in(struct str zone, const struct season_key *key);

enum { BOARD_ROWS = 10 };
struct season_asked {
    int64_t chat, asker;            /* asker: a person, 0 unknown */
    struct season_key key, running; /* running: the chat's, by which ratings rest */
    int64_t ends, now;              /* ends: of key, as in season_running */
    int page;                       /* from 0; one beyond the last is the last */
};
bool season_table_load(struct store *s, struct arena *a, const struct season_asked *asked,
                       struct board_facts *ret, struct err *err) MUST_CHECK;

/* Places of n persons in the running table, from 1; 0: not in it. */
bool season_table_places(struct store *s, struct arena *a, int64_t chat, struct str season, int n,
                         const int64_t *person, int64_t *ret, struct err *err) MUST_CHECK;

/* Keeps the table as it is and forgets that the season runs; *ret is its first page. *ret_news is
 * false if no match was played in it, or it is closed already. */
bool season_table_close(struct store *s, struct arena *a, const struct season_asked *asked,
                        struct board_facts *ret, bool *ret_news, struct err *err) MUST_CHECK;

#endif
