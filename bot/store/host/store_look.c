/* What a host looks at: rows that the daemon itself never lists. See store_look.h. */
#include "store_look.h"

#include "store_sql.h"

bool store_waiting_messages(struct store *s, struct arena *a, int64_t after, int most,
                            struct waiting_messages *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT o.id, a.name, o.lane, o.slot, o.flown, o.tries, o.not_before, "
                   "LENGTH(o.said) FROM outbox o JOIN account a ON a.id = o.account "
                   "WHERE o.id > $1 ORDER BY o.id LIMIT $2",
                   VALUES(db_int(after), db_int(most)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct waiting_message, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++) {
        const struct db_value *v = &t.at[(size_t)i * (size_t)t.cols];
        ret->at[i] = (struct waiting_message){.id = v[0].i,
                                              .account = v[1].s,
                                              .lane = v[2].s,
                                              .slot = v[3].s,
                                              .attempted = v[4].i != 0,
                                              .tries = v[5].i,
                                              .not_before = v[6].i,
                                              .bytes = v[7].i};
    }
    return true;
}

bool store_quarantined(struct store *s, struct arena *a, int64_t after, int most,
                       struct quarantined_rows *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(
            s, a,
            "SELECT q.id, COALESCE(a.name, ''), q.at, q.why, q.raw, q.again FROM quarantine q "
            "LEFT JOIN account a ON a.id = q.account WHERE q.id > $1 ORDER BY q.id LIMIT $2",
            VALUES(db_int(after), db_int(most)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct quarantined, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++) {
        const struct db_value *v = &t.at[(size_t)i * (size_t)t.cols];
        ret->at[i] = (struct quarantined){.id = v[0].i,
                                          .account = v[1].s,
                                          .at = v[2].i,
                                          .why = v[3].s,
                                          .raw = v[4].s,
                                          .again = v[5].i > 0};
    }
    return true;
}

bool store_drop_quarantined(struct store *s, int64_t id, bool *ret_found, struct err *err)
{
    int64_t changed = 0;
    bool good =
        store_run(s, "DELETE FROM quarantine WHERE id = $1", VALUES(db_int(id)), &changed, err);
    *ret_found = changed > 0;
    return good;
}

bool store_want_again(struct store *s, int64_t id, bool *ret_found, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL,
                   "SELECT CASE WHEN session > 0 OR LENGTH(packed) > 0 THEN 1 ELSE 0 END FROM "
                   "quarantine WHERE id = $1",
                   VALUES(db_int(id)), &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows && t.at[0].i == 0)
        return err_set(err, "row %lld cannot be tried again: an older koikoi kept too little of it",
                       (long long)id);
    return store_run(s, "UPDATE quarantine SET again = 1 WHERE id = $1 AND again = 0",
                     VALUES(db_int(id)), NULL, err);
}
