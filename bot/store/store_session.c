/* Sessions: their rows, lists of the live ones of a chat or a person, deadlines, records; and how
 * they leave. Rows read or written lately are cached, so that moves of a match mostly write
 * only. */
#include "store_quarantine.h"
#include "store_table.h"
#include "sum.h"

#include "log.h"

#include <assert.h>

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
    while (s.n && n < SESSION_SEATS)
        if (str_int(str_cut(s, ' ', &s), &ret_id[n]))
            n++;
    return n;
}

static void finish(void *at)
{
    struct session_row *row = at;
    row->n_people = read_ids(row->people, row->person);
    row->n_chats = read_ids(row->chats, row->chat);
    row->damaged = row->line.n > SESSION_LINE || row->sum != sum_session(row);
}

/* A damaged row keeps its checksum, so that it is still known as damaged. */
static int64_t checksum(const void *at)
{
    const struct session_row *row = at;
    return row->damaged ? row->sum : sum_session(row);
}

#define SESSION(member) COLUMN(struct session_row, member)
static const struct sql_column columns[] = {
    SESSION(id),   SESSION(account), COLUMN_OF(struct session_row, sum, "sum", COLUMN_CHECKSUM),
    SESSION(line), SESSION(version), SESSION(due),
    SESSION(live), SESSION(people),  SESSION(chats),
    SESSION(ended)};
static const struct sql_table sessions = {"session",
                                          .n_keys = 2,
                                          .counted = true,
                                          .changes_together = true,
                                          .finish = finish,
                                          .checksum = checksum,
                                          ROWS(struct session_row, columns)};
/* Its first columns: a new row gets its checksum once its number is known, and a column that is
 * named in an UPDATE has its index written to, be it the same or not. */
enum { UP_TO_SUM = 3, UP_TO_VERSION = 5 };
#define FIRST(of, columns_)                                                                        \
    {                                                                                              \
        "session", .n_keys = 2, .changes_together = true, .checksum = checksum,                    \
                   .size = sizeof(struct session_row), .n = (of), .column = (columns_)             \
    }
static const struct sql_table only_sum = FIRST(UP_TO_SUM, columns),
                              same_dates = FIRST(UP_TO_VERSION, columns);

/* One that is not where it should be. */
static const char by_number[] = "WHERE id = $1";

/* Of a session that others may write meanwhile, too, nothing is known for sure beside them. */
static bool is_ours(struct store *s, const struct session_row *row)
{
    bool ours = row->n_chats > 0 || store_ours(s, 0);
    for (int i = 0; i < row->n_chats && ours; i++)
        ours = store_chat_ours(s, row->chat[i]);
    return ours;
}

static struct session_rows select_sessions(struct store *s, struct arena *a, const char *tail,
                                           int n, const struct db_value *args)
{
    struct rows rows = store_select(s, a, &sessions, tail, n, args);
    struct session_rows found = {rows.n, rows.at};
    for (int i = 0; i < found.n; i++)
        if (!is_ours(s, &found.at[i]))
            return (struct session_rows){0};
    return found;
}

static const struct session_row *find_session(struct store *s, struct arena *a, const char *tail,
                                              int n, const struct db_value *args)
{
    struct session_rows rows = select_sessions(s, a, tail, n, args);
    return rows.n ? rows.at : NULL;
}

/* ---- the cache ---- */

static struct cache_key key_of(int64_t session)
{
    return row_key(ROW_SESSION, session, STR(""));
}

static void keep(struct store *s, const struct session_row *row)
{
    row_keep_whole(s, key_of(row->id), &sessions, row);
}

/* A list of at most so many, the latest first. */
struct listed {
    int most, n;
    int64_t id[LISTED_MOST];
};

static void keep_list(struct store *s, struct cache_key key, int most,
                      const struct session_rows *rows)
{
    struct listed list = {.most = most, .n = rows->n};
    if (rows->n > LISTED_MOST)
        return;
    for (int i = 0; i < rows->n; i++) {
        list.id[i] = rows->at[i].id;
        keep(s, &rows->at[i]);
    }
    const struct str bytes = {(const char *)&list,
                              offsetof(struct listed, id) + (size_t)rows->n * sizeof *list.id};
    row_keep(s, key, 1, &bytes);
}

