/* Statements and transactions, for the other files of the store. See store_sql.h and store.h. */
#include "store_sql.h"

/* ---- statements ---- */

bool store_run(struct store *s, const char *sql, int n, const struct db_value *args,
               int64_t *ret_changed, struct err *err)
{
    struct db_table t;
    bool now = ret_changed || s->guarded; /* a failure belongs to its savepoint */
    s->changed = true;
    if (!s->db->verbs->query(s->db, NULL, sql, n, args, now ? &t : NULL, err))
        return false;
    if (ret_changed)
        *ret_changed = t.changed;
    return true;
}

bool store_make(struct store *s, const char *sql, int n, const struct db_value *args,
                int64_t *ret_id, struct err *err)
{
    struct db_table t;
    if (!store_change(s, NULL, sql, n, args, &t, err))
        return false;
    *ret_id = t.at[0].i;
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

bool store_ask_ids(struct store *s, struct arena *a, const char *sql, int n,
                   const struct db_value *args, struct ids *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, sql, n, args, &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, int64_t, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = t.at[i].i;
    return true;
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

/* ---- transactions ---- */

void store_forget_cached(struct store *s)
{
    cache_clear(s->rows);
    s->row_next = s->row_end = 0;
}

bool store_begin(struct store *s, struct err *err)
{
    s->db->broken = false;
    s->changed = false;
    s->guarded = false;
    if (!s->db->verbs->begin(s->db, err))
        return false;
    if (s->db->foreign) {
        store_forget_cached(s);
        s->foreign = true;
        s->db->foreign = false;
    }
    return true;
}

bool store_commit(struct store *s, struct err *err)
{
    bool broken = store_broken(s) && !err_set(err, "database: it failed within the transaction");
    if (!broken && s->db->verbs->commit(s->db, err))
        return true;
    store_rollback(s);
    return false;
}

void store_rollback(struct store *s)
{
    s->db->verbs->rollback(s->db);
    if (s->changed || s->db->foreign)
        store_forget_cached(s);
    s->changed = false;
    s->guarded = false;
}

bool store_savepoint(struct store *s, struct err *err)
{
    s->guarded = true;
    return store_run(s, "SAVEPOINT one", 0, NULL, NULL, err);
}

bool store_release(struct store *s, struct err *err)
{
    bool good = store_run(s, "RELEASE SAVEPOINT one", 0, NULL, NULL, err);
    s->guarded = false;
    return good;
}

bool store_rollback_to(struct store *s, struct err *err)
{
    store_forget_cached(s);
    return store_run(s, "ROLLBACK TO SAVEPOINT one", 0, NULL, NULL, err) && store_release(s, err);
}

bool store_broken(const struct store *s)
{
    return s->db->broken;
}

void store_idle(struct store *s)
{
    s->db->verbs->idle(s->db);
}
