/* Schema migrations: the numbered files config/schema/NNN_name.sql, never edited once released. The
 * first one makes all tables. All new ones are applied in order, with a note of each, in one
 * transaction. A store is refused that stands before the first one, or at a number that this
 * program does not know: it belongs to a newer one. */
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

/* The numbers of the first and the newest file. */
static void known_numbers(int *ret_first, int *ret_newest)
{
    *ret_first = *ret_newest = 0;
    for (int i = 0; i < embedded_count(); i++) {
        int number = number_of(embedded_at(i).name);
        if (number > 0 && (*ret_first == 0 || number < *ret_first))
            *ret_first = number;
        if (number > *ret_newest)
            *ret_newest = number;
    }
}

int store_schema_newest(void)
{
    int first, newest;
    known_numbers(&first, &newest);
    return newest;
}

struct str store_program(struct arena *a)
{
    struct str commit = embedded_commit();
    return arena_print(a, KOIKOI_VERSION "%s%.*s%s, schema %d", commit.n ? " (" : "",
                       STR_ARG(commit), commit.n ? ")" : "", store_schema_newest());
}

int64_t store_schema(struct store *s)
{
    int first, newest;
    known_numbers(&first, &newest);
    int64_t have = store_number(s, "SELECT COALESCE(MAX(number), 0) FROM migration", 0, NULL);
    if (have > 0 && have < first)
        store_fail(s,
                   "schema: expected at least %d, got %d: the store is of an early koikoi. "
                   "Version 0.1 brings it up to date",
                   first, (int)have);
    return have;
}

static bool apply(struct store *s, struct embedded file, int number, struct err *err)
{
    if (!s->db->verbs->script(s->db, file.bytes, err))
        return false;
    store_run(s, "INSERT INTO migration (number, name) VALUES ($1, $2)",
              VALUES(db_int(number), db_text(str_of(file.name))));
    return !store_take_failure(s, err);
}

static bool apply_new(struct store *s, struct err *err)
{
    int first, newest;
    known_numbers(&first, &newest);
    if (!s->db->verbs->script(
            s->db,
            STR("CREATE TABLE IF NOT EXISTS migration (number BIGINT PRIMARY KEY, "
                "name TEXT NOT NULL)"),
            err))
        return false;
    int64_t have = store_schema(s);
    if (have > newest)
        store_fail(s, "schema: expected at most %d, got %d: the store belongs to a newer koikoi",
                   newest, (int)have);
    if (store_take_failure(s, err))
        return false;
    for (int i = 0; i < embedded_count(); i++) {
        struct embedded file = embedded_at(i);
        int number = number_of(file.name);
        if (number > have && !apply(s, file, number, err))
            return err_wrap(err, "%s", file.name);
    }
    return true;
}

bool store_migrate(struct store *s, struct err *err)
{
    store_begin(s);
    if (!store_take_failure(s, err) && apply_new(s, err) && store_commit(s, err))
        return true;
    store_rollback(s);
    return false;
}

bool store_is_current(struct store *s, struct err *err)
{
    int first, newest;
    known_numbers(&first, &newest);
    int64_t have = store_schema(s);
    if (have != newest)
        store_fail(s, "schema: expected %d, got %d: the store is of another version of koikoi",
                   newest, (int)have);
    return !store_take_failure(s, err);
}