/* Returns false if it is not cached, or cached with another limit. */
static bool find_list(struct store *s, struct arena *a, struct cache_key key, int most,
                      struct session_rows *ret)
{
    struct str value;
    struct listed list = {0};
    if (!cache_find(s->rows, key, &value))
        return false;
    memcpy(&list, value.p, value.n);
    *ret = (struct session_rows){list.n, arena_array(a, struct session_row, (size_t)list.n)};
    bool good = list.most == most;
    for (int i = 0; good && i < list.n; i++) {
        const struct session_row *row = store_session(s, a, list.id[i]);
        good = row != NULL;
        if (row)
            ret->at[i] = *row;
    }
    return good;
}

static struct session_rows list_of(struct store *s, struct arena *a, struct cache_key key, int most,
                                   const char *tail, int n, const struct db_value *args)
{
    struct session_rows rows;
    if (find_list(s, a, key, most, &rows))
        return rows;
    rows = select_sessions(s, a, tail, n, args);
    keep_list(s, key, most, &rows);
    return rows;
}

/* The lists that a session is in, or was. */
static void drop_lists(struct store *s, const struct session_row *row)
{
    for (int i = 0; i < row->n_chats; i++)
        cache_drop(s->rows, row_key(ROW_HERE, row->chat[i], STR("")));
    for (int i = 0; i < row->n_people; i++)
        cache_drop(s->rows, row_key(ROW_THEIRS, row->person[i], STR("")));
}

/* ---- who and where ---- */

static void link_people(struct store *s, const struct session_row *row)
{
    for (int i = 0; row->live && i < row->n_people; i++)
        store_run(s,
                  "INSERT INTO session_person (person, session, home) VALUES ($1, $2, $3) ON "
                  "CONFLICT DO NOTHING",
                  VALUES(db_int(row->person[i]), db_int(row->id), db_int(row->account)));
}

static void link_chats(struct store *s, const struct session_row *row)
{
    for (int i = 0; i < row->n_chats; i++)
        store_run(s,
                  "INSERT INTO session_chat (account, chat, live, session, home) VALUES ($1, $2, "
                  "$3, $4, $5) ON CONFLICT DO NOTHING",
                  VALUES(db_int(store_home(s, HOME_OF_CHAT, row->chat[i])), db_int(row->chat[i]),
                         db_int(row->live), db_int(row->id), db_int(row->account)));
}

void store_link_session(struct store *s, const struct session_row *row)
{
    drop_lists(s, row);
    link_people(s, row);
    link_chats(s, row);
}

/* Each row is taken away by its whole key: to look for those of a session would read the whole
 * table. */
static void unlink_people(struct store *s, const struct session_row *was)
{
    for (int i = 0; i < was->n_people; i++)
        store_run(s, "DELETE FROM session_person WHERE person = $1 AND session = $2",
                  VALUES(db_int(was->person[i]), db_int(was->id)));
}

static void unlink_chats(struct store *s, const struct session_row *was)
{
    for (int i = 0; i < was->n_chats; i++)
        store_run(s,
                  "DELETE FROM session_chat WHERE account = $1 AND chat = $2 AND live = $3 AND "
                  "session = $4",
                  VALUES(db_int(store_home(s, HOME_OF_CHAT, was->chat[i])), db_int(was->chat[i]),
                         db_int(was->live), db_int(was->id)));
}

/* ---- saving ---- */

/* The row with the columns that follow from it. Ceilings that core keeps by construction; asking
 * for more is a bug. */
static struct session_row whole(const struct session_row *row, char people[static ID_LIST],
                                char chats[static ID_LIST])
{
    struct session_row r = *row;
    assert(row->n_people >= 0 && row->n_people <= SESSION_SEATS);
    assert(row->n_chats >= 0 && row->n_chats <= SESSION_SEATS);
    assert(row->line.n <= SESSION_LINE);
    r.people = write_ids(people, row->n_people, row->person);
    r.chats = write_ids(chats, row->n_chats, row->chat);
    r.ended = row->live ? 0 : row->ended;
    r.damaged = false;
    return r;
}

int64_t store_new_session(struct store *s, const struct session_row *row)
{
    char people[ID_LIST], chats[ID_LIST];
    struct session_row r = whole(row, people, chats);
    r.ended = 0;
    r.account = r.n_chats > 0 ? store_home(s, HOME_OF_CHAT, r.chat[0]) : 0;
    r.id = store_insert(s, &sessions, &r);
    write_here(s, r.id, STR(""));
    store_run(s, "INSERT INTO session_home (session, home) VALUES ($1, $2)",
              VALUES(db_int(r.id), db_int(r.account)));
    store_set_home(s, HOME_OF_SESSION, r.id, r.account);
    store_update(s, &only_sum, &r);
    store_link_session(s, &r);
    keep(s, &r);
    return r.id;
}

