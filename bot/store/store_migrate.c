/* Schema migrations: the numbered files config/schema/NNN_name.sql, never edited once released. All
 * new ones are applied in order, with a note of each, in one transaction. A database with a number
 * that this program does not know belongs to a newer program and is refused. */
#include "embedded.h"
#include "store_sql.h"

/* The number of "schema/012_name.sql"; 0 if it is no such file. */
static int number_of(const char *name)
{
    struct str s = str_of(name);
    int64_t n = 0;
    if (!str_starts(s, STR("schema/")) || s.n < 11)
        return 0;
    return str_int((struct str){s.p + 7, 3}, &n) && n > 0 ? (int)n : 0;
}

/* The number of the newest file. */
static int newest_known(void)
{
    int known = 0;
    for (int i = 0; i < embedded_count(); i++) {
        int number = number_of(embedded_at(i).name);
        known = number > known ? number : known;
    }
    return known;
}

static bool newest_applied(struct store *s, int64_t *ret, struct err *err)
{
    struct db_table t;
    if (!s->db->verbs->script(
            s->db,
            STR("CREATE TABLE IF NOT EXISTS migration (number BIGINT PRIMARY KEY, "
                "name TEXT NOT NULL)"),
            err) ||
        !store_ask(s, NULL, "SELECT COALESCE(MAX(number), 0) FROM migration", 0, NULL, &t, err))
        return false;
    *ret = t.at[0].i;
    return true;
}

static bool apply(struct store *s, struct embedded file, int number, struct err *err)
{
    return s->db->verbs->script(s->db, file.bytes, err) &&
           store_run(s, "INSERT INTO migration (number, name) VALUES ($1, $2)",
                     VALUES(db_int(number), db_text(str_of(file.name))), NULL, err);
}

static bool apply_new(struct store *s, struct err *err)
{
    int64_t have;
    if (!newest_applied(s, &have, err))
        return false;
    int known = newest_known();
    for (int i = 0; i < embedded_count(); i++) {
        struct embedded file = embedded_at(i);
        int number = number_of(file.name);
        if (number > have && !apply(s, file, number, err))
            return err_wrap(err, "%s", file.name);
    }
    if (have > known)
        return err_set(err,
                       "schema: expected at most %d, got %d: the store belongs to a newer "
                       "koikoi",
                       known, (int)have);
    return true;
}

bool store_migrate(struct store *s, struct err *err)
{
    if (store_begin(s, err) && apply_new(s, err) && store_commit(s, err))
        return true;
    store_rollback(s);
    return false;
}

bool store_is_current(struct store *s, struct err *err)
{
    struct db_table t;
    int known = newest_known();
    if (!store_ask(s, NULL, "SELECT COALESCE(MAX(number), 0) FROM migration", 0, NULL, &t, err))
        return false;
    return t.at[0].i == known ||
           err_set(err, "schema: expected %d, got %d: the store is of another version of koikoi",
                   known, (int)t.at[0].i);
}
