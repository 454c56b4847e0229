/* Choice of the database by the name of the store. See db.h. */
#include "db_file.h"

#include "file.h"

bool db_is_server(struct str where)
{
    return str_starts(where, STR("postgresql://")) || str_starts(where, STR("postgres://"));
}

/* An address of something else, which may have a password in it. */
static bool is_foreign(struct str where)
{
    struct str rest = where;
    while (rest.n > 0 && ((*rest.p >= 'a' && *rest.p <= 'z') || (*rest.p >= 'A' && *rest.p <= 'Z')))
        rest = str_skip(rest, 1);
    return rest.n < where.n && str_starts(rest, STR("://")) && !db_is_server(where);
}

/* "host=db port=5432", as libpq has it. */
static bool is_keywords(struct str where)
{
    struct str value, keyword = str_cut(where, '=', &value);
    for (size_t i = 0; i < keyword.n; i++)
        if ((keyword.p[i] < 'a' || keyword.p[i] > 'z') && keyword.p[i] != '_')
            return false;
    bool several = value.n > 0 && memchr(value.p, ' ', value.n);
    return keyword.n > 0 && keyword.n < where.n &&
           (several || str_is(keyword, STR("host")) || str_is(keyword, STR("dbname")));
}

bool db_check_name(struct str where, struct err *err)
{
    if (is_foreign(where) || is_keywords(where))
        return err_set(err,
                       "store: expected a path or postgresql://USER:PASSWORD@HOST:PORT/DATABASE, "
                       "got an address of another kind");
    return true;
}

bool db_exists(struct arena *a, struct str where)
{
    return db_is_server(where) || file_exists(arena_str(a, where).p);
}

struct str db_holders(struct arena *a, struct str where)
{
    return db_is_server(where) ? db_postgres_holders(a, where) : db_sqlite_holders(a, where);
}

int db_hosts(struct arena *a, struct str where, struct db_host ret[static DB_HOSTS])
{
    return db_is_server(where) ? db_postgres_hosts(a, where, ret) : 0;
}

bool db_open_in_turn(struct str where, const struct db_turn *turn, struct db **ret, struct err *err)
{
    if (db_is_server(where))
        return db_postgres_open(where, turn, ret, err);
    bool useless = true; /* so is an address of another kind */
    bool good = db_check_name(where, err) && db_sqlite_open_or_say(where, ret, &useless, err);
    if (!good) {
        if (turn->ret_useless)
            *turn->ret_useless = useless;
        return false;
    }
    (*ret)->held = UINT64_MAX;
    return true;
}

bool db_open(struct str where, struct db **ret, struct err *err)
{
    return db_open_in_turn(where, &(struct db_turn){0}, ret, err);
}

bool db_open_beside(struct str where, bool to_write, struct db **ret, struct err *err)
{
    return db_is_server(where)
               ? db_postgres_open_beside(where, to_write, ret, err)
               : db_check_name(where, err) && db_sqlite_open_beside(where, to_write, ret, err);
}

struct str db_shown(struct arena *a, struct str where)
{
    return db_is_server(where) ? db_postgres_shown(a, where)
           : is_foreign(where) ? STR("of another kind")
                               : arena_str(a, where);
}
