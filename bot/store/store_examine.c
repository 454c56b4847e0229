/* Examination of a store without opening it for use. See store_examine(). */
#include "store_sql.h"
#include "sum.h"

#include "alloc.h"

enum { PAGE = 200, DAMAGED_MOST = 100, SCRATCH = 64 * 1024 * 1024 };

static bool number(struct store *s, const char *sql, int64_t *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL, sql, 0, NULL, &t, err))
        return false;
    *ret = t.rows ? t.at[0].i : 0;
    return true;
}

static void add_damaged(struct store_health *h, int64_t session)
{
    for (int i = 0; i < h->damaged.n; i++)
        if (h->damaged.at[i] == session)
            return;
    if (h->damaged.n < DAMAGED_MOST)
        h->damaged.at[h->damaged.n++] = session;
}

static bool examine_sessions(struct store *s, struct store_health *h, struct err *err)
{
    struct session_rows rows = {0};
    for (int64_t after = 0;; after = rows.at[rows.n - 1].id) {
        arena_reset(s->scratch);
        if (!store_all_sessions(s, s->scratch, after, PAGE, &rows, err))
            return false;
        for (int i = 0; i < rows.n; i++)
            if (rows.at[i].damaged && rows.at[i].due != DUE_ASIDE)
                add_damaged(h, rows.at[i].id);
        h->sessions += rows.n;
        if (rows.n < PAGE)
            return true;
    }
}

static bool examine_records(struct store *s, struct store_health *h, struct err *err)
{
    struct db_table t;
    for (int64_t after = 0;; after = t.at[4 * (t.rows - 1)].i) {
        if (!store_ask(s, NULL,
                       "SELECT r.id, r.session, r.lines, r.sum FROM record AS r WHERE r.id > $1 "
                       "ORDER BY r.id LIMIT $2",
                       VALUES(db_int(after), db_int(PAGE)), &t, err))
            return false;
        for (int i = 0; i < t.rows; i++)
            if (!sum_holds(t.at[4 * i + 3].i, sum_record(t.at[4 * i + 1].i, t.at[4 * i + 2].s)))
                add_damaged(h, t.at[4 * i + 1].i);
        if (t.rows < PAGE)
            return true;
    }
}

/* A daemon that starts has not made its tables yet. */
static bool has_tables(struct store *s, bool *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL, s->db->verbs->tables, 0, NULL, &t, err))
        return false;
    *ret = false;
    for (int i = 0; i < t.rows; i++)
        *ret |= str_is(t.at[i].s, STR("migration"));
    return true;
}

static bool examine(struct store *s, struct store_health *h, struct err *err)
{
    int64_t schema;
    if (!s->db->verbs->check(s->db, err) || !has_tables(s, &h->exists, err))
        return false;
    if (!h->exists)
        return true;
    return store_schema(s, &schema, err) &&
           number(s, "SELECT COUNT(*) FROM vault", &h->sealed, err) &&
           examine_sessions(s, h, err) && examine_records(s, h, err) &&
           number(s, "SELECT COUNT(*) FROM session WHERE due = -1", &h->set_aside, err);
}

bool store_examine(struct str where, struct arena *a, struct store_health *ret, struct err *err)
{
    *ret = (struct store_health){.damaged.at = arena_array(a, int64_t, DAMAGED_MOST)};
    ret->exists = db_exists(a, where);
    if (!ret->exists)
        return true;
    struct store s = {0};
    if (!db_open_to_read(where, &s.db, err))
        return false;
    s.scratch = arena_open(SCRATCH);
    bool ok = examine(&s, ret, err);
    s.db->verbs->close(s.db);
    arena_close(s.scratch);
    return ok;
}
