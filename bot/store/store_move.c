/* See store_host.h: a move. Tables, columns and keys are asked of the database, so that a new table
 * needs nothing here. Rows are read in pages by the primary key, whose order is that of bytes on
 * both. */
#include "store_host.h"

#include "db_open.h"
#include "store_sql.h"

enum { PAGE = 500, KEYS_MOST = 8, COLUMNS_MOST = 40, NAMES = 1 << 20, SCRATCH = 1 << 28 };

/* A table of one of the two, and the statements on it. */
struct moving {
    struct str name;
    int n_keys, n_columns;
    const char *first, *next, *insert;
};

struct tally_of_rows {
    int64_t rows;
    uint64_t hash;
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
                          STR_ARG(all), STR_ARG(name), STR_ARG(key), PAGE)
                  .p;
    m.next = arena_print(names,
                         "SELECT %.*s, %.*s FROM %.*s WHERE (%.*s) > (%.*s) ORDER BY %.*s LIMIT %d",
                         STR_ARG(key), STR_ARG(all), STR_ARG(name), STR_ARG(key), STR_ARG(after),
                         STR_ARG(key), PAGE)
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
    struct arena *a = arena_open(SCRATCH);
    struct db_value last[KEYS_MOST];
    struct tally_of_rows sum = {0};
    struct db_table t = {.rows = PAGE};
    while (t.rows == PAGE) {
        bool begun = sum.rows > 0;
        t = store_ask(from, a, begun ? m->next : m->first, begun ? m->n_keys : 0, last);
        for (int i = 0; i < t.rows; i++) {
            const struct db_value *row = t.at + (size_t)i * (size_t)t.cols + m->n_keys;
            for (int k = 0; k < m->n_columns; k++)
                sum.hash = mixed(sum.hash, &row[k]);
            sum.rows++;
            if (to)
                store_run(to, m->insert, m->n_columns, row);
        }
        /* the next page begins behind the last key */
        if (t.rows == PAGE) {
            struct arena *page = arena_open(SCRATCH);
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
    bool there = db_exists(names, from);
    if (!there || !store_open(from, &source, err)) {
        arena_close(names);
        return !there ? err_set(err, "%.*s: there is no such file", STR_ARG(from)) : false;
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
