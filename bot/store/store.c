/* See store.h. Here: opening, transactions, accounts, heard marks, quarantine, named values. The
 * rest is by subject: store_people.c, store_chat.c, store_match.c (sessions), store_result.c
 * (records, seasons), store_out.c (the outbox), store_migrate.c; store_known.c has what was read or
 * written lately. */
#include "store_sql.h"

#include <assert.h>

enum { SCRATCH = 64 * 1024 * 1024 };

bool store_run(struct store *s, const char *sql, int n, const struct db_value *args,
               int64_t *ret_changed, struct err *err)
{
    struct db_table t;
    s->changed = true;
    if (!s->db->verbs->query(s->db, NULL, sql, n, args, &t, err))
        return false;
    if (ret_changed)
        *ret_changed = t.changed;
    return true;
}

bool store_make(struct store *s, const char *sql, int n, const struct db_value *args,
                int64_t *ret_id, struct err *err)
{
    struct db_table t;
    s->changed = true;
    if (!s->db->verbs->query(s->db, NULL, sql, n, args, &t, err))
        return false;
    *ret_id = t.made;
    return true;
}

bool store_ask(struct store *s, struct arena *a, const char *sql, int n,
               const struct db_value *args, struct db_table *ret, struct err *err)
{
    if (!a) {
        arena_reset(s->scratch);
        a = s->scratch;
    }
    return s->db->verbs->query(s->db, a, sql, n, args, ret, err);
}

bool store_change(struct store *s, struct arena *a, const char *sql, int n,
                  const struct db_value *args, struct db_table *ret, struct err *err)
{
    s->changed = true;
    return store_ask(s, a, sql, n, args, ret, err);
}

bool store_ask_text(struct store *s, struct arena *a, const char *sql, int n,
                    const struct db_value *args, struct str *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, sql, n, args, &t, err))
        return false;
    *ret = t.rows ? t.at[0].s : STR("");
    return true;
}

bool store_open_db(struct db *db, struct store **ret, struct err *err)
{
    struct store *s = calloc(1, sizeof *s);
    assert(s);
    s->db = db;
    s->scratch = arena_open(SCRATCH);
    s->known = known_open();
    if (!store_migrate(s, err)) {
        store_close(s);
        return false;
    }
    *ret = s;
    return true;
}

bool store_open(struct str where, struct store **ret, struct err *err)
{
    struct db *db;
    if (str_starts(where, STR("postgresql://")) || str_starts(where, STR("postgres://")))
        return err_set(err,
                       "this build keeps its store in an SQLite file; PostgreSQL is not built in");
    if (!db_sqlite_open(where, &db, err))
        return false;
    return store_open_db(db, ret, err) || err_wrap(err, "%.*s", STR_ARG(where));
}

void store_close(struct store *s)
{
    if (!s)
        return;
    s->db->verbs->close(s->db);
    arena_close(s->scratch);
    known_close(s->known);
    free(s);
}

bool store_begin(struct store *s, struct err *err)
{
    s->db->ill = false;
    s->changed = false;
    return s->db->verbs->begin(s->db, err);
}

bool store_commit(struct store *s, struct err *err)
{
    bool ill = store_ill(s) && !err_set(err, "database: it failed within the transaction");
    if (!ill && s->db->verbs->commit(s->db, err))
        return true;
    store_rollback(s);
    return false;
}

/* What was written is void: what is known of it, and the numbers that were set aside. */
static void forget(struct store *s)
{
    known_clear(s->known);
    s->row_next = s->row_end = 0;
}

void store_rollback(struct store *s)
{
    s->db->verbs->rollback(s->db);
    if (s->changed)
        forget(s);
    s->changed = false;
}

bool store_mark(struct store *s, struct err *err)
{
    return store_run(s, "SAVEPOINT one", 0, NULL, NULL, err);
}

bool store_release(struct store *s, struct err *err)
{
    return store_run(s, "RELEASE SAVEPOINT one", 0, NULL, NULL, err);
}

bool store_undo(struct store *s, struct err *err)
{
    forget(s);
    return store_run(s, "ROLLBACK TO SAVEPOINT one", 0, NULL, NULL, err) && store_release(s, err);
}

bool store_ill(const struct store *s)
{
    return s->db->ill;
}

void store_idle(struct store *s)
{
    s->db->verbs->idle(s->db);
}

/* ---- accounts ---- */

bool store_account(struct store *s, struct str name, int64_t *ret_id, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL, "SELECT id FROM account WHERE name = $1", VALUES(db_text(name)), &t,
                   err))
        return false;
    if (t.rows == 0)
        return store_make(s, "INSERT INTO account (name) VALUES ($1)", VALUES(db_text(name)),
                          ret_id, err);
    *ret_id = t.at[0].i;
    return true;
}

bool store_cursor(struct store *s, struct arena *a, int64_t account, struct str *ret,
                  struct err *err)
{
    return store_ask_text(s, a, "SELECT cursor FROM account WHERE id = $1", VALUES(db_int(account)),
                          ret, err);
}

bool store_set_cursor(struct store *s, int64_t account, struct str cursor, struct err *err)
{
    return store_run(s, "UPDATE account SET cursor = $1 WHERE id = $2",
                     VALUES(db_text(cursor), db_int(account)), NULL, err);
}

bool store_hear(struct store *s, int64_t account, struct str id, int64_t now, bool *ret_new,
                struct err *err)
{
    int64_t changed;
    if (!store_run(s,
                   "INSERT INTO heard (account, id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                   VALUES(db_int(account), db_text(id), db_int(now)), &changed, err))
        return false;
    *ret_new = changed > 0;
    return true;
}

bool store_forget_heard(struct store *s, int64_t before, int most, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL, "SELECT at FROM heard WHERE at < $1 ORDER BY at LIMIT $2",
                   VALUES(db_int(before), db_int(most)), &t, err))
        return false;
    if (t.rows == 0)
        return true;
    return store_run(s, "DELETE FROM heard WHERE at <= $1", VALUES(db_int(t.at[t.rows - 1].i)),
                     NULL, err);
}

/* ---- the rest ---- */

bool store_quarantine(struct store *s, int64_t account, int64_t now, struct str raw, struct str why,
                      struct err *err)
{
    return store_run(s, "INSERT INTO quarantine (account, at, raw, why) VALUES ($1, $2, $3, $4)",
                     VALUES(db_int(account), db_int(now), db_bytes(raw), db_text(why)), NULL, err);
}

bool store_meta(struct store *s, struct arena *a, struct str name, struct str *ret, struct err *err)
{
    return store_ask_text(s, a, "SELECT value FROM meta WHERE name = $1", VALUES(db_text(name)),
                          ret, err);
}

bool store_set_meta(struct store *s, struct str name, struct str value, struct err *err)
{
    return store_run(
        s,
        "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET "
        "value = excluded.value",
        VALUES(db_text(name), db_text(value)), NULL, err);
}
