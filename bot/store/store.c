/* See store.h. Here: opening, accounts, heard marks, named values. The rest is by subject, one file
 * each; below all of them store_sql.c: statements, transactions, the row cache. */
#include "store_table.h"
#include "sum.h"

#include "alloc.h"

#include <assert.h>
#include <limits.h>

enum { SCRATCH = 64 * 1024 * 1024, CACHED_ROWS = 8192, CACHED_BYTES = 4 * 1024 * 1024 };

struct store *store_over(struct db *db)
{
    struct store *s = alloc_zeroed(sizeof *s);
    s->db = db;
    s->scratch = arena_open(SCRATCH);
    s->statements = arena_open(SCRATCH);
    s->rows = cache_open(CACHED_ROWS, CACHED_BYTES);
    s->written = cache_open(CACHED_ROWS, CACHED_BYTES);
    return s;
}

/* *ret_broken, if it fails: the same may succeed later. */
static bool open_with(struct db *db, bool (*prepare)(struct store *s, struct err *err),
                      struct store **ret, bool *ret_broken, struct err *err)
{
    struct store *s = store_over(db);
    if (!prepare(s, err)) {
        *ret_broken = store_faltered(s);
        store_close(s);
        return false;
    }
    *ret = s;
    return true;
}

bool store_open_db(struct db *db, struct store **ret, struct err *err)
{
    bool broken;
    return open_with(db, store_migrate, ret, &broken, err);
}

bool store_open_to_read(struct str where, struct store **ret, struct err *err)
{
    struct db *db;
    bool broken;
    return db_open_beside(where, false, &db, err) &&
           open_with(db, store_is_current, ret, &broken, err);
}

bool store_open_beside(struct str where, struct store **ret, struct err *err)
{
    struct db *db;
    bool broken;
    return db_open_beside(where, true, &db, err) &&
           open_with(db, store_is_current, ret, &broken, err);
}

bool store_open(struct str where, struct store **ret, struct err *err)
{
    return store_open_in_turn(where, &(struct store_turn){0}, ret, err);
}

bool store_open_in_turn(struct str where, const struct store_turn *turn, struct store **ret,
                        struct err *err)
{
    bool useless = false;
    const struct db_turn for_db = {turn->n, turn->accounts, turn->wait, turn->arg,
                                   NULL,    turn->bots,     &useless};
    struct db *db;
    struct arena *a = arena_open(1 << 16);
    struct str shown = db_shown(a, where);
    bool good, broken, opened;
    do {
        broken = useless = false;
        opened = db_open_in_turn(where, &for_db, &db, err);
        good = opened && (open_with(db, store_migrate, ret, &broken, err) ||
                          err_wrap(err, "%.*s", STR_ARG(shown)));
    } while (!good && broken && db_is_server(where) && turn->wait &&
             turn->wait(turn->arg, "", err->text));
    if (turn->ret_useless)
        *turn->ret_useless = !good && (useless || (opened && !broken));
    arena_close(a);
    return good;
}

bool store_is_server(struct str where)
{
    return db_is_server(where);
}

struct str store_shown(struct arena *a, struct str where)
{
    return db_shown(a, where);
}

struct str store_holders(struct arena *a, struct str where)
{
    return db_holders(a, where);
}

void store_close(struct store *s)
{
    if (!s)
        return;
    assert(!s->failed || s->inside); /* somebody did not ask */
    s->db->verbs->close(s->db);
    arena_close(s->scratch);
    arena_close(s->statements);
    cache_close(s->rows);
    cache_close(s->written);
    free(s);
}

void store_idle(struct store *s)
{
    s->db->verbs->idle(s->db);
}

bool store_damaged(const struct store *s, struct err *err)
{
    return s->db->damage.text[0] && !err_set(err, "%s", s->db->damage.text);
}

bool store_faltered(const struct store *s)
{
    return s->db->faltered || s->db->stale;
}

bool store_stale(const struct store *s)
{
    return s->db->stale;
}

bool store_keep(struct store *s, int *ret_ms, struct err *err)
{
    *ret_ms = INT_MAX;
    return !s->db->verbs->keep || s->db->verbs->keep(s->db, ret_ms, err);
}

