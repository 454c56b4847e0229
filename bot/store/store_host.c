/* See store_host.h: health, backup, restore, a move. */
#include "store_host.h"

#include "db_file.h"
#include "db_open.h"
#include "file.h"
#include "store_quarantine.h"
#include "store_sql.h"
#include "sum.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { SCRATCH = 1 << 20, PAGE = 200, DAMAGED_MOST = 100 };

static_assert(sizeof((struct store_health *)0)->host / sizeof(struct host_found) == DB_HOSTS,
              "one for each host");

/* ---- health ---- */

static void add_damaged(struct store_health *h, int64_t session)
{
    for (int i = 0; i < h->damaged.n; i++)
        if (h->damaged.at[i] == session)
            return;
    if (h->damaged.n < DAMAGED_MOST)
        h->damaged.at[h->damaged.n++] = session;
}

static void examine_sessions(struct store *s, struct store_health *h)
{
    struct session_rows rows = {.n = PAGE};
    for (int64_t after = 0; rows.n == PAGE;) {
        arena_reset(s->scratch);
        rows = store_all_sessions(s, s->scratch, after, PAGE);
        for (int i = 0; i < rows.n; i++) {
            if (rows.at[i].due == DUE_QUARANTINED)
                h->quarantined++;
            else if (rows.at[i].damaged)
                add_damaged(h, rows.at[i].id);
            after = rows.at[i].id;
        }
        h->sessions += rows.n;
    }
}

static void examine_records(struct store *s, struct store_health *h)
{
    enum { COLUMNS = 4 };
    struct db_table t = {.rows = PAGE};
    for (int64_t after = 0; t.rows == PAGE;) {
        t = store_ask(s, NULL,
                      "SELECT id, session, lines, sum FROM record WHERE id > $1 ORDER BY id LIMIT "
                      "$2",
                      VALUES(db_int(after), db_int(PAGE)));
        for (int i = 0; i < t.rows; i++) {
            const struct db_value *v = &t.at[i * COLUMNS];
            if (v[3].i != sum_record(v[1].i, v[2].s))
                add_damaged(h, v[1].i);
            after = v[0].i;
        }
    }
}

static void examine_values(struct store *s)
{
    struct arena *a = arena_open(SCRATCH);
    struct db_table names = store_ask(s, a, "SELECT name FROM meta ORDER BY name", 0, NULL);
    for (int i = 0; i < names.rows; i++)
        (void)store_meta(s, a, names.at[i].s);
    arena_close(a);
}

/* A daemon that starts has not made its tables yet. */
static bool has_tables(struct store *s)
{
    struct db_table t = store_ask(s, NULL, s->db->verbs->tables, 0, NULL);
    bool found = false;
    for (int i = 0; i < t.rows; i++)
        found |= str_is(t.at[i].s, STR("migration"));
    return found;
}

static void examine_cursors(struct store *s, struct arena *a, struct store_health *h)
{
    enum { MOST = sizeof h->cursor / sizeof *h->cursor };
    struct db_table t =
        store_ask(s, a, "SELECT name, cursor FROM account ORDER BY id LIMIT 32", 0, NULL);
    for (int i = 0; i < t.rows && h->n_cursors < MOST; i++)
        h->cursor[h->n_cursors++] = (struct account_cursor){t.at[i * 2].s, t.at[i * 2 + 1].s};
}

static bool examine(struct store *s, struct arena *a, struct store_health *h, struct err *err)
{
    if (!s->db->verbs->check(s->db, err))
        return false;
    h->exists = has_tables(s);
    h->schema = h->exists ? store_schema(s) : 0;
    if (h->exists && h->schema == store_schema_newest()) { /* others have other columns */
        examine_sessions(s, h);
        examine_records(s, h);
        examine_values(s);
        examine_cursors(s, a, h);
        h->sealed = store_number(s, "SELECT COUNT(*) FROM vault", 0, NULL);
    }
    return !store_take_failure(s, err);
}

