/* The quarantine: updates that could not be handled, and damaged sessions, which leave play. What is
 * left of either stays for the operator, who may have it tried again. */
#include "store_sql.h"
#include "sum.h"

/* ---- updates ---- */

bool store_quarantine(struct store *s, int64_t account, int64_t now, struct str raw,
                      struct str packed, struct str why, struct err *err)
{
    return store_run(
        s, "INSERT INTO quarantine (account, at, raw, packed, why) VALUES ($1, $2, $3, $4, $5)",
        VALUES(db_int(account), db_int(now), db_bytes(raw), db_bytes(packed), db_text(why)), NULL,
        err);
}

bool store_retry_waits(struct store *s, bool *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL, "SELECT id FROM quarantine WHERE again > 0 LIMIT 1", 0, NULL, &t, err))
        return false;
    *ret = t.rows > 0;
    return true;
}

bool store_retry(struct store *s, struct arena *a, struct retry *ret, bool *ret_found,
                 struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT id, account, session, at, again, packed FROM quarantine WHERE again > 0 "
                   "ORDER BY id LIMIT 1",
                   0, NULL, &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = (struct retry){.id = t.at[0].i,
                              .account = t.at[1].i,
                              .session = t.at[2].i,
                              .at = t.at[3].i,
                              .begun = t.at[4].i - 1,
                              .packed = t.at[5].s};
    return true;
}

bool store_retry_begin(struct store *s, int64_t id, struct err *err)
{
    return store_run(s, "UPDATE quarantine SET again = again + 1 WHERE id = $1", VALUES(db_int(id)),
                     NULL, err);
}

bool store_retry_done(struct store *s, int64_t id, struct err *err)
{
    return store_run(s, "DELETE FROM quarantine WHERE id = $1 AND again > 0", VALUES(db_int(id)),
                     NULL, err);
}

bool store_retry_failed(struct store *s, int64_t id, struct str why, struct err *err)
{
    return store_run(s, "UPDATE quarantine SET again = 0, why = $1 WHERE id = $2",
                     VALUES(db_text(why), db_int(id)), NULL, err);
}

/* ---- sessions ---- */

/* By the session alone, which reads both tables as a whole: its row, which lists chats and people,
 * cannot be trusted. */
static bool unlink_all(struct store *s, int64_t session, struct err *err)
{
    return store_run(s, "DELETE FROM session_chat WHERE session = $1", VALUES(db_int(session)),
                     NULL, err) &&
           store_run(s, "DELETE FROM session_person WHERE session = $1", VALUES(db_int(session)),
                     NULL, err);
}

bool store_set_aside(struct store *s, struct arena *a, int64_t session, int64_t now, struct str why,
                     struct ids *ret, struct err *err)
{
    cache_clear(s->rows);
    if (!store_ask_ids(s, a,
                       "SELECT DISTINCT chat FROM session_chat WHERE session = $1 AND live = 1 "
                       "ORDER BY chat LIMIT 8",
                       VALUES(db_int(session)), ret, err))
        return false;
    struct db_table t;
    if (!store_ask(s, NULL, "SELECT line FROM session WHERE id = $1", VALUES(db_int(session)), &t,
                   err))
        return false;
    return (t.rows == 0 ||
            store_run(s,
                      "INSERT INTO quarantine (account, session, at, raw, why) "
                      "VALUES (0, $1, $2, $3, $4)",
                      VALUES(db_int(session), db_int(now), db_bytes(t.at[0].s), db_text(why)), NULL,
                      err)) &&
           unlink_all(s, session, err) &&
           store_run(s, "UPDATE session SET live = 0, due = $1 WHERE id = $2",
                     VALUES(db_int(DUE_ASIDE), db_int(session)), NULL, err);
}

/* Only `live` and `due` were changed when it was set aside: its checksum holds again once they are
 * as they were, if the rest is sound. */
bool store_take_back(struct store *s, struct arena *a, int64_t session, int64_t due,
                     struct session_row *ret, struct err *err)
{
    bool found, sound;
    cache_clear(s->rows);
    if (!store_run(s, "UPDATE session SET live = 1, due = $1 WHERE id = $2 AND due = $3",
                   VALUES(db_int(due), db_int(session), db_int(DUE_ASIDE)), NULL, err) ||
        !store_session(s, a, session, ret, &found, err) ||
        !store_record_sound(s, session, &sound, err))
        return false;
    if (!found || ret->damaged)
        return err_set(err,
                       found ? "match %lld: the checksum does not hold"
                             : "match %lld is not in the store",
                       (long long)session);
    if (!sound)
        return err_set(err, "match %lld: a checksum of its record does not hold",
                       (long long)session);
    if (!ret->live)
        return err_set(err, "match %lld is over", (long long)session);
    return store_link_session(s, ret, err);
}
