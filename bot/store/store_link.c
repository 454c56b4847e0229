/* Links: handles that are one person, and the codes that link them. */
#include "store_sql.h"

bool store_handles(struct store *s, struct arena *a, int64_t who, struct people *ret,
                   struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT " PERSON " FROM person WHERE id = $1 OR owner = $1 ORDER BY id LIMIT 64",
                   VALUES(db_int(who)), &t, err))
        return false;
    store_people_of(a, &t, ret);
    return true;
}

bool store_link(struct store *s, int64_t who, int64_t other, struct err *err)
{
    cache_clear(s->rows);
    return store_run(s, "UPDATE person SET owner = $1 WHERE id = $2 OR owner = $2",
                     VALUES(db_int(who), db_int(other)), NULL, err);
}

bool store_part(struct store *s, int64_t handle, struct err *err)
{
    cache_clear(s->rows);
    return store_run(s, "UPDATE person SET owner = 0 WHERE id = $1 OR owner = $1",
                     VALUES(db_int(handle)), NULL, err);
}

bool store_set_code(struct store *s, int64_t handle, struct str code, int64_t expires,
                    struct err *err)
{
    return store_run(
        s,
        "INSERT INTO link_code (person, code, expires) VALUES ($1, $2, $3) ON CONFLICT (person) "
        "DO UPDATE SET code = excluded.code, expires = excluded.expires",
        VALUES(db_int(handle), db_text(code), db_int(expires)), NULL, err);
}

bool store_code(struct store *s, struct str code, int64_t now, int64_t *ret_handle, struct err *err)
{
    struct db_table t;
    *ret_handle = 0;
    if (code.n == 0)
        return true;
    if (!store_ask(s, NULL,
                   "SELECT person FROM link_code WHERE code = $1 AND code <> '' AND expires > $2",
                   VALUES(db_text(code), db_int(now)), &t, err))
        return false;
    *ret_handle = t.rows ? t.at[0].i : 0;
    return true;
}

bool store_move_codes(struct store *s, int64_t ms, struct err *err)
{
    return store_run(s, "UPDATE link_code SET expires = expires + $1, since = since + $1",
                     VALUES(db_int(ms)), NULL, err);
}

bool store_drop_codes(struct store *s, int64_t who, struct err *err)
{
    return store_run(s, "UPDATE link_code SET code = '' WHERE person IN " HANDLES_OF_WHO,
                     VALUES(db_int(who)), NULL, err);
}

bool store_wrong_code(struct store *s, int64_t handle, int64_t now, int64_t since, struct err *err)
{
    return store_run(
        s,
        "INSERT INTO link_code (person, wrong, since) VALUES ($1, 1, $2) ON CONFLICT (person) DO "
        "UPDATE SET wrong = CASE WHEN link_code.since > $3 THEN link_code.wrong + 1 ELSE 1 END, "
        "since = CASE WHEN link_code.since > $3 THEN link_code.since ELSE excluded.since END",
        VALUES(db_int(handle), db_int(now), db_int(since)), NULL, err);
}

bool store_wrong_codes(struct store *s, int64_t handle, int64_t since, int *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL, "SELECT wrong FROM link_code WHERE person = $1 AND since > $2",
                   VALUES(db_int(handle), db_int(since)), &t, err))
        return false;
    *ret = t.rows ? (int)t.at[0].i : 0;
    return true;
}