bool store_examine(struct str where, struct arena *a, struct store_health *ret, struct err *err)
{
    struct db *db;
    *ret = (struct store_health){.damaged.at = arena_array(a, int64_t, DAMAGED_MOST)};
    struct db_host host[DB_HOSTS];
    ret->n_hosts = db_hosts(a, where, host);
    for (int i = 0; i < ret->n_hosts; i++)
        ret->host[i] = (struct host_found){host[i].well, host[i].is};
    ret->exists = db_exists(a, where);
    if (!ret->exists)
        return true;
    if (!db_open_beside(where, false, &db, err))
        return false;
    struct store *s = store_over(db);
    bool good = examine(s, a, ret, err);
    store_close(s);
    return good;
}

/* ---- backup ---- */

/* A file of koikoi whose pages are sound. A damaged match in it is no reason to refuse it: the
 * daemon sets that one aside. */
static bool is_store(struct str where, struct arena *a, struct err *err)
{
    struct store_health health;
    if (!file_exists(arena_str(a, where).p))
        return err_set(err, "%.*s: there is no such file", STR_ARG(where));
    if (!store_examine(where, a, &health, err))
        return false;
    return health.exists ||
           err_set(err, "%.*s: expected a store of koikoi, got a file without its tables",
                   STR_ARG(where));
}

/* The server's own tools copy what a server keeps, also while a daemon plays. */
static bool is_file(struct str where, struct arena *a, const char *instead, struct err *err)
{
    if (!store_is_server(where))
        return true;
    return err_set(err, "the store is kept by %s: %s", store_shown(a, where).p, instead);
}

bool store_backup(struct str where, struct str to, struct err *err)
{
    struct arena *a = arena_open(SCRATCH);
    bool good =
        is_file(where, a, "pg_dump --format=custom copies it, beside a running daemon", err) &&
        db_sqlite_copy(where, to, err);
    if (good && !is_store(to, a, err)) {
        unlink(arena_str(a, to).p);
        good = false;
    }
    arena_close(a);
    return good;
}

/* Gives `from` to the name `where`. What stood there is `aside` from then on, its log beside it; so is
 * a log whose store is gone, which SQLite would write into the new one. */
static bool take_place(struct arena *a, const char *from, const char *where, const char *aside,
                       struct err *err)
{
    const char *log = arena_print(a, "%s-wal", where).p;
    file_hand_over(from, where);
    bool stands = file_exists(where);
    if (stands || file_exists(log)) {
        bool moved = (!stands || link(where, aside) == 0) &&
                     (!file_exists(log) || rename(log, arena_print(a, "%s-wal", aside).p) == 0);
        if (!moved)
            return err_set(err, "%s: cannot be kept as %s: %s", where, aside, strerror(errno));
        unlink(arena_print(a, "%s-shm", where).p);
    }
    return file_keep(from, where) ||
           err_set(err, "%s: cannot be renamed to %s: %s", from, where, strerror(errno));
}

/* Says of which file it is true. What helps a store in use is no use to a copy. */
static void refuse_backup(struct str from, struct err *err)
{
    char *remedy = strstr(err->text, DB_FILE_REMEDY);
    if (remedy)
        *remedy = '\0';
    (void)err_wrap(err, "the backup %.*s cannot be restored, the store is as it was",
                   STR_ARG(from));
}

static bool restore(struct arena *a, struct str from, const char *where, const char *aside,
                    struct err *err)
{
    struct str copy = arena_print(a, "%s.restored", where);
    struct store *store;
    unlink(copy.p); /* of a restore that was ended */
    bool good = is_store(from, a, err) && db_sqlite_copy(from, copy, err) &&
                store_open(copy, &store, err); /* migrates; refuses a newer one */
    if (good)
        store_close(store);
    else
        refuse_backup(from, err);
    good = good && take_place(a, copy.p, where, aside, err);
    if (!good)
        unlink(copy.p);
    return good;
}

bool store_restore(struct str from, struct str where, struct arena *a, struct str *ret_aside,
                   struct err *err)
{
    const char *path = arena_str(a, where).p;
    *ret_aside = STR("");
    int lock = -1;
    if (!is_file(where, a, "pg_restore puts a copy into a new database", err))
        return false;
    if (file_is_same(arena_str(a, from).p, path))
        return err_set(err, "%s: expected a backup, got the store itself", path);
    bool stands = file_exists(path);
    if (stands) {
        lock = db_lock(path, 0, err);
        if (lock < 0)
            return false;
    }
    struct str aside = STR("");
    for (int i = 1; aside.n == 0; i++) {
        struct str name = arena_print(a, "%s.before-%d", path, i);
        if (!file_exists(name.p) && !file_exists(arena_print(a, "%s-wal", name.p).p))
            aside = name;
    }
    bool good = restore(a, from, path, aside.p, err);
    if (good && stands)
        *ret_aside = aside;
    if (lock >= 0)
        close(lock);
    return good;
}

