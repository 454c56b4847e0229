/* Sessions, the records of matches and the scoreboards of chats. */
#include "store_sql.h"

#include <assert.h>

#define SESSION   "id, version, due, live, people, chats, line"
#define SESSION_S "s.id, s.version, s.due, s.live, s.people, s.chats, s.line"

enum { ID_LIST = SESSION_SEATS * 21 };

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

static bool many_sessions(struct store *s, struct arena *a, const char *sql, int64_t id, int most,
                          struct session_rows *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, sql, VALUES(db_int(id), db_int(most)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct session_row, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = session_of(t.at + i * t.cols);
    return true;
}

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

/* Each row is taken away by its whole key: to look for those of a session would read the whole table. */
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
                    "VALUES ($1, $2, $3, $4, $5, $6)",
                    VALUES(db_int(row->version), db_int(row->due), db_int(row->live),
                           db_text(write_ids(people, row->n_people, row->person)),
                           db_text(write_ids(chats, row->n_chats, row->chat)), db_text(row->line)),
                    &made.id, err))
        return false;
    if (!link_people(s, &made, err) || !link_chats(s, &made, err))
        return false;
    row->id = made.id;
    return true;
}

bool store_session(struct store *s, struct arena *a, int64_t id, struct session_row *ret,
                   bool *ret_found, struct err *err)
{
    return one_session(s, a, "SELECT " SESSION " FROM session WHERE id = $1", id, ret, ret_found,
                       err);
}

bool store_save(struct store *s, const struct session_row *row, int64_t was, struct err *err)
{
    char people[ID_LIST], chats[ID_LIST];
    struct db_table t;
    check(row);
    struct str p = write_ids(people, row->n_people, row->person);
    struct str c = write_ids(chats, row->n_chats, row->chat);
    if (!store_ask(s, NULL, "SELECT version, live, people, chats FROM session WHERE id = $1",
                   VALUES(db_int(row->id)), &t, err))
        return false;
    if (t.rows == 0 || t.at[0].i != was)
        return err_set(err, "session %lld is not at version %lld", (long long)row->id,
                       (long long)was);
    struct session_row old = {.id = row->id, .live = t.at[1].i != 0};
    old.n_people = read_ids(t.at[2].s, old.person);
    old.n_chats = read_ids(t.at[3].s, old.chat);
    bool same_live = old.live == row->live;
    bool same_people = same_live && str_is(t.at[2].s, p),
         same_chats = same_live && str_is(t.at[3].s, c);
    if (!store_run(s,
                   "UPDATE session SET version = $1, due = $2, live = $3, people = $4, chats = $5, "
                   "line = $6 WHERE id = $7",
                   VALUES(db_int(row->version), db_int(row->due), db_int(row->live), db_text(p),
                          db_text(c), db_text(row->line), db_int(row->id)),
                   NULL, err))
        return false;
    return (same_people || (unlink_people(s, &old, err) && link_people(s, row, err))) &&
           (same_chats || (unlink_chats(s, &old, err) && link_chats(s, row, err)));
}

bool store_set_due(struct store *s, int64_t session, int64_t due, struct err *err)
{
    return store_run(s, "UPDATE session SET due = $1 WHERE id = $2",
                     VALUES(db_int(due), db_int(session)), NULL, err);
}

bool store_sessions_of_chat(struct store *s, struct arena *a, int64_t chat, int most,
                            struct session_rows *ret, struct err *err)
{
    return many_sessions(
        s, a,
        "SELECT " SESSION_S " FROM session_chat AS l JOIN session AS s ON "
        "s.id = l.session WHERE l.chat = $1 AND l.live = 1 ORDER BY l.session DESC LIMIT $2",
        chat, most, ret, err);
}

