/* The newest finished match of each person, in whatever chat. */
#include "store_sql.h"

bool store_set_last_of_person(struct store *s, int64_t person, int64_t session, struct err *err)
{
    return store_run(
        s,
        "INSERT INTO last_match (person, session) VALUES ($1, $2) ON CONFLICT (person) "
        "DO UPDATE SET session = excluded.session",
        VALUES(db_int(person), db_int(session)), NULL, err);
}

bool store_last_of_person(struct store *s, int64_t person, int64_t *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL, "SELECT session FROM last_match WHERE person = $1",
                   VALUES(db_int(person)), &t, err))
        return false;
    *ret = t.rows ? t.at[0].i : 0;
    return true;
}