/* ---- a move ----
 * Tables, columns and keys are asked of the database, so that a new table needs nothing here. Rows are
 * read in pages by the primary key, whose order is that of bytes on both. */

enum { MOVE_PAGE = 500, KEYS_MOST = 8, COLUMNS_MOST = 40, NAMES = 1 << 20, MOVE_SCRATCH = 1 << 28 };

/* A table of one of the two, and the statements on it. */
struct moving {
    struct str name;
    int n_keys, n_columns;
    const char *first, *next, *insert;
};

struct tally_of_rows {
    int64_t rows;
    uint64_t hash; /* the sum of theirs: keys, and so the order of rows, may differ */
};

/* "a, b, c" of a column of names, or the "$1, $2, $3" that go with them. */
static struct str listed(struct arena *a, const struct db_table *t, bool numbers)
{
    struct str all = STR("");
    for (int i = 0; i < t->rows; i++)
        all = numbers
                  ? arena_print(a, "%.*s%s$%d", STR_ARG(all), i ? ", " : "", i + 1)
                  : arena_print(a, "%.*s%s%.*s", STR_ARG(all), i ? ", " : "", STR_ARG(t->at[i].s));
    return all;
}

/* The statements live as long as the databases, which know them by their address. */
static struct moving describe(struct store *s, struct arena *names, struct str name)
{
    const struct db_value table = db_text(name);
    struct db_table keys = store_ask(s, names, s->db->verbs->keys, 1, &table);
    struct db_table columns = store_ask(s, names, s->db->verbs->columns, 1, &table);
    if (keys.rows < 1 || keys.rows > KEYS_MOST || columns.rows > COLUMNS_MOST)
        store_fail(s, "table %.*s: expected a primary key and at most %d columns", STR_ARG(name),
                   COLUMNS_MOST);
    struct str key = listed(names, &keys, false), after = listed(names, &keys, true);
    struct str all = listed(names, &columns, false), values = listed(names, &columns, true);
    struct moving m = {.name = name, .n_keys = keys.rows, .n_columns = columns.rows};
    m.first = arena_print(names, "SELECT %.*s, %.*s FROM %.*s ORDER BY %.*s LIMIT %d", STR_ARG(key),
                          STR_ARG(all), STR_ARG(name), STR_ARG(key), MOVE_PAGE)
                  .p;
    m.next = arena_print(names,
                         "SELECT %.*s, %.*s FROM %.*s WHERE (%.*s) > (%.*s) ORDER BY %.*s LIMIT %d",
                         STR_ARG(key), STR_ARG(all), STR_ARG(name), STR_ARG(key), STR_ARG(after),
                         STR_ARG(key), MOVE_PAGE)
                 .p;
    m.insert =
        arena_print(names, "INSERT INTO %.*s VALUES (%.*s)", STR_ARG(name), STR_ARG(values)).p;
    return m;
}

static uint64_t mixed(uint64_t hash, const struct db_value *v)
{
    uint64_t one = v->kind == DB_NULL  ? 1
                   : v->kind == DB_INT ? (uint64_t)v->i + 2
                                       : str_hash(v->s) + v->s.n;
    return (hash ^ one) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
}

