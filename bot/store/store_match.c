/* Sessions: their rows, and lists of the live ones of a chat or a person. Rows read or written
 * lately are cached (row_cache.h), so that moves of a match mostly write only. */
#include "store_sql.h"
#include "sum.h"

#include <assert.h>

#define SESSION   "id, version, due, live, people, chats, line, sum"
#define SESSION_S "s.id, s.version, s.due, s.live, s.people, s.chats, s.line, s.sum"

enum { ID_LIST = SESSION_SEATS * 21, LISTED_MOST = 32 };

/* "3 17 20" */
static struct str write_ids(char *array, int n, const int64_t *id)
{
    struct buf b = {array, 0, ID_LIST, false};
    for (int i = 0; i < n; i++) {
        if (i)
            buf_char(&b, ' ');
        buf_int(&b, id[i]);
    }
    assert(!b.cut);
    return buf_str(&b);
}

static int read_ids(struct str s, int64_t *ret_id)
{
    int n = 0;
    while (s.n && n < SESSION_SEATS) {
        struct str one = str_cut(s, ' ', &s);
        if (str_int(one, &ret_id[n]))
            n++;
    }
    return n;
}

static struct session_row session_of(const struct db_value *v)
{
    struct session_row r = {
        .id = v[0].i, .version = v[1].i, .due = v[2].i, .live = v[3].i != 0, .line = v[6].s};
    r.n_people = read_ids(v[4].s, r.person);
    r.n_chats = read_ids(v[5].s, r.chat);
    r.damaged = r.line.n > SESSION_LINE || !sum_holds(v[7].i, sum_session(&r));
    return r;
}

static bool one_session(struct store *s, struct arena *a, const char *sql, int64_t id,
                        struct session_row *ret, bool *ret_found, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, sql, VALUES(db_int(id)), &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = session_of(t.at);
    return true;
}

/* ---- the cache ---- */

static void keep_session(struct store *s, const struct session_row *row)
{
    const struct str parts[] = {{(const char *)row, sizeof *row}, row->line};
    row_cache_put(s->rows, ROW_SESSION, row->id, STR(""), 2, parts);
}

static bool find_session(struct store *s, struct arena *a, int64_t id, struct session_row *ret)
{
    struct str value;
    if (!row_cache_find(s->rows, ROW_SESSION, id, STR(""), &value))
        return false;
    memcpy(ret, value.p, sizeof *ret);
    ret->line = arena_str(a, str_skip(value, sizeof *ret));
    return true;
}

/* A list of at most so many, the latest first. */
struct listed {
    int most, n;
};

static void keep_list(struct store *s, enum row_kind kind, int64_t of, int most,
                      const struct session_rows *rows)
{
    int64_t ids[LISTED_MOST];
    const struct listed head = {most, rows->n};
    const struct str parts[] = {{(const char *)&head, sizeof head},
                                {(const char *)ids, (size_t)rows->n * sizeof *ids}};
    if (rows->n > LISTED_MOST)
        return;
    for (int i = 0; i < rows->n; i++) {
        ids[i] = rows->at[i].id;
        keep_session(s, &rows->at[i]);
    }
    row_cache_put(s->rows, kind, of, STR(""), 2, parts);
}

/* *ret_found is false if it is not cached, or cached with another limit. */
static bool find_list(struct store *s, struct arena *a, enum row_kind kind, int64_t of, int most,
                      struct session_rows *ret, bool *ret_found, struct err *err)
{
    struct str value;
    struct listed head;
    int64_t ids[LISTED_MOST];
    *ret_found = false;
    if (!row_cache_find(s->rows, kind, of, STR(""), &value))
        return true;
    memcpy(&head, value.p, sizeof head);
    if (head.most != most)
        return true;
    memcpy(ids, value.p + sizeof head, (size_t)head.n * sizeof *ids);
    ret->n = head.n;
    ret->at = arena_array(a, struct session_row, (size_t)head.n);
    *ret_found = true;
    for (int i = 0; i < head.n && *ret_found; i++)
        if (!store_session(s, a, ids[i], &ret->at[i], ret_found, err))
            return false;
    return true;
}

