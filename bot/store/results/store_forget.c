/* See store_forget.h. */
#include "store_forget.h"

#include "store.h"
#include "store_sql.h"
#include "sum.h"

/* The last of the next `most` ids, 0 if there are none. */
static bool window_end(struct store *s, struct arena *a, int64_t after, int most, int64_t *ret,
                       struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT COALESCE(MAX(id), 0) FROM (SELECT id FROM session WHERE id > $1 ORDER "
                   "BY id LIMIT $2) AS next_ones",
                   VALUES(db_int(after), db_int(most)), &t, err))
        return false;
    *ret = t.at[0].i;
    return true;
}

bool store_sessions_naming(struct store *s, struct arena *a, int64_t who, struct session_window w,
                           struct session_rows *ret, int64_t *ret_reached, struct err *err)
{
    struct db_table t;
    struct str id = arena_print(a, "%% %lld %%", (long long)who);
    struct str left = arena_print(a, "%%.person=%lld %%", (long long)who);
    int64_t last;
    if (!window_end(s, a, w.after, w.scanned, &last, err) ||
        !store_ask(
            s, a,
            "SELECT id FROM session WHERE id > $1 AND id <= $2 AND (' ' || people || ' ' LIKE $3 "
            "OR (live = 1 AND line LIKE $4) OR id IN (SELECT session FROM played WHERE chat = 0 "
            "AND person = $5 AND session > $1 AND session <= $2)) ORDER BY id LIMIT $6",
            VALUES(db_int(w.after), db_int(last), db_text(id), db_text(left), db_int(who),
                   db_int(w.most)),
            &t, err))
        return false;
    ret->n = 0;
    ret->at = arena_array(a, struct session_row, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++) {
        bool found;
        if (!store_session(s, a, t.at[i].i, &ret->at[ret->n], &found, err))
            return false;
        ret->n += found;
    }
    *ret_reached = last == 0 ? INT64_MAX : t.rows == w.most ? t.at[t.rows - 1].i : last;
    return true;
}

bool store_record_head(struct store *s, struct arena *a, int64_t session, int64_t *ret_id,
                       struct str *ret, struct err *err)
{
    struct db_table t;
    *ret_id = 0;
    if (!store_ask(s, a, "SELECT id, lines, sum FROM record WHERE session = $1 ORDER BY id LIMIT 1",
                   VALUES(db_int(session)), &t, err))
        return false;
    if (t.rows && sum_holds(t.at[2].i, sum_record(session, t.at[1].s))) {
        *ret_id = t.at[0].i;
        *ret = t.at[1].s;
    }
    return true;
}

bool store_rewrite_record(struct store *s, int64_t id, int64_t session, struct str lines,
                          struct err *err)
{
    return store_run(s, "UPDATE record SET lines = $1, sum = $2 WHERE id = $3",
                     VALUES(db_text(lines), db_int(sum_record(session, lines)), db_int(id)), NULL,
                     err);
}

bool store_handles_called(struct store *s, struct arena *a, struct str called, struct people *ret,
                          struct err *err)
{
    struct db_table t;
    struct str handle = str_starts(called, STR("@")) ? str_skip(called, 1) : called;
    if (!store_ask(s, a,
                   "SELECT " PERSON " FROM person WHERE network_id = $1 OR (handle_key <> '' AND "
                   "handle_key = LOWER($2)) OR '#' || id = $1 ORDER BY id LIMIT 64",
                   VALUES(db_text(called), db_text(handle)), &t, err))
        return false;
    store_people_of(a, &t, ret);
    return true;
}

