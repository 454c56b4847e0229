/* Season table: the scoreboard of a chat, and its seasons: which one runs, when it ends, and what
 * is kept of it then.
 *
 *     season_now(&settings, now)                       key, end and zone of the running one
 *     season_table_load(store, arena, &asked, &facts)  one page of a table, as /board shows it
 *     season_table_places(...)                         places of some people, of a running one
 *     season_table_close(...)                          a season has ended: its table is kept
 *
 * Order: matches won; among those level the matches between them; the difference of points; fewer
 * matches lost. Who is level in all of it shares a place.
 */
#ifndef KOIKOI_INBOX_SEASON_H
#define KOIKOI_INBOX_SEASON_H

#include "chat_settings.h"
#include "seasons.h"
#include "store_season.h"

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

enum { BOARD_ROWS = 10 };
struct season_asked {
    int64_t chat, asker;            /* asker: a person, 0 unknown */
    struct season_key key, running; /* running: the chat's, by which ratings rest */
    int64_t ends, now;              /* ends: of key, as in season_running */
    int page;                       /* from 0; one beyond the last is the last */
};
struct board_facts season_table_load(struct store *s, struct arena *a,
                                     const struct season_asked *asked);

/* Places of n persons in the running table, from 1; 0: not in it. */
void season_table_places(struct store *s, struct arena *a, int64_t chat, struct str season, int n,
                         const int64_t *person, int64_t *ret);

/* Keeps the table as it is and forgets that the season runs; *ret is its first page. Returns false
 * if no match was played in it, or it is closed already. */
bool season_table_close(struct store *s, struct arena *a, const struct season_asked *asked,
                        struct board_facts *ret);

#endif
