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

/* Where daemons share the store, each looks after the chats of its accounts; the first chat of a
 * session is the one at home. One without a chat is anybody's. */
#define HOME_IS_OURS(n)                                                                            \
    " AND (s.chats = '' OR (SELECT c.account FROM chat c WHERE c.id = "                            \
    "NULLIF(split_part(s.chats, ' ', 1), '')::bigint) IN " ACCOUNTS_OF(n) ")"

static struct db_value us(const struct store *s)
{
    return db_text(str_of(s->db->holder));
}

bool store_live_chats(struct store *s, struct arena *a, int64_t after, int most, struct ids *ret,
                      struct err *err)
{
    if (s->db->shared && s->db->holder)
        return store_ask_ids(
            s, a,
            "SELECT DISTINCT l.chat FROM session_chat l JOIN chat c ON c.id = "
            "l.chat WHERE l.live = 1 AND l.chat > $1 AND c.account IN " ACCOUNTS_OF(
                3) " ORDER BY l.chat LIMIT $2",
            VALUES(db_int(after), db_int(most), us(s)), ret, err);
    return store_ask_ids(
        s, a,
        "SELECT DISTINCT chat FROM session_chat WHERE live = 1 AND chat > $1 ORDER BY "
        "chat LIMIT $2",
        VALUES(db_int(after), db_int(most)), ret, err);
}

bool store_due(struct store *s, struct arena *a, int64_t now, int most, struct ids *ret,
               struct err *err)
{
    if (s->db->shared && s->db->holder)
        return store_ask_ids(
            s, a,
            "SELECT s.id FROM session s WHERE s.due > 0 AND s.due <= $1" HOME_IS_OURS(
                3) " ORDER BY s.due, s.id LIMIT $2",
            VALUES(db_int(now), db_int(most), us(s)), ret, err);
    return store_ask_ids(
        s, a,
        "SELECT id FROM session WHERE due > 0 AND due <= $1 ORDER BY due, id LIMIT "
        "$2",
        VALUES(db_int(now), db_int(most)), ret, err);
}

#define SOONEST_DATES                                                                              \
    "SELECT MIN(due) FROM season_open WHERE due > 0 UNION ALL "                                    \
    "SELECT MIN(due) FROM puzzle_post WHERE due > 0 UNION ALL "                                    \
    "SELECT MIN(due) FROM announcement UNION ALL "                                                 \
    "SELECT MIN(due) FROM tournament WHERE due > 0 UNION ALL "                                     \
    "SELECT MIN(again) FROM quarantine WHERE again > 0) AS next"

bool store_soonest_due(struct store *s, int64_t *ret_due, struct err *err)
{
    static const char alone[] = "SELECT MIN(due) FROM (SELECT MIN(due) AS due FROM session WHERE "
                                "due > 0 UNION ALL " SOONEST_DATES;
    static const char shared[] =
        "SELECT MIN(due) FROM ((SELECT s.due FROM session s WHERE s.due > 0" HOME_IS_OURS(
            1) " ORDER BY s.due LIMIT 1) UNION ALL " SOONEST_DATES;
    const struct db_value by = s->db->holder ? us(s) : db_null();
    bool with = s->db->shared && s->db->holder;
    struct db_table t;
    if (!store_ask(s, NULL, with ? shared : alone, with, &by, &t, err))
        return false;
    *ret_due = t.rows ? t.at[0].i : 0;
    return true;
}