static bool forget_handle(struct store *s, const struct person *p, struct str name, struct err *err)
{
    const struct db_value chat[] = {db_int(p->account), db_text(p->direct_chat)};
    return store_run(s,
                     "UPDATE person SET network_id = NULL, name = $1, handle = '', handle_key = "
                     "'', language = '', prefs = '', direct_chat = '', reachable = 0 WHERE id = $2",
                     VALUES(db_text(name), db_int(p->id)), NULL, err) &&
           store_run(s, "DELETE FROM link_code WHERE person = $1", VALUES(db_int(p->id)), NULL,
                     err) &&
           store_run(s, "DELETE FROM seek WHERE person = $1", VALUES(db_int(p->id)), NULL, err) &&
           store_run(s, "DELETE FROM watch WHERE person = $1", VALUES(db_int(p->id)), NULL, err) &&
           store_run(s, "DELETE FROM badge WHERE person = $1", VALUES(db_int(p->id)), NULL, err) &&
           store_run(s, "DELETE FROM puzzle_answer WHERE person = $1", VALUES(db_int(p->id)), NULL,
                     err) &&
           (p->direct_chat.n == 0 ||
            (store_run(s, "DELETE FROM post WHERE account = $1 AND place = $2", 2, chat, NULL,
                       err) &&
             store_run(s,
                       "DELETE FROM season_open WHERE chat IN (SELECT id FROM chat WHERE account "
                       "= $1 AND key = $2)",
                       2, chat, NULL, err) &&
             store_run(s,
                       "UPDATE chat SET name = '', settings = '', key = 'forgotten ' || id WHERE "
                       "account = $1 AND key = $2",
                       2, chat, NULL, err)));
}

/* Their places in tournaments that have not begun; of those that run they are gone. */
static bool leave_tournaments(struct store *s, int64_t handle, struct err *err)
{
    return store_run(s,
                     "DELETE FROM tournament_player WHERE person = $1 AND tournament IN (SELECT id "
                     "FROM tournament WHERE stage = 0)",
                     VALUES(db_int(handle)), NULL, err) &&
           store_run(s, "UPDATE tournament_player SET gone = 1 WHERE person = $1",
                     VALUES(db_int(handle)), NULL, err);
}

/* Their matches are still to be gone through. */
static bool forget_matches_later(struct store *s, int64_t who, const struct person *p,
                                 struct str name, struct err *err)
{
    return store_run(s, "DELETE FROM forgetting WHERE person = $1", VALUES(db_int(p->id)), NULL,
                     err) &&
           store_run(s,
                     "INSERT INTO forgetting (person, who, account, direct_chat, name) VALUES ($1, "
                     "$2, $3, $4, $5)",
                     VALUES(db_int(p->id), db_int(who), db_int(p->account), db_text(p->direct_chat),
                            db_text(name)),
                     NULL, err);
}

bool store_forget_handles(struct store *s, int64_t who, const struct people *handles,
                          struct str name, struct err *err)
{
    for (int i = 0; i < handles->n; i++)
        if (!forget_matches_later(s, who, &handles->at[i], name, err) ||
            !forget_handle(s, &handles->at[i], name, err) ||
            !leave_tournaments(s, handles->at[i].id, err))
            return false;
    cache_clear(s->rows);
    return true;
}

bool store_forgetting(struct store *s, struct arena *a, struct forgetting *ret, bool *ret_found,
                      struct err *err)
{
    enum { COLUMNS = 6 };
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT person, account, direct_chat, reached, name, who FROM forgetting WHERE "
                   "who = (SELECT who FROM forgetting ORDER BY person LIMIT 1) ORDER BY person",
                   0, NULL, &t, err))
        return false;
    *ret_found = t.rows > 0;
    *ret = (struct forgetting){.handles = {0, arena_array(a, struct person, (size_t)t.rows)},
                               .next = -1};
    for (int i = t.rows - 1; i >= 0; i--) {
        const struct db_value *v = &t.at[(size_t)i * COLUMNS];
        ret->handles.at[i] =
            (struct person){.id = v[0].i, .account = v[1].i, .direct_chat = v[2].s};
        ret->name = v[4].s;
        ret->who = v[5].i;
        if (v[3].i < INT64_MAX) {
            ret->next = i;
            ret->reached = v[3].i;
        }
    }
    ret->handles.n = t.rows;
    return true;
}

bool store_forgotten_up_to(struct store *s, const struct forgetting *f, int64_t reached,
                           struct err *err)
{
    return store_run(s, "UPDATE forgetting SET reached = $1 WHERE person = $2",
                     VALUES(db_int(reached), db_int(f->handles.at[f->next].id)), NULL, err);
}

bool store_forgotten(struct store *s, const struct forgetting *f, struct err *err)
{
    return store_run(s, "DELETE FROM forgetting WHERE who = $1", VALUES(db_int(f->who)), NULL, err);
}
