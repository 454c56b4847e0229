/* Damaged sessions leave play; what is left of them stays for the operator. */
#include "store_sql.h"

/* By the session alone, which reads both tables as a whole: its row, which lists chats and people,
 * cannot be trusted. */
static bool unlink_all(struct store *s, int64_t session, struct err *err)
{
    return store_run(s, "DELETE FROM session_chat WHERE session = $1", VALUES(db_int(session)),
                     NULL, err) &&
           store_run(s, "DELETE FROM session_person WHERE session = $1", VALUES(db_int(session)),
                     NULL, err);
}

bool store_set_aside(struct store *s, struct arena *a, int64_t session, int64_t now, struct str why,
                     struct ids *ret, struct err *err)
{
    cache_clear(s->rows);
    if (!store_ask_ids(s, a,
                       "SELECT DISTINCT chat FROM session_chat WHERE session = $1 AND live = 1 "
                       "ORDER BY chat LIMIT 8",
                       VALUES(db_int(session)), ret, err))
        return false;
    struct db_table t;
    if (!store_ask(s, NULL, "SELECT line FROM session WHERE id = $1", VALUES(db_int(session)), &t,
                   err))
        return false;
    return (t.rows == 0 || store_quarantine(s, 0, now, t.at[0].s, why, err)) &&
           unlink_all(s, session, err) &&
           store_run(s, "UPDATE session SET live = 0, due = $1 WHERE id = $2",
                     VALUES(db_int(DUE_ASIDE), db_int(session)), NULL, err);
}