const struct session_row *store_session(struct store *s, struct arena *a, int64_t id)
{
    const struct session_row *row = row_cached(s, a, key_of(id), &sessions);
    if (row)
        return is_ours(s, row) ? row : NULL;
    const int64_t home = store_home(s, HOME_OF_SESSION, id);
    row = find_session(s, a, "WHERE account = $1 AND id = $2", VALUES(db_int(home), db_int(id)));
    if (!row) /* gone; or its account is damaged, and its checksum does not hold */
        row = find_session(s, a, by_number, VALUES(db_int(id)));
    if (row)
        keep(s, row);
    return row;
}

static bool same_ids(int n, const int64_t *a, int m, const int64_t *b)
{
    return n == m && (n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0);
}

void store_save(struct store *s, const struct session_row *row, int64_t was)
{
    char people[ID_LIST], chats[ID_LIST];
    struct session_row r = whole(row, people, chats);
    arena_reset(s->scratch);
    const struct session_row *old = store_session(s, s->scratch, row->id);
    if (!old || old->version != was) {
        store_fail(s, "session %lld is not at version %lld", (long long)row->id, (long long)was);
        return;
    }
    bool same_live = old->live == r.live;
    bool same_people = same_live && same_ids(old->n_people, old->person, r.n_people, r.person),
         same_chats = same_live && same_ids(old->n_chats, old->chat, r.n_chats, r.chat);
    r.account = old->account;
    write_here(s, r.id, STR(""));
    if (same_people && same_chats) /* else others find it from now on */
        store_writes_ours(s, 0);
    store_update(s, same_people && same_chats && old->due == r.due ? &same_dates : &sessions, &r);
    if (!same_people || !same_chats) {
        drop_lists(s, old);
        drop_lists(s, &r);
    }
    if (!same_people) {
        unlink_people(s, old);
        link_people(s, &r);
    }
    if (!same_chats) {
        unlink_chats(s, old);
        link_chats(s, &r);
    }
    keep(s, &r);
}

void store_set_due(struct store *s, int64_t session, int64_t due)
{
    arena_reset(s->scratch);
    const struct session_row *old = store_session(s, s->scratch, session);
    if (!old)
        return;
    struct session_row row = *old;
    row.due = due;
    cache_drop(s->rows, key_of(session));
    store_update(s, &sessions, &row);
}

void store_rename_chat(struct store *s, int64_t to, int64_t from)
{
    enum { PAGE = 64, PAGE_BYTES = 4 << 20 };
    const int64_t account = store_home(s, HOME_OF_CHAT, from); /* and of `to` */
    struct arena *a = arena_open(PAGE_BYTES);
    struct session_rows rows = {.n = PAGE};
    for (int64_t after = 0; rows.n == PAGE; after = rows.n ? rows.at[rows.n - 1].id : after) {
        arena_reset(a);
        rows = select_sessions(s, a,
                               "WHERE account IN (SELECT home FROM session_chat WHERE account = $1 "
                               "AND chat = $2) AND id > $3 AND id IN (SELECT session FROM "
                               "session_chat WHERE account = $1 AND chat = $2) ORDER BY id LIMIT "
                               "$4",
                               VALUES(db_int(account), db_int(from), db_int(after), db_int(PAGE)));
        for (int i = 0; i < rows.n; i++) {
            struct session_row *row = &rows.at[i];
            char chats[ID_LIST];
            for (int k = 0; k < row->n_chats; k++)
                row->chat[k] = row->chat[k] == from ? to : row->chat[k];
            row->chats = write_ids(chats, row->n_chats, row->chat);
            if (!row->damaged) /* else it keeps its bytes: store_put_back() follows the chat */
                store_update(s, &sessions, row);
        }
    }
    store_run(s,
              "INSERT INTO session_chat (account, chat, live, session, home) SELECT $1, $2, live, "
              "session, home FROM session_chat WHERE account = $1 AND chat = $3 ON CONFLICT DO "
              "NOTHING",
              VALUES(db_int(account), db_int(to), db_int(from)));
    store_run(s, "DELETE FROM session_chat WHERE account = $1 AND chat = $2",
              VALUES(db_int(account), db_int(from)));
    store_run(s, "UPDATE joined_chat SET chat = $1 WHERE chat = $2",
              VALUES(db_int(to), db_int(from)));
    store_run(s, "INSERT INTO joined_chat (gone, chat) VALUES ($1, $2)",
              VALUES(db_int(from), db_int(to)));
    arena_close(a);
}

