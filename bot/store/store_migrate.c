/* The store's shape grows by numbered files, config/schema/NNN_name.sql: applied in order, all that
 * are new with their notes of having been applied in one transaction, never edited afterwards. A
 * database that has seen a number this program does not know belongs to a newer program and is not
 * touched. */
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
    int known = 0;
    for (int i = 0; i < embedded_count(); i++) {
        struct embedded file = embedded_at(i);
        int number = number_of(file.name);
        if (number > known)
            known = number;
        if (number > have && !apply(s, file, number, err))
            return err_wrap(err, "%s", file.name);
    }
    if (have > known)
        return err_set(err,
                       "the store was made by a newer koikoi (its shape is number %d, this program "
                       "knows up to %d)",
                       (int)have, known);
    return true;
}

bool store_migrate(struct store *s, struct err *err)
{
    if (store_begin(s, err) && apply_new(s, err) && store_commit(s, err))
        return true;
    store_rollback(s);
    return false;
}
