/* See db_sqlite_check.h. */
#include "db_sqlite_check.h"

enum { ROOM = 1 << 20 };

static bool ask(struct db *db, struct arena *a, const char *sql, struct db_table *ret,
                struct err *err)
{
    return db->verbs->query(db, a, sql, 0, NULL, ret, err);
}

/* The quick check of SQLite does not compare indexes with their tables: a match that is missing in
 * one would be gone without a word. */
bool db_sqlite_check(struct db *db, struct err *err)
{
    struct arena *a = arena_open(ROOM);
    struct db_table t;
    bool ok = ask(db, a, "PRAGMA integrity_check(1)", &t, err);
    if (ok && !(t.rows == 1 && str_is(t.at[0].s, STR("ok")))) {
        struct str what = t.rows ? t.at[0].s : STR("the check found no file");
        if (str_starts(what, STR("***"))) /* a line that names the database */
            str_cut(what, '\n', &what);
        db_damaged(db, arena_str(a, what).p);
        ok = err_set(err, "%s", db->damage.text);
    }
    arena_close(a);
    return ok;
}

/* Order does not matter. Tools that recover a file add tables of their own, whose names begin with
 * "lost". */
bool db_sqlite_schema_sum(struct db *db, int32_t *ret, struct err *err)
{
    struct arena *a = arena_open(ROOM);
    struct db_table t;
    uint64_t sum = 0;
    bool ok = ask(db, a,
                  "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'lost%' "
                  "AND name NOT LIKE 'sqlite%'",
                  &t, err);
    for (int i = 0; ok && i < t.rows; i++)
        sum += str_hash(t.at[i].s);
    arena_close(a);
    *ret = (int32_t)((sum ^ sum >> 32) & 0x7fffffff);
    return ok;
}

bool db_sqlite_schema_sound(struct db *db, struct err *err)
{
    struct arena *a = arena_open(ROOM);
    struct db_table kept;
    int32_t is;
    bool ok = ask(db, a, "PRAGMA user_version", &kept, err) && db_sqlite_schema_sum(db, &is, err);
    if (ok && kept.at[0].i != 0 && kept.at[0].i != is) {
        db_damaged(db, "the text of a table or index");
        ok = err_set(err, "%s", db->damage.text);
    }
    arena_close(a);
    return ok;
}