/* Chats that became others while it was set aside. */
static void follow_chats(struct store *s, struct arena *a, struct session_row *row)
{
    char *chats = arena_alloc(a, ID_LIST);
    for (int i = 0; i < row->n_chats; i++)
        row->chat[i] =
            store_number(s, "SELECT COALESCE(MAX(chat), $1) FROM joined_chat WHERE gone = $1",
                         VALUES(db_int(row->chat[i])));
    row->chats = write_ids(chats, row->n_chats, row->chat);
    store_update(s, &sessions, row);
}

/* The checksum stays as it was: it holds again once `live` and `due` are as they were, if the rest
 * is sound. */
static const struct session_row *put_aside(struct store *s, struct arena *a, int64_t session,
                                           bool live, int64_t due)
{
    cache_clear(s->rows);
    struct session_row *row = store_find(s, a, &sessions, by_number, VALUES(db_int(session)));
    if (!row || (live && row->due != DUE_QUARANTINED))
        return row;
    row->live = live;
    row->due = due;
    row->damaged = true;
    store_update(s, &sessions, row);
    finish(row);
    if (live && !row->damaged)
        follow_chats(s, a, row);
    return row;
}

const struct session_row *store_set_aside(struct store *s, struct arena *a, int64_t session)
{
    return put_aside(s, a, session, false, DUE_QUARANTINED);
}

const struct session_row *store_put_back(struct store *s, struct arena *a, int64_t session,
                                         int64_t due)
{
    return put_aside(s, a, session, true, due);
}

/* ---- lists ---- */

struct session_rows store_all_sessions(struct store *s, struct arena *a, int64_t after, int most)
{
    return select_sessions(s, a, "WHERE id > $1 ORDER BY id LIMIT $2",
                           VALUES(db_int(after), db_int(most)));
}

struct session_rows store_live_sessions(struct store *s, struct arena *a, int64_t after, int most)
{
    return select_sessions(s, a,
                           "WHERE id > $1 AND id IN (SELECT id FROM session WHERE live = 1 UNION "
                           "SELECT session FROM session_chat WHERE live = 1) ORDER BY id LIMIT $2",
                           VALUES(db_int(after), db_int(most)));
}

struct session_rows store_sessions_of_chat(struct store *s, struct arena *a, int64_t chat, int most)
{
    const struct db_value args[] = {db_int(store_home(s, HOME_OF_CHAT, chat)), db_int(chat),
                                    db_int(most)};
    return list_of(s, a, row_key(ROW_HERE, chat, STR("")), most,
                   "JOIN session_chat AS l ON session.id = l.session AND session.account = l.home "
                   "WHERE l.account = $1 AND l.chat = $2 AND l.live = 1 ORDER BY l.session DESC "
                   "LIMIT $3",
                   3, args);
}

struct session_rows store_sessions_of_person(struct store *s, struct arena *a, int64_t person,
                                             int most)
{
    const struct db_value args[] = {db_int(person), db_int(most)};
    return list_of(s, a, row_key(ROW_THEIRS, person, STR("")), most,
                   "JOIN session_person AS l ON session.id = l.session AND session.account = "
                   "l.home WHERE l.person = $1 ORDER BY l.session DESC LIMIT $2",
                   2, args);
}

#define LAST_OF_CHAT                                                                               \
    "JOIN session_chat AS l ON session.id = l.session AND session.account = l.home WHERE "         \
    "l.account = $1 AND l.chat = $2 AND l.live = 0 "

const struct session_row *store_last_session_of_chat(struct store *s, struct arena *a, int64_t chat)
{
    return find_session(s, a, LAST_OF_CHAT "ORDER BY l.session DESC LIMIT 1",
                        VALUES(db_int(store_home(s, HOME_OF_CHAT, chat)), db_int(chat)));
}