static bool many_sessions(struct store *s, struct arena *a, enum row_kind kind, const char *sql,
                          int64_t id, int most, struct session_rows *ret, struct err *err)
{
    struct db_table t;
    bool found;
    if (!find_list(s, a, kind, id, most, ret, &found, err))
        return false;
    if (found)
        return true;
    if (!store_ask(s, a, sql, VALUES(db_int(id), db_int(most)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct session_row, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = session_of(t.at + i * t.cols);
    keep_list(s, kind, id, most, ret);
    return true;
}

/* The lists that a session is in, or was. */
static void drop_lists(struct store *s, const struct session_row *row)
{
    for (int i = 0; i < row->n_chats; i++)
        row_cache_drop(s->rows, ROW_HERE, row->chat[i], STR(""));
    for (int i = 0; i < row->n_people; i++)
        row_cache_drop(s->rows, ROW_THEIRS, row->person[i], STR(""));
}

/* ---- who and where ---- */

static bool link_people(struct store *s, const struct session_row *row, struct err *err)
{
    for (int i = 0; row->live && i < row->n_people; i++)
        if (!store_run(s,
                       "INSERT INTO session_person (person, session) VALUES ($1, $2) ON CONFLICT "
                       "DO NOTHING",
                       VALUES(db_int(row->person[i]), db_int(row->id)), NULL, err))
            return false;
    return true;
}

static bool link_chats(struct store *s, const struct session_row *row, struct err *err)
{
    for (int i = 0; i < row->n_chats; i++)
        if (!store_run(s,
                       "INSERT INTO session_chat (chat, live, session) VALUES ($1, $2, $3) "
                       "ON CONFLICT DO NOTHING",
                       VALUES(db_int(row->chat[i]), db_int(row->live), db_int(row->id)), NULL, err))
            return false;
    return true;
}

bool store_link_session(struct store *s, const struct session_row *row, struct err *err)
{
    drop_lists(s, row);
    return link_people(s, row, err) && link_chats(s, row, err);
}

/* Each row is taken away by its whole key: to look for those of a session would read the whole
 * table. */
static bool unlink_people(struct store *s, const struct session_row *was, struct err *err)
{
    for (int i = 0; i < was->n_people; i++)
        if (!store_run(s, "DELETE FROM session_person WHERE person = $1 AND session = $2",
                       VALUES(db_int(was->person[i]), db_int(was->id)), NULL, err))
            return false;
    return true;
}

static bool unlink_chats(struct store *s, const struct session_row *was, struct err *err)
{
    for (int i = 0; i < was->n_chats; i++)
        if (!store_run(s, "DELETE FROM session_chat WHERE chat = $1 AND live = $2 AND session = $3",
                       VALUES(db_int(was->chat[i]), db_int(was->live), db_int(was->id)), NULL, err))
            return false;
    return true;
}

/* Ceilings that core keeps by construction; asking for more is a bug. */
static void check(const struct session_row *row)
{
    assert(row->n_people >= 0 && row->n_people <= SESSION_SEATS);
    assert(row->n_chats >= 0 && row->n_chats <= SESSION_SEATS);
    assert(row->line.n <= SESSION_LINE);
}

bool store_new_session(struct store *s, struct session_row *row, struct err *err)
{
    char people[ID_LIST], chats[ID_LIST];
    struct session_row made = *row;
    check(row);
    if (!store_make(s,
                    "INSERT INTO session (version, due, live, people, chats, line) "
                    "VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
                    VALUES(db_int(row->version), db_int(row->due), db_int(row->live),
                           db_text(write_ids(people, row->n_people, row->person)),
                           db_text(write_ids(chats, row->n_chats, row->chat)), db_text(row->line)),
                    &made.id, err))
        return false;
    made.damaged = false;
    if (!store_run(s, "UPDATE session SET sum = $1 WHERE id = $2",
                   VALUES(db_int(sum_session(&made)), db_int(made.id)), NULL, err))
        return false;
    if (!store_link_session(s, &made, err))
        return false;
    row->id = made.id;
    keep_session(s, row);
    return true;
}

bool store_session(struct store *s, struct arena *a, int64_t id, struct session_row *ret,
                   bool *ret_found, struct err *err)
{
    *ret_found = find_session(s, a, id, ret);
    if (*ret_found)
        return true;
    if (!one_session(s, a, "SELECT " SESSION " FROM session WHERE id = $1", id, ret, ret_found,
                     err))
        return false;
    if (*ret_found)
        keep_session(s, ret);
    return true;
}

/* The stored row without its `line` column, and so unchecked. */
static bool stored(struct store *s, int64_t id, struct session_row *ret, bool *ret_found,
                   struct err *err)
{
    struct str value;
    *ret_found = row_cache_find(s->rows, ROW_SESSION, id, STR(""), &value);
    if (*ret_found)
        memcpy(ret, value.p, sizeof *ret);
    return *ret_found ||
           one_session(
               s, s->scratch,
               "SELECT id, version, due, live, people, chats, '', 1 FROM session WHERE id = $1", id,
               ret, ret_found, err);
}

static bool same_ids(int n, const int64_t *a, int m, const int64_t *b)
{
    return n == m && (n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0);
}

/* A column that is named in an UPDATE has its index written to, be it the same or not: where only
 * the line changes, only the line is named. */
static bool update(struct store *s, const struct session_row *row, bool all, struct err *err)
{
    char people[ID_LIST], chats[ID_LIST];
    if (!all)
        return store_run(s, "UPDATE session SET version = $1, line = $2, sum = $3 WHERE id = $4",
                         VALUES(db_int(row->version), db_text(row->line), db_int(sum_session(row)),
                                db_int(row->id)),
                         NULL, err);
    return store_run(
        s,
        "UPDATE session SET version = $1, due = $2, live = $3, people = $4, chats = $5, line = $6, "
        "sum = $7, ended = $8 WHERE id = $9",
        VALUES(db_int(row->version), db_int(row->due), db_int(row->live),
               db_text(write_ids(people, row->n_people, row->person)),
               db_text(write_ids(chats, row->n_chats, row->chat)), db_text(row->line),
               db_int(sum_session(row)), db_int(row->live ? 0 : row->ended), db_int(row->id)),
        NULL, err);
}

bool store_save(struct store *s, const struct session_row *row, int64_t was, struct err *err)
{
    struct session_row old;
    bool found;
    check(row);
    arena_reset(s->scratch);
    if (!stored(s, row->id, &old, &found, err))
        return false;
    if (!found || old.version != was)
        return err_set(err, "session %lld is not at version %lld", (long long)row->id,
                       (long long)was);
    bool same_live = old.live == row->live;
    bool same_people = same_live && same_ids(old.n_people, old.person, row->n_people, row->person),
         same_chats = same_live && same_ids(old.n_chats, old.chat, row->n_chats, row->chat);
    if (!update(s, row, !same_people || !same_chats || old.due != row->due, err))
        return false;
    if (!same_people || !same_chats) {
        drop_lists(s, &old);
        drop_lists(s, row);
    }
    keep_session(s, row);
    return (same_people || (unlink_people(s, &old, err) && link_people(s, row, err))) &&
           (same_chats || (unlink_chats(s, &old, err) && link_chats(s, row, err)));
}

static bool sessions_above(struct store *s, struct arena *a, const char *sql, int64_t after,
                           int most, struct session_rows *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, sql, VALUES(db_int(after), db_int(most)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct session_row, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = session_of(t.at + i * t.cols);
    return true;
}

bool store_all_sessions(struct store *s, struct arena *a, int64_t after, int most,
                        struct session_rows *ret, struct err *err)
{
    return sessions_above(s, a,
                          "SELECT " SESSION " FROM session WHERE id > $1 ORDER BY id LIMIT $2",
                          after, most, ret, err);
}

bool store_live_sessions(struct store *s, struct arena *a, int64_t after, int most,
                         struct session_rows *ret, struct err *err)
{
    return sessions_above(s, a,
                          "SELECT " SESSION
                          " FROM session WHERE id > $1 AND (live = 1 OR id IN (SELECT session FROM "
                          "session_chat WHERE live = 1)) ORDER BY id LIMIT $2",
                          after, most, ret, err);
}

bool store_sessions_of_chat(struct store *s, struct arena *a, int64_t chat, int most,
                            struct session_rows *ret, struct err *err)
{
    return many_sessions(
        s, a, ROW_HERE,
        "SELECT " SESSION_S " FROM session_chat AS l JOIN session AS s ON "
        "s.id = l.session WHERE l.chat = $1 AND l.live = 1 ORDER BY l.session DESC LIMIT $2",
        chat, most, ret, err);
}

bool store_sessions_of_person(struct store *s, struct arena *a, int64_t person, int most,
                              struct session_rows *ret, struct err *err)
{
    return many_sessions(s, a, ROW_THEIRS,
                         "SELECT " SESSION_S " FROM session_person AS l JOIN session AS s ON "
                         "s.id = l.session WHERE l.person = $1 ORDER BY l.session DESC LIMIT $2",
                         person, most, ret, err);
}

bool store_last_session_of_chat(struct store *s, struct arena *a, int64_t chat,
                                struct session_row *ret, bool *ret_found, struct err *err)
{
    return one_session(
        s, a,
        "SELECT " SESSION_S " FROM session_chat AS l JOIN session AS s ON "
        "s.id = l.session WHERE l.chat = $1 AND l.live = 0 ORDER BY l.session DESC LIMIT 1",
        chat, ret, ret_found, err);
}

bool store_last_begun_of_chat(struct store *s, struct arena *a, int64_t chat, int64_t below,
                              struct session_row *ret, bool *ret_found, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT " SESSION_S " FROM session_chat AS l JOIN session AS s ON "
                   "s.id = l.session WHERE l.chat = $1 AND l.live = 0 AND l.session < $2 AND "
                   "EXISTS (SELECT 1 FROM record AS r WHERE r.session = l.session) "
                   "ORDER BY l.session DESC LIMIT 1",
                   VALUES(db_int(chat), db_int(below)), &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = session_of(t.at);
    return true;
}
