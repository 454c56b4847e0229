/* See store_operator.h. */
#include "store_operator.h"

#include "store_sql.h"

#define RECENT(n)                                                                                  \
    " FROM session_chat AS c JOIN session AS s ON s.id = c.session "                               \
    "WHERE c.live = 1 OR s.ended >= $" #n

bool store_status(struct store *s, int64_t since, struct store_status *ret, struct err *err)
{
    struct db_table t;
    *ret = (struct store_status){0};
    if (!store_ask(s, NULL,
                   "SELECT (SELECT COUNT(*) FROM session WHERE live = 1), "
                   "(SELECT COUNT(DISTINCT chat) FROM session_chat WHERE live = 1), "
                   "(SELECT COUNT(*) FROM outbox), (SELECT COUNT(*) FROM quarantine), "
                   "(SELECT COUNT(*) FROM person WHERE banned > 0), "
                   "(SELECT COUNT(DISTINCT c.chat)" RECENT(1) ")",
                   VALUES(db_int(since)), &t, err))
        return false;
    if (t.rows)
        *ret =
            (struct store_status){t.at[0].i, t.at[1].i, t.at[2].i, t.at[3].i, t.at[4].i, t.at[5].i};
    return true;
}

bool store_banned(struct store *s, struct arena *a, int most, struct people *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT " PERSON
                   " FROM person WHERE banned > 0 ORDER BY banned DESC, id LIMIT $1",
                   VALUES(db_int(most)), &t, err))
        return false;
    store_people_of(a, &t, ret);
    return true;
}

bool store_announce(struct store *s, struct str text, int64_t now, int64_t since, struct err *err)
{
    return store_run(s,
                     "INSERT INTO announcement (chat, due, text) SELECT DISTINCT c.chat, $1, "
                     "$2" RECENT(3) " ON CONFLICT (chat, due) DO UPDATE SET text = excluded.text",
                     VALUES(db_int(now), db_text(text), db_int(since)), NULL, err);
}

bool store_announcement(struct store *s, struct arena *a, int64_t now, struct announcement *ret,
                        bool *ret_found, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT chat, due, text FROM announcement WHERE due <= $1 ORDER BY due, chat "
                   "LIMIT 1",
                   VALUES(db_int(now)), &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = (struct announcement){t.at[0].i, t.at[1].i, t.at[2].s};
    return true;
}

bool store_put_off_announcement(struct store *s, const struct announcement *at, int64_t ms,
                                struct err *err)
{
    return store_run(s, "UPDATE announcement SET due = due + $1 WHERE chat = $2 AND due = $3",
                     VALUES(db_int(ms), db_int(at->chat), db_int(at->due)), NULL, err);
}

bool store_drop_announcement(struct store *s, const struct announcement *at, struct err *err)
{
    return store_run(s, "DELETE FROM announcement WHERE chat = $1 AND due = $2",
                     VALUES(db_int(at->chat), db_int(at->due)), NULL, err);
}
