/* See store_sql.h and store.h. */
#include "store_sql.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- failure ---- */

bool store_failed(const struct store *s)
{
    return s->failed;
}

const char *store_failure(const struct store *s)
{
    return s->failure.text;
}

void store_fail(struct store *s, const char *format, ...)
{
    va_list args;
    if (s->failed)
        return;
    s->failed = true;
    va_start(args, format);
    vsnprintf(s->failure.text, sizeof s->failure.text, format, args);
    va_end(args);
}

bool store_take_failure(struct store *s, struct err *ret)
{
    bool failed = s->failed;
    if (failed)
        *ret = s->failure;
    s->failed = failed && s->inside;
    return failed;
}

bool store_broken(const struct store *s)
{
    return s->db->broken;
}

/* ---- literals ---- */

static bool query(struct store *s, struct arena *a, const char *sql, int n,
                  const struct db_value *args, struct db_table *ret)
{
    s->changed |= strncmp(sql, "SELECT", 6) != 0;
    if (!s->failed)
        s->failed = !s->db->verbs->query(s->db, a, sql, n, args, ret, &s->failure);
    return !s->failed;
}

void store_run(struct store *s, const char *sql, int n, const struct db_value *args)
{
    struct db_table t;
    (void)query(s, NULL, sql, n, args, s->guarded ? &t : NULL); /* a failure is its savepoint's */
}

int64_t store_changed(struct store *s, const char *sql, int n, const struct db_value *args)
{
    struct db_table t = {0};
    return query(s, NULL, sql, n, args, &t) ? t.changed : 0;
}

struct db_table store_ask(struct store *s, struct arena *a, const char *sql, int n,
                          const struct db_value *args)
{
    struct db_table t = {0};
    if (!a)
        arena_reset(s->scratch);
    return query(s, a ? a : s->scratch, sql, n, args, &t) ? t : (struct db_table){0};
}

void store_ask_all(struct store *s, struct arena *a, int n, struct db_question *q)
{
    if (!s->failed)
        s->failed = !s->db->verbs->ask(s->db, a, n, q, &s->failure);
}

int64_t store_number(struct store *s, const char *sql, int n, const struct db_value *args)
{
    struct db_table t = store_ask(s, NULL, sql, n, args);
    return t.rows ? t.at[0].i : 0;
}

int64_t store_given(struct store *s, const char *sql, int n, const struct db_value *args)
{
    struct db_table t = store_ask(s, NULL, sql, n, args);
    return t.rows ? t.at[0].i : t.given;
}

struct str store_text(struct store *s, struct arena *a, const char *sql, int n,
                      const struct db_value *args)
{
    struct db_table t = store_ask(s, a, sql, n, args);
    return t.rows ? t.at[0].s : STR("");
}

struct ids store_ids(struct store *s, struct arena *a, const char *sql, int n,
                     const struct db_value *args)
{
    struct db_table t = store_ask(s, a, sql, n, args);
    struct ids ids = {t.rows, arena_array(a, int64_t, (size_t)t.rows)};
    for (int i = 0; i < t.rows; i++)
        ids.at[i] = t.at[i].i;
    return ids;
}

/* ---- transactions ---- */

void store_forget_cached(struct store *s)
{
    cache_clear(s->rows);
    s->row_next = s->row_end = 0;
    memset(s->numbers, 0, sizeof s->numbers);
}

static void forget_ahead(struct store *s)
{
    if (s->n_looked > 0)
        cache_clear(s->absent);
    s->n_looked = 0;
    s->transactions++;
}

void store_begin(struct store *s)
{
    assert(!s->failed); /* somebody did not ask */
    s->db->broken = false;
    s->changed = s->guarded = false;
    s->inside = true;
    forget_ahead(s);
    s->failed = !s->db->verbs->begin(s->db, &s->failure);
    if (!s->failed && s->db->foreign) {
        store_forget_cached(s);
        s->foreign = true;
        s->db->foreign = false;
    }
}

bool store_commit_asking(struct store *s, struct db_question *last, struct err *err)
{
    if (last)
        arena_reset(s->scratch);
    s->failed = s->failed || !s->db->verbs->commit(s->db, s->scratch, last, &s->failure);
    s->refused = s->failed && !s->db->broken;
    if (store_take_failure(s, err)) {
        store_rollback(s);
        return false;
    }
    forget_ahead(s);
    s->inside = false;
    return true;
}

bool store_commit(struct store *s, struct err *err)
{
    return store_commit_asking(s, NULL, err);
}

bool store_refused(const struct store *s)
{
    return s->refused;
}

void store_rollback(struct store *s)
{
    forget_ahead(s);
    s->db->verbs->rollback(s->db);
    if (s->changed || s->db->foreign)
        store_forget_cached(s);
    s->changed = s->guarded = s->inside = s->failed = false;
}

void store_savepoint(struct store *s)
{
    s->guarded = !s->failed;
    store_run(s, "SAVEPOINT one", 0, NULL);
}

void store_release(struct store *s)
{
    store_run(s, "RELEASE SAVEPOINT one", 0, NULL);
    s->guarded = false;
}

void store_rollback_to(struct store *s)
{
    store_forget_cached(s);
    cache_clear(s->absent);
    s->failed = s->failed && (store_broken(s) || !s->guarded);
    store_run(s, "ROLLBACK TO SAVEPOINT one", 0, NULL);
    store_release(s);
}

/* ---- the row cache ---- */

void row_keep(struct store *s, struct cache_key key, int n, const struct str *parts)
{
    size_t bytes = 0;
    for (int i = 0; i < n; i++)
        bytes += parts[i].n;
    char *at = s->failed ? NULL : cache_put(s->rows, key, bytes);
    for (int i = 0; at && i < n; at += parts[i].n, i++)
        if (parts[i].n)
            memcpy(at, parts[i].p, parts[i].n);
}
