/* See store_seek.h. What searches mean is in bot/core/seek. */
#include "store_seek.h"

#include "store_table.h"

#define SEEK(member) COLUMN(struct seek_row, member)
static const struct sql_column columns[] = {SEEK(session), SEEK(person), SEEK(points),
                                            SEEK(at),      SEEK(rules),  SEEK(clock)};
static const struct sql_table seeks = {"seek", .n_keys = 1, ROWS(struct seek_row, columns)};

void store_put_seek(struct store *s, const struct seek_row *row)
{
    store_upsert(s, &seeks, row);
}

void store_drop_seek(struct store *s, int64_t session)
{
    store_run(s, "DELETE FROM seek WHERE session = $1", VALUES(db_int(session)));
}

struct ids store_seeks(struct store *s, struct arena *a, const struct seek_row *like, int most)
{
    return store_ids(
        s, a,
        "SELECT session FROM seek WHERE person <> $1 AND session <> $2 AND "
        "($3 = '' OR rules = '' OR rules = $3) AND ($4 = '' OR clock = '' OR clock = $4) "
        "ORDER BY ABS(points - $5), at, session LIMIT $6",
        VALUES(db_int(like->person), db_int(like->session), db_text(like->rules),
               db_text(like->clock), db_int(like->points), db_int(most)));
}

struct ids store_seeks_of(struct store *s, struct arena *a, int64_t person)
{
    return store_ids(s, a, "SELECT session FROM seek WHERE person = $1 ORDER BY session",
                     VALUES(db_int(person)));
}

void store_watch(struct store *s, int64_t person, int64_t chat, bool on)
{
    store_run(s,
              on ? "INSERT INTO watch (person, chat, at) VALUES ($1, $2, 0) "
                   "ON CONFLICT (person, chat) DO NOTHING"
                 : "DELETE FROM watch WHERE person = $1 AND chat = $2",
              VALUES(db_int(person), db_int(chat)));
}

struct ids store_watches(struct store *s, struct arena *a, int64_t person)
{
    return store_ids(s, a, "SELECT chat FROM watch WHERE person = $1 ORDER BY chat",
                     VALUES(db_int(person)));
}

struct ids store_watchers(struct store *s, struct arena *a, int64_t chat, bool any, int64_t without,
                          int64_t before, int most)
{
    return store_ids(
        s, a,
        "SELECT person FROM watch WHERE (chat = $1 OR (chat = 0 AND $2 = 1)) AND person <> $3 "
        "GROUP BY person HAVING MAX(at) <= $4 ORDER BY MAX(at), person LIMIT $5",
        VALUES(db_int(chat), db_int(any), db_int(without), db_int(before), db_int(most)));
}

void store_watcher_read(struct store *s, int64_t person, int64_t now)
{
    store_run(s, "UPDATE watch SET at = $1 WHERE person = $2", VALUES(db_int(now), db_int(person)));
}

void store_drop_watches(struct store *s, int64_t person)
{
    store_run(s, "DELETE FROM watch WHERE person = $1", VALUES(db_int(person)));
}

void store_join_watches(struct store *s, int64_t person, int64_t other)
{
    store_run(s,
              "INSERT INTO watch (person, chat, at) SELECT $1, chat, at FROM watch WHERE person = "
              "$2 ON CONFLICT (person, chat) DO NOTHING",
              VALUES(db_int(person), db_int(other)));
    store_drop_watches(s, other);
}

const struct store_feature feature_seek = {
    .forget = {"DELETE FROM seek WHERE person = $1", "DELETE FROM watch WHERE person = $1"},
    .join = {"DELETE FROM watch WHERE person IN (SELECT person FROM watch WHERE chat = $1) AND "
             "chat = $2",
             "UPDATE watch SET chat = $1 WHERE chat = $2"}};