/* Reads a table to its end; each row also goes into `to`, if there is one. */
static struct tally_of_rows each_row(struct store *from, struct store *to, const struct moving *m)
{
    struct arena *a = arena_open(MOVE_SCRATCH);
    struct db_value last[KEYS_MOST];
    struct tally_of_rows sum = {0};
    struct db_table t = {.rows = MOVE_PAGE};
    while (t.rows == MOVE_PAGE) {
        bool begun = sum.rows > 0;
        t = store_ask(from, a, begun ? m->next : m->first, begun ? m->n_keys : 0, last);
        for (int i = 0; i < t.rows; i++) {
            const struct db_value *row = t.at + (size_t)i * (size_t)t.cols + m->n_keys;
            uint64_t hash = 0;
            for (int k = 0; k < m->n_columns; k++)
                hash = mixed(hash, &row[k]);
            sum.hash += hash;
            sum.rows++;
            if (to)
                store_run(to, m->insert, m->n_columns, row);
        }
        /* the next page begins behind the last key */
        if (t.rows == MOVE_PAGE) {
            struct arena *page = arena_open(MOVE_SCRATCH);
            for (int k = 0; k < m->n_keys; k++) {
                last[k] = t.at[(size_t)(t.rows - 1) * (size_t)t.cols + (size_t)k];
                if (last[k].kind != DB_INT)
                    last[k].s = arena_str(page, last[k].s);
            }
            arena_close(a);
            a = page;
        }
    }
    arena_close(a);
    return sum;
}

/* The schema's own steps leave a row in meta, which gives way. */
static void check_empty(struct store *to, const struct moving *m)
{
    if (str_is(m->name, STR("meta")))
        store_run(to, "DELETE FROM meta", 0, NULL);
    else if (each_row(to, NULL, m).rows > 0)
        store_fail(to, "%s: expected an empty store, got rows in the table %.*s", to->db->path,
                   STR_ARG(m->name));
}

/* Numbers that were given out are not given again, also if their rows are gone. */
static bool copy_counters(struct store *from, struct store *to, struct arena *names,
                          struct err *err)
{
    struct db_table t = store_ask(from, names, from->db->verbs->counters, 0, NULL);
    for (int i = 0; i < t.rows; i++)
        if (t.at[2 * i + 1].i > 0 &&
            !to->db->verbs->set_counter(to->db, t.at[2 * i].s, t.at[2 * i + 1].i, err))
            return false;
    return true;
}

static bool any_failed(struct store *from, struct store *to, struct err *err)
{
    return store_take_failure(from, err) || store_take_failure(to, err);
}

/* In a transaction of each. */
static bool move_all(struct store *from, struct store *to, struct arena *names,
                     struct store_moved *ret, struct err *err)
{
    struct db_table t = store_ask(from, names, from->db->verbs->tables, 0, NULL);
    struct moving *here = arena_array(names, struct moving, (size_t)t.rows);
    struct moving *there = arena_array(names, struct moving, (size_t)t.rows);
    struct store_moved sum = {0};
    for (int i = 0; i < t.rows; i++) {
        int n = sum.tables;
        if (str_is(t.at[i].s, STR("migration")))
            continue; /* both are at the newest step */
        here[n] = describe(from, names, t.at[i].s);
        there[n] = describe(to, names, t.at[i].s);
        check_empty(to, &there[n]);
        sum.tables++;
    }
    for (int i = 0; i < sum.tables && !any_failed(from, to, err); i++) {
        struct tally_of_rows was = each_row(from, to, &here[i]), is = each_row(to, NULL, &there[i]);
        if (is.rows != was.rows || is.hash != was.hash)
            store_fail(to, "expected %lld rows as they were, got %lld, or others",
                       (long long)was.rows, (long long)is.rows);
        if (any_failed(from, to, err))
            return err_wrap(err, "table %.*s", STR_ARG(here[i].name));
        sum.rows += was.rows;
    }
    *ret = sum;
    return !any_failed(from, to, err) && copy_counters(from, to, names, err) &&
           !any_failed(from, to, err);
}

bool store_move(struct str from, struct str to, struct store_moved *ret, struct err *err)
{
    struct store *source, *target = NULL;
    struct arena *names = arena_open(NAMES);
    bool there = db_exists(names, from), same = str_is(from, to);
    if (same)
        (void)err_set(err, "%.*s: a store moves into another one", STR_ARG(from));
    else if (!there)
        (void)err_set(err, "%.*s: there is no such file", STR_ARG(from));
    if (same || !there || !store_open(from, &source, err)) {
        arena_close(names);
        return false;
    }
    bool good = store_open(to, &target, err);
    if (good) {
        store_begin(source);
        store_begin(target);
        good = move_all(source, target, names, ret, err) && store_commit(target, err);
        store_rollback(target);
        store_rollback(source);
    }
    store_close(source);
    store_close(target);
    arena_close(names);
    return good;
}