bool store_holds(const struct store *s, int account)
{
    return !s->db->holder || (s->db->held >> account & 1) > 0;
}

bool store_foreign(struct store *s)
{
    bool foreign = s->foreign || s->db->foreign;
    if (s->db->foreign)
        store_forget_cached(s); /* else the transaction has done so */
    s->foreign = s->db->foreign = false;
    return foreign;
}

bool store_regroup(const struct store *s)
{
    return s->db->regroup;
}

bool store_checked(const struct store *s)
{
    return s->db->checked;
}

struct cache_counts store_cache(const struct store *s)
{
    return cache_counts(s->rows);
}

/* ---- features ---- */

const struct store_feature *const store_features[] = {
    &feature_seasons, &feature_figures,    &feature_rating,   &feature_puzzle,
    &feature_seek,    &feature_tournament, &feature_operator, NULL};

void store_uncount(struct store *s)
{
    for (int i = 0; store_features[i]; i++)
        for (const char *const *sql = store_features[i]->uncount; *sql; sql++)
            store_run(s, *sql, 0, NULL);
}

/* ---- accounts ---- */

int64_t store_account(struct store *s, struct str name)
{
    const struct db_value called = db_text(name);
    int64_t id = store_number(s, "SELECT id FROM account WHERE name = $1", 1, &called);
    return id ? id
              : store_number(s, "INSERT INTO account (name) VALUES ($1) RETURNING id", 1, &called);
}

struct str store_cursor(struct store *s, struct arena *a, int64_t account)
{
    return store_text(s, a, "SELECT cursor FROM account WHERE id = $1", VALUES(db_int(account)));
}

void store_set_cursor(struct store *s, int64_t account, struct str cursor)
{
    store_run(s, "UPDATE account SET cursor = $1 WHERE id = $2",
              VALUES(db_text(cursor), db_int(account)));
}

bool store_hear(struct store *s, int64_t account, struct str id, int64_t what, int64_t now)
{
    return store_changed(
               s,
               "INSERT INTO heard (account, id, what, at) SELECT $1, $2, $3, $4 WHERE NOT "
               "EXISTS (SELECT 1 FROM heard WHERE account = $1 AND id = $2 AND (what = $3 "
               "OR what = 0))",
               VALUES(db_int(account), db_text(id), db_int(what), db_int(now))) > 0;
}

void store_forget_heard(struct store *s, int64_t before, int most)
{
    struct db_table t =
        store_ask(s, NULL, "SELECT at FROM heard WHERE at < $1 ORDER BY at LIMIT $2",
                  VALUES(db_int(before), db_int(most)));
    if (t.rows)
        store_run(s, "DELETE FROM heard WHERE at <= $1", VALUES(t.at[t.rows - 1]));
}

/* ---- values by name ---- */

struct meta_row {
    struct str name, value;
    int64_t sum;
};

static int64_t checksum(const void *at)
{
    const struct meta_row *row = at;
    return sum_meta(row->name, row->value);
}

#define META(member) COLUMN(struct meta_row, member)
static const struct sql_column meta_columns[] = {
    META(name), META(value), COLUMN_OF(struct meta_row, sum, "sum", COLUMN_CHECKSUM)};
static const struct sql_table metas = {"meta", .n_keys = 1, .checksum = checksum,
                                       ROWS(struct meta_row, meta_columns)};

/* A damaged value is damage of the store: no daemon can do without one of them. */
struct str store_meta(struct store *s, struct arena *a, struct str name)
{
    const struct meta_row *row = store_find(s, a, &metas, "WHERE name = $1", VALUES(db_text(name)));
    if (!row)
        return STR("");
    if (!sum_holds(row->sum, checksum(row)) && written_here(s, 0, name)) {
        store_fail(s, "the value %.*s: %s", STR_ARG(name), WRITTEN_WRONG);
    } else if (!sum_holds(row->sum, checksum(row))) {
        db_damaged(s->db, "a checksum in the table meta");
        store_fail(s, "%s", s->db->damage.text);
    }
    return row->value;
}

void store_set_meta(struct store *s, struct str name, struct str value)
{
    write_here(s, 0, name);
    store_upsert(s, &metas, &(struct meta_row){.name = name, .value = value});
}
