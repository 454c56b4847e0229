/* See store_host.h: health, backup, restore. */
#include "store_host.h"

#include "db_file.h"
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
    if (h->exists) {
        (void)store_schema(s);
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

/* Gives `from` to the name `where`. What stood there is `aside` from then on, its log beside it. */
static bool take_place(struct arena *a, const char *from, const char *where, const char *aside,
                       struct err *err)
{
    const char *log = arena_print(a, "%s-wal", where).p;
    if (file_exists(where)) {
        bool moved = link(where, aside) == 0 &&
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
    if (file_exists(path)) {
        lock = db_lock(path, 0, err);
        if (lock < 0)
            return false;
        for (int i = 1; ret_aside->n == 0; i++) {
            struct str name = arena_print(a, "%s.before-%d", path, i);
            if (!file_exists(name.p))
                *ret_aside = name;
        }
    }
    bool good = restore(a, from, path, ret_aside->n ? ret_aside->p : "", err);
    if (lock >= 0)
        close(lock);
    return good;
}