const struct session_row *store_last_begun_of_chat(struct store *s, struct arena *a, int64_t chat,
                                                   int64_t below)
{
    return find_session(
        s, a,
        LAST_OF_CHAT "AND l.session < $3 AND EXISTS (SELECT 1 FROM record AS r WHERE r.account "
                     "= l.home AND r.session = l.session) ORDER BY l.session DESC LIMIT 1",
        VALUES(db_int(store_home(s, HOME_OF_CHAT, chat)), db_int(chat), db_int(below)));
}

void store_set_last_of_person(struct store *s, int64_t person, int64_t session)
{
    store_run(s,
              "INSERT INTO last_match (person, session) VALUES ($1, $2) ON CONFLICT (person) DO "
              "UPDATE SET session = excluded.session",
              VALUES(db_int(person), db_int(session)));
}

int64_t store_last_of_person(struct store *s, int64_t person)
{
    return store_number(s, "SELECT session FROM last_match WHERE person = $1",
                        VALUES(db_int(person)));
}

/* ---- deadlines, and the chats with live sessions ---- */

int64_t store_running(struct store *s)
{
    return store_number(s, "SELECT COUNT(*) FROM session WHERE due > 0", 0, NULL);
}

/* Where daemons share the store, each looks after the matches of its accounts. Of one without a home
 * the account of the first chat counts; one without a chat is anybody's. */
#define HOME_IS_OURS(n)                                                                            \
    " AND (s.chats = '' OR (SELECT c.account FROM chat c WHERE c.id = "                            \
    "NULLIF(split_part(s.chats, ' ', 1), '')::bigint) IN " ACCOUNTS_OF(n) ")"

struct ids store_live_chats(struct store *s, struct arena *a, int64_t after, int most)
{
    if (store_is_shared(s))
        return store_ids(s, a,
                         "SELECT DISTINCT l.chat FROM session_chat l JOIN chat c ON c.id = l.chat "
                         "AND c.account = l.account WHERE l.live = 1 AND l.chat > $1 AND c.account "
                         "IN " ACCOUNTS_OF(3) " ORDER BY l.chat LIMIT $2",
                         VALUES(db_int(after), db_int(most), store_us(s)));
    return store_ids(s, a,
                     "SELECT DISTINCT chat FROM session_chat WHERE live = 1 AND chat > $1 ORDER BY "
                     "chat LIMIT $2",
                     VALUES(db_int(after), db_int(most)));
}

/* The key of a topic or thread of the chat $n: what begins with its key and a slash or a blank stands
 * between that and the key whose last byte is the next one, '0' or '!'. */
#define IS_PART(key, n)                                                                            \
    "((" key " > $" #n " || '/' AND " key " < $" #n " || '0') OR (" key " > $" #n                  \
    " || ' ' AND " key " < $" #n " || '!'))"

struct ids store_live_parts(struct store *s, struct arena *a, int64_t account, struct str key)
{
    return store_ids(s, a,
                     "SELECT DISTINCT c.id FROM chat c JOIN session_chat l ON l.account = $1 AND "
                     "l.chat = c.id AND l.live = 1 WHERE c.account = $1 AND " IS_PART(
                         "c.key", 2) " ORDER BY c.id LIMIT 100",
                     VALUES(db_int(account), db_text(key)));
}

struct str store_place_of_post(struct store *s, struct arena *a, int64_t account, struct str chat,
                               struct str post)
{
    struct str whose;
    struct str place =
        store_text(s, a,
                   "SELECT place FROM post WHERE account = $1 AND (place = $2 OR " IS_PART(
                       "place", 2) ") AND replace(' ' || post || ' ', ' ' || $3 "
                                   "|| ' ', '') <> ' ' || post || ' ' ORDER BY place LIMIT 1",
                   VALUES(db_int(account), db_text(chat), db_text(post)));
    return str_cut(place, '\n', &whose); /* of an ephemeral one */
}

/* On a server one account after the other, so that each is looked for in its own place. */
#define ALL_ACCOUNTS    "account a WHERE TRUE"
#define OUR_ACCOUNTS(n) "account a JOIN koikoi_lease l ON l.name = a.name WHERE l.holder = $" #n
#define DUE_OF(accounts, homeless)                                                                 \
    "SELECT id FROM (SELECT s.id, s.due FROM (SELECT a.id FROM " accounts                          \
    ") AS a JOIN session s ON s.account = a.id WHERE s.due > 0 AND s.due <= $1 UNION ALL SELECT "  \
    "s.id, s.due FROM session s WHERE s.account = 0 AND s.due > 0 AND s.due <= $1" homeless        \
    ") AS d ORDER BY due, id LIMIT $2"
