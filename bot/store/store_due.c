/* Deadlines of sessions, seasons, puzzles and announcements, and the chats with live sessions. */
#include "store_sql.h"
#include "sum.h"

bool store_set_due(struct store *s, int64_t session, int64_t due, struct err *err)
{
    struct session_row row;
    bool found;
    arena_reset(s->scratch);
    if (!store_session(s, s->scratch, session, &row, &found, err))
        return false;
    row_cache_drop(s->rows, ROW_SESSION, session, STR(""));
    row.due = due;
    if (!found)
        return true;
    if (row.damaged) /* it keeps its checksum, so that it is still known as damaged */
        return store_run(s, "UPDATE session SET due = $1 WHERE id = $2",
                         VALUES(db_int(due), db_int(session)), NULL, err);
    return store_run(s, "UPDATE session SET due = $1, sum = $2 WHERE id = $3",
                     VALUES(db_int(due), db_int(sum_session(&row)), db_int(session)), NULL, err);
}

bool store_running(struct store *s, int64_t *ret_n, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL, "SELECT COUNT(*) FROM session WHERE due > 0", 0, NULL, &t, err))
        return false;
    *ret_n = t.rows ? t.at[0].i : 0;
    return true;
}

bool store_live_chats(struct store *s, struct arena *a, int64_t after, int most, struct ids *ret,
                      struct err *err)
{
    return store_ask_ids(
        s, a,
        "SELECT DISTINCT chat FROM session_chat WHERE live = 1 AND chat > $1 ORDER BY "
        "chat LIMIT $2",
        VALUES(db_int(after), db_int(most)), ret, err);
}

bool store_due(struct store *s, struct arena *a, int64_t now, int most, struct ids *ret,
               struct err *err)
{
    return store_ask_ids(
        s, a,
        "SELECT id FROM session WHERE due > 0 AND due <= $1 ORDER BY due, id LIMIT "
        "$2",
        VALUES(db_int(now), db_int(most)), ret, err);
}

bool store_soonest_due(struct store *s, int64_t *ret_due, struct err *err)
{
    struct db_table t;
    if (!store_ask(
            s, NULL,
            "SELECT MIN(due) FROM (SELECT MIN(due) AS due FROM session WHERE due > 0 UNION ALL "
            "SELECT MIN(due) FROM season_open WHERE due > 0 UNION ALL "
            "SELECT MIN(due) FROM puzzle_post WHERE due > 0 UNION ALL "
            "SELECT MIN(due) FROM announcement UNION ALL "
            "SELECT MIN(due) FROM tournament WHERE due > 0 UNION ALL "
            "SELECT MIN(again) FROM quarantine WHERE again > 0) AS next",
            0, NULL, &t, err))
        return false;
    *ret_due = t.rows ? t.at[0].i : 0;
    return true;
}
