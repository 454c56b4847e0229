/* See store_operator.h. */
#include "store_operator.h"

#include "store_table.h"

#define RECENT(n)                                                                                  \
    " FROM session_chat AS c JOIN session AS s ON s.id = c.session AND s.account = c.home "        \
    "WHERE c.live = 1 OR s.ended >= $" #n

struct store_status store_status(struct store *s, int64_t since)
{
    struct db_table t =
        store_ask(s, NULL,
                  "SELECT (SELECT COUNT(*) FROM session WHERE live = 1), "
                  "(SELECT COUNT(DISTINCT chat) FROM session_chat WHERE live = 1), "
                  "(SELECT COUNT(*) FROM outbox), (SELECT COUNT(*) FROM quarantine), "
                  "(SELECT COUNT(*) FROM person WHERE banned > 0 AND owner = 0), (SELECT "
                  "COUNT(DISTINCT c.chat)" RECENT(1) ")",
                  VALUES(db_int(since)));
    const struct db_value *v = t.at;
    return t.rows ? (struct store_status){v[0].i, v[1].i, v[2].i, v[3].i, v[4].i, v[5].i}
                  : (struct store_status){0};
}

struct people store_banned(struct store *s, struct arena *a, int most)
{
    return people_of(store_select(
        s, a, &table_person, "WHERE banned > 0 AND owner = 0 ORDER BY banned DESC, id LIMIT $1",
        VALUES(db_int(most))));
}

void store_announce(struct store *s, struct str text, int64_t now, int64_t since)
{
    store_run(s,
              "INSERT INTO announcement (chat, due, text) SELECT DISTINCT c.chat, $1, $2" RECENT(
                  3) " ON CONFLICT (chat, due) DO UPDATE SET text = excluded.text",
              VALUES(db_int(now), db_text(text), db_int(since)));
}

#define ROW(member) COLUMN(struct announcement, member)
static const struct sql_column columns[] = {ROW(chat), ROW(due), ROW(text)};
static const struct sql_table announcements = {"announcement", .n_keys = 2,
                                               ROWS(struct announcement, columns)};

const struct announcement *store_announcement(struct store *s, struct arena *a, int64_t now)
{
    return store_find(s, a, &announcements, "WHERE due <= $1 ORDER BY due, chat LIMIT 1",
                      VALUES(db_int(now)));
}

void store_put_off_announcement(struct store *s, const struct announcement *at, int64_t ms)
{
    store_run(s, "UPDATE announcement SET due = due + $1 WHERE chat = $2 AND due = $3",
              VALUES(db_int(ms), db_int(at->chat), db_int(at->due)));
}

void store_drop_announcement(struct store *s, const struct announcement *at)
{
    store_run(s, "DELETE FROM announcement WHERE chat = $1 AND due = $2",
              VALUES(db_int(at->chat), db_int(at->due)));
}

const struct store_feature feature_operator = {.soonest = "SELECT MIN(due) FROM announcement",
                                               .counted = {&announcements}};