struct ids store_due(struct store *s, struct arena *a, int64_t now, int most)
{
    if (store_is_shared(s))
        return store_ids(s, a, DUE_OF(OUR_ACCOUNTS(3), HOME_IS_OURS(3)),
                         VALUES(db_int(now), db_int(most), store_us(s)));
    if (s->db->is_server)
        return store_ids(s, a, DUE_OF(ALL_ACCOUNTS, ""), VALUES(db_int(now), db_int(most)));
    return store_ids(s, a,
                     "SELECT id FROM session WHERE due > 0 AND due <= $1 ORDER BY due, id LIMIT $2",
                     VALUES(db_int(now), db_int(most)));
}

/* With the next date of each feature. */
static const char *soonest_of_all(struct store *s, const char *of_sessions)
{
    struct str sql = arena_print(s->statements,
                                 "SELECT MIN(due) FROM (%s UNION ALL SELECT MIN(again) FROM "
                                 "quarantine WHERE again > 0",
                                 of_sessions);
    for (int i = 0; store_features[i]; i++)
        if (store_features[i]->soonest)
            sql = arena_print(s->statements, "%s UNION ALL %s", sql.p, store_features[i]->soonest);
    return arena_print(s->statements, "%s) AS next", sql.p).p;
}

/* On a server one account after the other, and matches without a home. The accounts stand in the
 * text, so it is planned for their partitions alone: a join would open all of them with each commit. */
static const char *soonest_on_server(struct store *s, bool shared)
{
    arena_reset(s->scratch);
    struct ids ids = shared ? store_our_accounts(s)
                            : store_ids(s, s->scratch, "SELECT id FROM account", 0, NULL);
    struct str sql = arena_print(s->statements,
                                 "(SELECT s.due AS due FROM session s WHERE s.account = 0 AND "
                                 "s.due > 0%s ORDER BY s.due LIMIT 1)",
                                 shared ? HOME_IS_OURS(1) : "");
    for (int i = 0; i < ids.n; i++)
        sql = arena_print(s->statements,
                          "%s UNION ALL SELECT MIN(due) FROM session WHERE account = %lld AND due "
                          "> 0",
                          sql.p, (long long)ids.at[i]);
    return soonest_of_all(s, sql.p);
}

static const char *soonest_due(struct store *s, int *ret_n, struct db_value *ret_arg)
{
    const bool shared = store_is_shared(s);
    const char **kept = &s->soonest[!shared                       ? 0
                                    : store_our_accounts(s).n > 0 ? 1
                                                                  : 2],
               *sql = *kept;
    if (!sql)
        sql = s->db->is_server
                  ? soonest_on_server(s, shared)
                  : soonest_of_all(s, "SELECT MIN(due) AS due FROM session WHERE due > 0");
    if (!s->failed)
        *kept = sql;
    *ret_n = shared;
    *ret_arg = store_us(s);
    return sql;
}

int64_t store_soonest_due(struct store *s)
{
    struct db_value holder;
    int n;
    const char *sql = soonest_due(s, &n, &holder);
    return store_number(s, sql, n, &holder);
}

bool store_commit_and_look(struct store *s, int64_t *ret_soonest, struct err *err)
{
    struct db_value holder;
    struct db_question last = {.args = &holder};
    last.sql = soonest_due(s, &last.n, &holder);
    if (!store_commit_asking(s, &last, err))
        return false;
    *ret_soonest =
        last.answer.rows ? last.answer.at[0].i : 1; /* unknown: it is looked for at once */
    return true;
}

/* ---- leaving the store ---- */

void store_forget_matches(struct store *s, int64_t before, int most)
{
    struct db_table t = store_ask(
        s, NULL,
        "SELECT id, chats, account FROM session WHERE ended > 0 AND ended < $1 AND live = 0 "
        "ORDER BY ended LIMIT $2",
        VALUES(db_int(before), db_int(most)));
    for (int i = 0; i < t.rows; i++) {
        struct session_row row = {.id = t.at[3 * i].i, .account = t.at[3 * i + 2].i};
        row.n_chats = read_ids(t.at[3 * i + 1].s, row.chat);
        cache_drop(s->rows, key_of(row.id));
        unlink_chats(s, &row);
        store_run(s, "DELETE FROM record WHERE account = $1 AND session = $2",
                  VALUES(db_int(row.account), db_int(row.id)));
        store_run(s, "DELETE FROM session WHERE account = $1 AND id = $2",
                  VALUES(db_int(row.account), db_int(row.id)));
        store_run(s, "DELETE FROM session_home WHERE session = $1", VALUES(db_int(row.id)));
    }
}