bool store_sessions_of_person(struct store *s, struct arena *a, int64_t person, int most,
                              struct session_rows *ret, struct err *err)
{
    return many_sessions(s, a,
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

static bool some_ids(struct store *s, struct arena *a, const char *sql, int64_t from, int most,
                     struct ids *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, sql, VALUES(db_int(from), db_int(most)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, int64_t, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = t.at[i].i;
    return true;
}

bool store_live_chats(struct store *s, struct arena *a, int64_t after, int most, struct ids *ret,
                      struct err *err)
{
    return some_ids(s, a,
                    "SELECT DISTINCT chat FROM session_chat WHERE live = 1 AND chat > $1 ORDER BY "
                    "chat LIMIT $2",
                    after, most, ret, err);
}

bool store_due(struct store *s, struct arena *a, int64_t now, int most, struct ids *ret,
               struct err *err)
{
    return some_ids(s, a,
                    "SELECT id FROM session WHERE due > 0 AND due <= $1 ORDER BY due LIMIT $2", now,
                    most, ret, err);
}

bool store_soonest_due(struct store *s, int64_t *ret_due, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL, "SELECT due FROM session WHERE due > 0 ORDER BY due LIMIT 1", 0, NULL,
                   &t, err))
        return false;
    *ret_due = t.rows ? t.at[0].i : 0;
    return true;
}

/* ---- records ---- */

bool store_append_record(struct store *s, int64_t session, struct str lines, struct err *err)
{
    return store_run(s, "INSERT INTO record (session, lines) VALUES ($1, $2)",
                     VALUES(db_int(session), db_text(lines)), NULL, err);
}

bool store_record(struct store *s, struct arena *a, int64_t session, struct str *ret,
                  struct err *err)
{
    struct db_table t;
    size_t n = 0, at = 0;
    if (!store_ask(s, a, "SELECT lines FROM record WHERE session = $1 ORDER BY id",
                   VALUES(db_int(session)), &t, err))
        return false;
    for (int i = 0; i < t.rows; i++)
        n += t.at[i].s.n;
    char *whole = arena_alloc(a, n + 1);
    for (int i = 0; i < t.rows; i++) {
        if (t.at[i].s.n)
            memcpy(whole + at, t.at[i].s.p, t.at[i].s.n);
        at += t.at[i].s.n;
    }
    *ret = (struct str){whole, n};
    return true;
}

/* ---- seasons ---- */

bool store_add_result(struct store *s, int64_t chat, struct str season, int64_t person,
                      struct tally add, struct err *err)
{
    return store_run(
        s,
        "INSERT INTO result (chat, season, person, won, drawn, lost, points) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (chat, season, person) DO UPDATE SET "
        "won = result.won + excluded.won, drawn = result.drawn + excluded.drawn, "
        "lost = result.lost + excluded.lost, points = result.points + excluded.points",
        VALUES(db_int(chat), db_text(season), db_int(person), db_int(add.won), db_int(add.drawn),
               db_int(add.lost), db_int(add.points)),
        NULL, err);
}

static struct standing standing_of(const struct db_value *v)
{
    return (struct standing){v[0].i, v[1].s, {v[2].i, v[3].i, v[4].i, v[5].i}, v[6].i};
}

/* Results of a chat's season by person: $1 the chat, $2 the season. */
#define BY_PERSON                                                                                  \
    "WITH total AS (SELECT CASE p.owner WHEN 0 THEN p.id ELSE p.owner END AS person, "             \
    "SUM(r.won) AS won, SUM(r.drawn) AS drawn, SUM(r.lost) AS lost, SUM(r.points) AS points "      \
    "FROM result AS r JOIN person AS p ON p.id = r.person WHERE r.chat = $1 AND r.season = $2 "    \
    "GROUP BY 1) "
#define STANDING "t.person, p.name, t.won, t.drawn, t.lost, t.points"

bool store_standings(struct store *s, struct arena *a, int64_t chat, struct str season, int most,
                     struct standings *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   BY_PERSON "SELECT " STANDING
                             ", RANK() OVER (ORDER BY t.won DESC, t.points DESC, t.lost) "
                             "FROM total AS t JOIN person AS p ON p.id = t.person "
                             "ORDER BY t.won DESC, t.points DESC, t.lost, p.name, t.person "
                             "LIMIT $3",
                   VALUES(db_int(chat), db_text(season), db_int(most)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct standing, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = standing_of(t.at + i * t.cols);
    return true;
}

bool store_standing(struct store *s, struct arena *a, int64_t chat, struct str season,
                    int64_t person, struct standing *ret, bool *ret_found, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   BY_PERSON
                   "SELECT " STANDING
                   ", 1 + (SELECT COUNT(*) FROM total AS o WHERE o.won > t.won OR (o.won = "
                   "t.won AND (o.points > t.points OR (o.points = t.points AND o.lost < "
                   "t.lost)))) FROM total AS t JOIN person AS p ON p.id = t.person WHERE "
                   "t.person = $3",
                   VALUES(db_int(chat), db_text(season), db_int(person)), &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = standing_of(t.at);
    return true;
}

bool store_seasons(struct store *s, struct arena *a, int64_t chat, int most, struct strs *ret,
                   struct err *err)
{
    struct db_table t;
    if (!store_ask(
            s, a,
            "SELECT DISTINCT season FROM result WHERE chat = $1 ORDER BY season DESC LIMIT $2",
            VALUES(db_int(chat), db_int(most)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct str, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = t.at[i].s;
    return true;
}
