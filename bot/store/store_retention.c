/* Matches and tournaments leave the store some time after their end, if the operator wants that. */
#include "store_sql.h"

static bool date_old_ones(struct store *s, int64_t now, int most, struct err *err)
{
    return store_run(s,
                     "UPDATE session SET ended = $1 WHERE id IN (SELECT id FROM session WHERE "
                     "ended = 1 LIMIT $2)",
                     VALUES(db_int(now), db_int(most)), NULL, err);
}

/* The chats of a session, "3 17", from its row: to look for those of a session would read the whole
 * table. */
static bool unlink_chats(struct store *s, int64_t session, struct str chats, struct err *err)
{
    while (chats.n) {
        int64_t chat;
        if (str_int(str_cut(chats, ' ', &chats), &chat) &&
            !store_run(s, "DELETE FROM session_chat WHERE chat = $1 AND live = 0 AND session = $2",
                       VALUES(db_int(chat), db_int(session)), NULL, err))
            return false;
    }
    return true;
}

bool store_forget_matches(struct store *s, int64_t before, int64_t now, int most, struct err *err)
{
    struct db_table t;
    if (!date_old_ones(s, now, most, err) ||
        !store_ask(s, NULL,
                   "SELECT id, chats FROM session WHERE ended > 1 AND ended < $1 AND live = 0 "
                   "ORDER BY ended LIMIT $2",
                   VALUES(db_int(before), db_int(most)), &t, err))
        return false;
    for (int i = 0; i < t.rows; i++) {
        int64_t session = t.at[2 * i].i;
        row_cache_drop(s->rows, ROW_SESSION, session, STR(""));
        if (!unlink_chats(s, session, t.at[2 * i + 1].s, err) ||
            !store_run(s, "DELETE FROM record WHERE session = $1", VALUES(db_int(session)), NULL,
                       err) ||
            !store_run(s, "DELETE FROM session WHERE id = $1", VALUES(db_int(session)), NULL, err))
            return false;
    }
    return true;
}

bool store_forget_tournaments(struct store *s, int64_t before, int most, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL,
                   "SELECT id FROM tournament WHERE stage > 1 AND ends < $1 ORDER BY ends LIMIT $2",
                   VALUES(db_int(before), db_int(most)), &t, err))
        return false;
    for (int i = 0; i < t.rows; i++) {
        int64_t id = t.at[i].i;
        if (!store_run(s, "DELETE FROM tournament_game WHERE tournament = $1", VALUES(db_int(id)),
                       NULL, err) ||
            !store_run(s, "DELETE FROM tournament_player WHERE tournament = $1", VALUES(db_int(id)),
                       NULL, err) ||
            !store_run(s, "DELETE FROM tournament WHERE id = $1", VALUES(db_int(id)), NULL, err))
            return false;
    }
    return true;
}