/* ---- records ---- */

struct record_row {
    int64_t id, account, session, sum;
    struct str lines;
};

static int64_t record_checksum(const void *at)
{
    const struct record_row *row = at;
    return sum_record(row->session, row->lines);
}

#define RECORD(member) COLUMN(struct record_row, member)
static const struct sql_column record_columns[] = {
    RECORD(id), RECORD(account), RECORD(session), RECORD(lines),
    COLUMN_OF(struct record_row, sum, "sum", COLUMN_CHECKSUM)};
static const struct sql_table records = {"record",
                                         .n_keys = 2,
                                         .counted = true,
                                         .gaps = true,
                                         .checksum = record_checksum,
                                         ROWS(struct record_row, record_columns)};

void store_append_record(struct store *s, int64_t session, struct str lines)
{
    struct str saved; /* by the same event */
    if (cache_find(s->rows, key_of(session), &saved)) {
        struct session_row row;
        memcpy(&row, saved.p, sizeof row);
        if (is_ours(s, &row))
            store_writes_ours(s, 0);
    }
    (void)store_insert(s, &records,
                       &(struct record_row){.account = store_home(s, HOME_OF_SESSION, session),
                                            .session = session,
                                            .lines = lines});
}

/* The pieces of a record, and whether all checksums hold. */
static struct db_table pieces(struct store *s, struct arena *a, int64_t session, bool *ret_sound)
{
    struct db_table t = store_ask(
        s, a, "SELECT lines, sum FROM record WHERE account = $1 AND session = $2 ORDER BY id",
        VALUES(db_int(store_home(s, HOME_OF_SESSION, session)), db_int(session)));
    *ret_sound = true;
    for (int i = 0; i < t.rows; i++)
        *ret_sound &= t.at[2 * i + 1].i == sum_record(session, t.at[2 * i].s);
    return t;
}

const char *store_damage_why(struct store *s, int64_t session)
{
    return written_here(s, session, STR("")) ? WRITTEN_WRONG : "the checksum does not hold";
}

bool store_record_sound(struct store *s, int64_t session)
{
    bool sound;
    (void)pieces(s, NULL, session, &sound);
    return sound;
}

struct str store_record(struct store *s, struct arena *a, int64_t session)
{
    bool sound;
    struct db_table t = pieces(s, a, session, &sound);
    size_t n = 0;
    if (!sound) {
        struct str no = arena_print(a, "%lld", (long long)session);
        log_line(LOG_ERROR, "record_damaged", "#session", no.p, NULL);
        return STR("");
    }
    for (int i = 0; i < t.rows; i++)
        n += t.at[2 * i].s.n;
    struct buf all = {arena_alloc(a, n + 1), 0, n + 1, false};
    for (int i = 0; i < t.rows; i++)
        buf_put(&all, t.at[2 * i].s);
    return buf_str(&all);
}

struct str store_record_head(struct store *s, struct arena *a, int64_t session, int64_t *ret_id)
{
    struct db_table t =
        store_ask(s, a,
                  "SELECT id, lines, sum FROM record WHERE account = $1 AND session = $2 ORDER BY "
                  "id LIMIT 1",
                  VALUES(db_int(store_home(s, HOME_OF_SESSION, session)), db_int(session)));
    bool sound = t.rows && t.at[2].i == sum_record(session, t.at[1].s);
    *ret_id = sound ? t.at[0].i : 0;
    return sound ? t.at[1].s : STR("");
}

void store_rewrite_record(struct store *s, int64_t id, int64_t session, struct str lines)
{
    store_update(s, &records,
                 &(struct record_row){.id = id,
                                      .account = store_home(s, HOME_OF_SESSION, session),
                                      .session = session,
                                      .lines = lines});
}

void store_clock_set_back(struct store *s, int64_t now, int64_t later)
{
    for (int i = 0; store_features[i]; i++)
        if (store_features[i]->set_back)
            store_run(s, store_features[i]->set_back, VALUES(db_int(now), db_int(later)));
}
