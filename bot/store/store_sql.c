/* See store_sql.h and store.h. */
#include "store_sql.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

enum { HOME_BYTES = 1 << 16 };

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

/* ---- beside other daemons ---- */

static void want_all(struct store *s)
{
    if (s->failed)
        return;
    s->wants_all = s->db->broken = true;
    store_fail(s, "store: a transaction beside others met rows that it shares with them");
}

bool store_ours(struct store *s, int64_t account)
{
    bool ours = !s->beside;
    for (int i = 0; i < s->n_ours && !ours; i++)
        ours = s->ours[i] == account;
    if (!ours)
        want_all(s);
    return ours;
}

void store_writes_ours(struct store *s, int64_t account)
{
    s->allowed = account == 0 || store_ours(s, account);
}

void store_set_home(struct store *s, enum home_of what, int64_t no, int64_t account)
{
    const struct cache_key key = {.kind = (int)what, .no = no};
    struct str known;
    if (!cache_find(s->homes, key, &known))
        CACHE_KEEP(s->homes, key, BYTES_OF(account));
}

int64_t store_home(struct store *s, enum home_of what, int64_t no)
{
    static const char *const asks[] = {
        [HOME_OF_CHAT] = "SELECT account FROM chat WHERE id = $1",
        [HOME_OF_SESSION] = "SELECT home FROM session_home WHERE session = $1",
        [HOME_OF_PERSON] = "SELECT account FROM person WHERE id = $1"};
    const struct cache_key key = {.kind = (int)what, .no = no};
    int64_t account = 0;
    if (cache_read(s->homes, key, &account, sizeof account))
        return account;
    struct arena *a = arena_open(HOME_BYTES);
    struct db_table t = store_ask(s, a, asks[what], VALUES(db_int(no)));
    if (t.rows) {
        account = t.at[0].i;
        store_set_home(s, what, no, account);
    }
    arena_close(a);
    return account;
}

bool store_chat_ours(struct store *s, int64_t chat)
{
    return !s->beside || store_ours(s, store_home(s, HOME_OF_CHAT, chat));
}

bool store_is_shared(const struct store *s)
{
    return s->db->shared && s->db->holder;
}

struct db_value store_us(const struct store *s)
{
    return db_text(str_of(s->db->holder ? s->db->holder : ""));
}

/* Those that are ours are so until the store is opened anew. */
static bool know_ours(struct store *s)
{
    struct err ignored;
    if (s->n_ours > 0)
        return true;
    arena_reset(s->scratch);
    struct ids ids =
        store_ids(s, s->scratch, "SELECT id FROM account WHERE id IN " ACCOUNTS_OF(1) " LIMIT 64",
                  VALUES(store_us(s)));
    if (store_take_failure(s, &ignored))
        return false;
    for (int i = 0; i < ids.n; i++)
        s->ours[s->n_ours++] = ids.at[i];
    return s->n_ours > 0;
}

struct ids store_our_accounts(struct store *s)
{
    (void)know_ours(s);
    return (struct ids){s->n_ours, s->ours};
}

/* ---- literals ---- */

static void note_write(struct store *s, const char *sql)
{
    bool writes = strncmp(sql, "SELECT", 6) != 0;
    if (writes && s->beside && !s->allowed)
        want_all(s);
    s->allowed = s->allowed && !writes;
    s->changed |= writes;
}

static bool query(struct store *s, struct arena *a, const char *sql, int n,
                  const struct db_value *args, struct db_table *ret)
{
    note_write(s, sql);
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
    for (int i = 0; i < n; i++)
        note_write(s, q[i].sql);
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
    for (int i = 0; i < TABLES_COUNTED; i++)
        s->numbers[i].n = 0;
}

/* A file gives a number that is taken back to another row. */
static void forget_homes(struct store *s)
{
    if (!s->db->is_server)
        cache_clear(s->homes);
}

static void forget_ahead(struct store *s)
{
    if (s->n_looked > 0)
        cache_clear(s->absent);
    s->n_looked = 0;
    s->transactions++;
}

/* Numbers of the outbox are given out some thousand at a time. Rows of an account are to have them in
 * the order of their transactions, whoever writes them: so a transaction that may write rows for
 * others takes fresh ones if others have taken some since. */
static void begin(struct store *s, bool beside)
{
    assert(!s->failed); /* somebody did not ask */
    s->db->broken = false;
    s->changed = s->guarded = s->allowed = s->wants_all = s->again = false;
    s->inside = true;
    forget_ahead(s);
    s->db->beside = beside;
    s->failed = !s->db->verbs->begin(s->db, &s->failure);
    s->db->beside = false;
    s->beside = beside;
    if (!s->failed && s->db->foreign) {
        store_forget_cached(s);
        s->foreign = s->row_old = true;
        s->db->foreign = false;
    }
    if (!beside && s->row_old) {
        s->row_next = s->row_end = 0;
        s->row_old = false;
    }
}

void store_begin(struct store *s)
{
    begin(s, false);
}

void store_begin_beside(struct store *s)
{
    begin(s, store_is_shared(s) && !s->wants_all && know_ours(s));
}

bool store_commit_asking(struct store *s, struct db_question *last, struct err *err)
{
    if (last)
        arena_reset(s->scratch);
    s->failed = s->failed || !s->db->verbs->commit(s->db, s->scratch, last, &s->failure);
    s->refused = s->failed && !s->db->broken;
    s->again = s->failed && ((s->beside && (s->wants_all || s->db->foreign)) ||
                             (s->in_good_faith && s->refused));
    if (store_take_failure(s, err)) {
        store_rollback(s);
        return false;
    }
    forget_ahead(s);
    s->inside = s->beside = s->in_good_faith = false;
    return true;
}

bool store_commit(struct store *s, struct err *err)
{
    return store_commit_asking(s, NULL, err);
}

bool store_again(const struct store *s)
{
    return s->again;
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
    if (s->changed)
        forget_homes(s);
    if (s->changed && !s->beside) /* it may have set the numbers aside */
        s->row_next = s->row_end = 0;
    s->changed = s->guarded = s->inside = s->failed = s->beside = s->allowed = false;
    s->trusts = s->in_good_faith = false;
}

void store_savepoint(struct store *s)
{
    s->guarded = !s->failed;
    store_writes_ours(s, 0);
    store_run(s, "SAVEPOINT one", 0, NULL);
}

void store_release(struct store *s)
{
    store_writes_ours(s, 0);
    store_run(s, "RELEASE SAVEPOINT one", 0, NULL);
    s->guarded = false;
}

void store_rollback_to(struct store *s)
{
    store_forget_cached(s);
    forget_homes(s);
    if (!s->beside)
        s->row_next = s->row_end = 0;
    cache_clear(s->absent);
    s->failed = s->failed && (store_broken(s) || !s->guarded);
    store_writes_ours(s, 0);
    store_run(s, "ROLLBACK TO SAVEPOINT one", 0, NULL);
    store_release(s);
}

/* ---- the row cache ---- */

void row_keep(struct store *s, struct cache_key key, int n, const struct str *parts)
{
    if (!s->failed)
        cache_keep(s->rows, key, n, parts);
}
