/* See store_quarantine.h. */
#include "store_quarantine.h"

#include "store_table.h"

/* ---- updates ---- */

void store_quarantine(struct store *s, int64_t account, int64_t now, struct str raw,
                      struct str packed, struct str why)
{
    store_run(s,
              "INSERT INTO quarantine (account, at, raw, packed, why) VALUES ($1, $2, $3, $4, $5)",
              VALUES(db_int(account), db_int(now), db_bytes(raw), db_bytes(packed), db_text(why)));
}

bool store_retry_waits(struct store *s)
{
    return store_number(s, "SELECT id FROM quarantine WHERE again > 0 LIMIT 1", 0, NULL) > 0;
}

#define RETRY(member) COLUMN(struct retry, member)
static const struct sql_column retry_columns[] = {
    RETRY(id), RETRY(account), RETRY(session),
    RETRY(at), RETRY(again),   COLUMN_OF(struct retry, packed, "packed", COLUMN_BYTES),
};
static const struct sql_table retries = {"quarantine", ROWS(struct retry, retry_columns)};

const struct retry *store_retry(struct store *s, struct arena *a)
{
    return store_find(s, a, &retries, "WHERE again > 0 ORDER BY id LIMIT 1", 0, NULL);
}

void store_retry_begin(struct store *s, int64_t id)
{
    store_run(s, "UPDATE quarantine SET again = again + 1 WHERE id = $1", VALUES(db_int(id)));
}

void store_retry_done(struct store *s, int64_t id)
{
    store_run(s, "DELETE FROM quarantine WHERE id = $1 AND again > 0", VALUES(db_int(id)));
}

void store_retry_failed(struct store *s, int64_t id, struct str why)
{
    store_run(s, "UPDATE quarantine SET again = 0, why = $1 WHERE id = $2",
              VALUES(db_text(why), db_int(id)));
}

/* ---- sessions ---- */

/* The session is found by its number alone, which reads tables as a whole: its row, which lists
 * chats and people, cannot be trusted. */
struct ids store_quarantine_session(struct store *s, struct arena *a, int64_t session, int64_t now,
                                    struct str why)
{
    const struct db_value id = db_int(session);
    cache_clear(s->rows);
    struct ids chats = store_ids(s, a,
                                 "SELECT DISTINCT chat FROM session_chat WHERE session = $1 AND "
                                 "live = 1 ORDER BY chat LIMIT 8",
                                 1, &id);
    const struct session_row *row = store_set_aside(s, a, session);
    if (row)
        store_run(
            s, "INSERT INTO quarantine (account, session, at, raw, why) VALUES (0, $1, $2, $3, $4)",
            VALUES(id, db_int(now), db_bytes(row->line), db_text(why)));
    store_run(s, "DELETE FROM session_chat WHERE session = $1", 1, &id);
    store_run(s, "DELETE FROM session_person WHERE session = $1", 1, &id);
    return chats;
}

void store_take_back(struct store *s, struct arena *a, int64_t session, int64_t due)
{
    long long no = session;
    const struct session_row *row = store_put_back(s, a, session, due);
    if (!row)
        store_fail(s, "match %lld is not in the store", no);
    else if (row->damaged)
        store_fail(s, "match %lld: the checksum does not hold", no);
    else if (!store_record_sound(s, session))
        store_fail(s, "match %lld: a checksum of its record does not hold", no);
    else if (!row->live)
        store_fail(s, "match %lld is over", no);
    else
        store_link_session(s, row);
}

/* ---- for the host ---- */

#define HELD(member, name) COLUMN_NAMED(struct quarantined, member, name)
static const struct sql_column columns[] = {
    HELD(id, "q.id"),   HELD(account, "COALESCE(a.name, '')"),
    HELD(at, "q.at"),   HELD(why, "q.why"),
    HELD(raw, "q.raw"), HELD(again, "q.again > 0"),
};
static const struct sql_table view = {ROWS(struct quarantined, columns)};

struct quarantined_rows store_quarantined(struct store *s, struct arena *a, int64_t after, int most)
{
    return quarantined_rows_of(store_select(
        s, a, &view,
        "FROM quarantine q LEFT JOIN account a ON a.id = q.account WHERE q.id > $1 ORDER BY q.id "
        "LIMIT $2",
        VALUES(db_int(after), db_int(most))));
}

bool store_drop_quarantined(struct store *s, int64_t id)
{
    return store_changed(s, "DELETE FROM quarantine WHERE id = $1", VALUES(db_int(id))) > 0;
}

bool store_want_again(struct store *s, int64_t id)
{
    return store_changed(s,
                         "UPDATE quarantine SET again = CASE again WHEN 0 THEN 1 ELSE again END "
                         "WHERE id = $1",
                         VALUES(db_int(id))) > 0;
}
