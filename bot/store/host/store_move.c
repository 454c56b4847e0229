/* See store_move.h. Tables, columns and keys are asked of the database, so that a new table needs
 * nothing here. Rows are read in pages by the primary key, whose order is that of bytes on both. */
#include "store_move.h"

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
static bool describe(struct db *db, struct arena *names, struct str name, struct moving *ret,
                     struct err *err)
{
    struct db_table keys, columns;
    const struct db_value table = db_text(name);
    if (!db->verbs->query(db, names, db->verbs->keys, 1, &table, &keys, err) ||
        !db->verbs->query(db, names, db->verbs->columns, 1, &table, &columns, err))
        return false;
    if (keys.rows < 1 || keys.rows > KEYS_MOST || columns.rows > COLUMNS_MOST)
        return err_set(err, "table %.*s: expected a primary key and at most %d columns",
                       STR_ARG(name), COLUMNS_MOST);
    struct str key = listed(names, &keys, false), after = listed(names, &keys, true);
    struct str all = listed(names, &columns, false), values = listed(names, &columns, true);
    *ret = (struct moving){.name = name, .n_keys = keys.rows, .n_columns = columns.rows};
    ret->first = arena_print(names, "SELECT %.*s, %.*s FROM %.*s ORDER BY %.*s LIMIT %d",
                             STR_ARG(key), STR_ARG(all), STR_ARG(name), STR_ARG(key), PAGE)
                     .p;
    ret->next = arena_print(names,
                            "SELECT %.*s, %.*s FROM %.*s WHERE (%.*s) > (%.*s) ORDER BY %.*s "
                            "LIMIT %d",
                            STR_ARG(key), STR_ARG(all), STR_ARG(name), STR_ARG(key), STR_ARG(after),
                            STR_ARG(key), PAGE)
                    .p;
    ret->insert =
        arena_print(names, "INSERT INTO %.*s VALUES (%.*s)", STR_ARG(name), STR_ARG(values)).p;
    return true;
}

static uint64_t mixed(uint64_t hash, const struct db_value *v)
{
    uint64_t one = v->kind == DB_NULL  ? 1
                   : v->kind == DB_INT ? (uint64_t)v->i + 2
                                       : str_hash(v->s) + v->s.n;
    return (hash ^ one) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
}

/* Reads a table to its end; each row also goes into `to`, if there is one. */
static bool each_row(struct db *from, struct db *to, const struct moving *m,
                     struct tally_of_rows *ret, struct err *err)
{
    struct arena *a = arena_open(SCRATCH);
    struct db_value last[KEYS_MOST];
    struct tally_of_rows sum = {0};
    struct db_table t = {.rows = PAGE};
    bool good = true;
    while (good && t.rows == PAGE) {
        bool begun = sum.rows > 0;
        good = from->verbs->query(from, a, begun ? m->next : m->first, begun ? m->n_keys : 0, last,
                                  &t, err);
        for (int i = 0; good && i < t.rows; i++) {
            const struct db_value *row = t.at + (size_t)i * (size_t)t.cols + m->n_keys;
            for (int k = 0; k < m->n_columns; k++)
                sum.hash = mixed(sum.hash, &row[k]);
            sum.rows++;
            good = !to || to->verbs->query(to, NULL, m->insert, m->n_columns, row, NULL, err);
        }
        /* the next page begins behind the last key */
        if (good && t.rows == PAGE) {
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
    *ret = sum;
    return good;
}

/* The schema's own steps leave a row in meta, which gives way. */
static bool is_empty(struct db *to, const struct moving *m, struct err *err)
{
    struct tally_of_rows there;
    if (str_is(m->name, STR("meta")))
        return to->verbs->query(to, NULL, "DELETE FROM meta", 0, NULL, NULL, err);
    if (!each_row(to, NULL, m, &there, err))
        return false;
    return there.rows == 0 ||
           err_set(err, "%s: expected an empty store, got rows in the table %.*s", to->path,
                   STR_ARG(m->name));
}

/* Numbers that were given out are not given again, also if their rows are gone. */
static bool copy_counters(struct db *from, struct db *to, struct arena *names, struct err *err)
{
    struct db_table t;
    bool good = from->verbs->query(from, names, from->verbs->counters, 0, NULL, &t, err);
    for (int i = 0; good && i < t.rows; i++)
        if (t.at[2 * i + 1].i > 0)
            good = to->verbs->set_counter(to, t.at[2 * i].s, t.at[2 * i + 1].i, err);
    return good;
}

static bool same(struct db *to, const struct moving *m, const struct tally_of_rows *was,
                 struct err *err)
{
    struct tally_of_rows is;
    if (!each_row(to, NULL, m, &is, err))
        return false;
    return (is.rows == was->rows && is.hash == was->hash) ||
           err_set(err, "table %.*s: expected %lld rows as they were, got %lld, or others",
                   STR_ARG(m->name), (long long)was->rows, (long long)is.rows);
}

/* In a transaction of each. */
static bool move_all(struct db *from, struct db *to, struct arena *names, struct store_moved *ret,
                     struct err *err)
{
    struct db_table t;
    struct store_moved sum = {0};
    if (!from->verbs->query(from, names, from->verbs->tables, 0, NULL, &t, err))
        return false;
    struct moving *here = arena_array(names, struct moving, (size_t)t.rows);
    struct moving *there = arena_array(names, struct moving, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++) {
        int n = sum.tables;
        if (str_is(t.at[i].s, STR("migration")))
            continue; /* both are at the newest step */
        if (!describe(from, names, t.at[i].s, &here[n], err) ||
            !describe(to, names, t.at[i].s, &there[n], err) || !is_empty(to, &there[n], err))
            return false;
        sum.tables++;
    }
    for (int i = 0; i < sum.tables; i++) {
        struct tally_of_rows was;
        if (!each_row(from, to, &here[i], &was, err) || !same(to, &there[i], &was, err))
            return err_wrap(err, "%.*s", STR_ARG(here[i].name));
        sum.rows += was.rows;
    }
    *ret = sum;
    return copy_counters(from, to, names, err);
}

static bool move_between(struct store *from, struct store *to, struct store_moved *ret,
                         struct err *err)
{
    struct arena *names = arena_open(NAMES);
    bool good = store_begin(from, err) && store_begin(to, err) &&
                move_all(from->db, to->db, names, ret, err) && store_commit(to, err);
    if (!good)
        store_rollback(to);
    store_rollback(from);
    store_close(from);
    store_close(to);
    arena_close(names);
    return good;
}

bool store_move(struct str from, struct str to, struct store_moved *ret, struct err *err)
{
    struct store *source, *target;
    struct arena *a = arena_open(1 << 16);
    bool there = db_exists(a, from);
    arena_close(a);
    if (!there)
        return err_set(err, "%.*s: there is no such file", STR_ARG(from));
    if (!store_open(from, &source, err))
        return false;
    if (store_open(to, &target, err))
        return move_between(source, target, ret, err);
    store_close(source);
    return false;
}
