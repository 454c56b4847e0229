/* People: found by the network's id or handle, added when they are new, updated when name or handle
 * change; handles that are one person, and the codes that link them. */
#include "store_table.h"

#include <assert.h>

enum { HANDLES_BYTES = 4 << 20 };

static void finish(void *row)
{
    struct person *p = row;
    p->who = p->owner ? p->owner : p->id;
}

#define PERSON(member) COLUMN(struct person, member)
static const struct sql_column columns[] = {
    PERSON(id),
    PERSON(account),
    COLUMN_OF(struct person, network_id, "network_id", COLUMN_TEXT_OR_NULL),
    PERSON(name),
    PERSON(handle),
    PERSON(handle_key),
    PERSON(language),
    PERSON(prefs),
    PERSON(direct_chat),
    PERSON(reachable),
    PERSON(owner),
    PERSON(banned),
    PERSON(ban_told),
    PERSON(left_chats),
};
const struct sql_table table_person = {"person",         .n_keys = 1,
                                       .counted = true,  .gaps = true,
                                       .finish = finish, ROWS(struct person, columns)};

/* Here, below store.c, which reads chats ahead. */
#define CHAT(member) COLUMN(struct chat, member)
static const struct sql_column chat_columns[] = {
    CHAT(id), CHAT(account), CHAT(key), CHAT(name), CHAT(direct), CHAT(settings), CHAT(link)};
const struct sql_table table_chat = {"chat", .n_keys = 1, .counted = true, .gaps = true,
                                     ROWS(struct chat, chat_columns)};

/* The cache has those that were heard from. */
static void keep(struct store *s, const struct person *p)
{
    if (p->network_id.n)
        row_keep_whole(s, row_key(ROW_PERSON, p->account, p->network_id), &table_person, p);
}

static struct str without_at(struct str handle)
{
    return str_starts(handle, STR("@")) ? str_skip(handle, 1) : handle;
}

static struct str lower(struct arena *a, struct str s)
{
    char *p = arena_alloc(a, s.n + 1);
    for (size_t i = 0; i < s.n; i++)
        p[i] = s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] + 32) : s.p[i];
    return (struct str){p, s.n};
}

struct str handle_key(struct arena *a, struct str handle)
{
    return lower(a, without_at(handle));
}

/* ---- people ---- */

const struct person *store_person_by_id(struct store *s, struct arena *a, int64_t id)
{
    const struct person *p = store_find(s, a, &table_person, "WHERE id = $1", VALUES(db_int(id)));
    if (p)
        store_set_home(s, HOME_OF_PERSON, p->id, p->account);
    return p;
}

const struct person *store_person_by_network_id(struct store *s, struct arena *a, int64_t account,
                                                struct str network_id)
{
    if (!store_ours(s, account))
        return NULL;
    const struct person *p =
        row_cached(s, a, row_key(ROW_PERSON, account, network_id), &table_person);
    if (p || row_absent(s, ABSENT_PERSON, account, network_id))
        return p;
    p = store_find(s, a, &table_person, "WHERE account = $1 AND network_id = $2",
                   VALUES(db_int(account), db_text(network_id)));
    if (p)
        keep(s, p);
    return p;
}

const struct person *store_person_by_handle(struct store *s, struct arena *a, int64_t account,
                                            struct str handle)
{
    struct str key = handle_key(a, handle);
    if (!store_ours(s, account))
        return NULL;
    return key.n == 0 || row_absent(s, ABSENT_HANDLE, account, key)
               ? NULL
               : store_find(s, a, &table_person,
                            "WHERE account = $1 AND handle_key = $2 AND handle_key <> '' "
                            "ORDER BY id LIMIT 1",
                            VALUES(db_int(account), db_text(key)));
}

/* The persons with this id on any account of the same network; one for a new person, who is that
 * one already. */
static struct ids known_as(struct store *s, struct arena *a, int64_t account, struct str network_id)
{
    if (network_id.n == 0 || row_absent(s, ABSENT_KNOWN, account, network_id))
        return (struct ids){0};
    return store_ids(
        s, a,
        "SELECT DISTINCT CASE WHEN owner > 0 THEN owner ELSE id END FROM person WHERE account IN "
        "(SELECT other.id FROM account mine JOIN account other ON " NETWORK_OF(
            "mine") " = " NETWORK_OF("other") " WHERE mine.id = $1) AND network_id = $2 ORDER BY 1",
        VALUES(db_int(account), db_text(network_id)));
}

/* ---- bans ---- */

static void put_ban(struct store *s, const struct person *p)
{
    if (p->network_id.n)
        store_run(s,
                  "INSERT INTO ban (network_id, since, network) SELECT $1, $2, " NETWORK_OF(
                      "a") " FROM account a WHERE a.id = $3 ON CONFLICT DO NOTHING",
                  VALUES(db_text(p->network_id), db_int(p->banned), db_int(p->account)));
}

/* Of a row that has its network id from now on: a ban of that id holds for it, and one of the handle
 * for the id. */
static void follow_ban(struct store *s, struct person *p)
{
    if (p->banned)
        put_ban(s, p);
    else if (p->network_id.n && !row_absent(s, ABSENT_KNOWN, p->account, p->network_id))
        p->banned = store_number(
            s, "SELECT since FROM ban WHERE network = " NETWORK_NAME(1) " AND network_id = $2",
            VALUES(db_int(p->account), db_text(p->network_id)));
}

/* Closed over both relations, since a handle with one of the ids may be linked to others. */
struct people store_all_handles(struct store *s, struct arena *a, int64_t who)
{
    enum { MOST = 64 };
    struct people all = {0, arena_array(a, struct person, MOST)};
    int64_t person[MOST] = {who};
    for (int i = 0, n = 1; i < n; i++) {
        struct people handles = store_handles(s, a, person[i]);
        for (int k = 0; k < handles.n && all.n < MOST; k++) {
            const struct person *p = &handles.at[k];
            struct ids same = known_as(s, a, p->account, p->network_id);
            all.at[all.n++] = *p;
            for (int j = 0; j < same.n && n < MOST; j++) {
                bool known = false;
                for (int m = 0; m < n; m++)
                    known |= person[m] == same.at[j];
                if (!known)
                    person[n++] = same.at[j];
            }
        }
    }
    return all;
}

void store_set_ban(struct store *s, int64_t who, int64_t since)
{
    struct arena *a = arena_open(HANDLES_BYTES);
    struct people handles = store_all_handles(s, a, who);
    for (int i = 0; i < handles.n; i++) {
        struct person p = handles.at[i];
        p.banned = since;
        p.ban_told = 0;
        store_update(s, &table_person, &p);
        if (since)
            put_ban(s, &p);
        else
            store_run(s, "DELETE FROM ban WHERE network = " NETWORK_NAME(1) " AND network_id = $2",
                      VALUES(db_int(p.account), db_text(p.network_id)));
    }
    cache_clear(s->rows);
    arena_close(a);
}

/* A handle has one owner: takes it away from another person who had it before. */
static void free_handle(struct store *s, const struct person *p)
{
    bool given = p->handle.n && !row_absent(s, ABSENT_HANDLE, p->account, p->handle_key);
    if (given)
        store_writes_ours(s, p->account);
    if (given &&
        store_changed(s,
                      "UPDATE person SET handle = '', handle_key = '' WHERE account = $1 AND "
                      "handle_key = $2 AND handle_key <> '' AND id <> $3",
                      VALUES(db_int(p->account), db_text(p->handle_key), db_int(p->id))))
        cache_clear(s->rows);
    row_appears(s, ABSENT_HANDLE, p->account, p->handle_key);
}

/* Of a row that is written with its network id for the first time. */
static void appears(struct store *s, const struct person *p)
{
    row_appears(s, ABSENT_PERSON, p->account, p->network_id);
    row_appears(s, ABSENT_KNOWN, p->account, p->network_id);
}

static struct person make_person(struct store *s, struct arena *a, int64_t account,
                                 const struct sender *who, struct str direct)
{
    struct str handle = without_at(who->handle);
    struct ids same = known_as(s, a, account, who->id);
    struct person p = {.account = account,
                       .network_id = who->id,
                       .name = who->name.n ? who->name
                               : handle.n  ? handle
                                           : who->id,
                       .handle = handle,
                       .handle_key = lower(a, handle),
                       .language = who->language,
                       .direct_chat = direct,
                       .reachable = direct.n > 0,
                       .owner = same.n ? same.at[0] : 0};
    follow_ban(s, &p);
    p.id = store_insert(s, &table_person, &p);
    appears(s, &p);
    finish(&p);
    free_handle(s, &p);
    keep(s, &p);
    return p;
}

/* What is empty in *who is not known this time and stays as it is, but for the handle of somebody
 * who speaks: it may have been given up. */
static struct person follow(struct store *s, struct arena *a, const struct sender *who,
                            const struct person *was, struct str direct)
{
    struct str handle = without_at(who->handle);
    struct person now = *was;
    if (who->id.n)
        now.network_id = who->id;
    if (who->name.n)
        now.name = who->name;
    if (handle.n || who->name.n)
        now.handle = handle;
    if (who->language.n)
        now.language = who->language;
    if (direct.n)
        now.direct_chat = direct;
    now.reachable = now.reachable || direct.n;
    bool same_handle = str_is(now.handle, was->handle);
    if (same_handle && str_is(now.network_id, was->network_id) && str_is(now.name, was->name) &&
        str_is(now.language, was->language) && str_is(now.direct_chat, was->direct_chat) &&
        now.reachable == was->reachable)
        return now;
    now.handle_key = lower(a, now.handle);
    bool known = str_is(now.network_id, was->network_id);
    if (!known) {
        follow_ban(s, &now);
        appears(s, &now);
    }
    if (!same_handle)
        free_handle(s, &now);
    if (known) /* else it may be somebody on another account */
        store_writes_ours(s, now.account);
    store_update(s, &table_person, &now);
    keep(s, &now);
    return now;
}

struct person store_person(struct store *s, struct arena *a, int64_t account,
                           const struct sender *who)
{
    return store_person_speaks(s, a, account, who, STR(""));
}

struct person store_person_speaks(struct store *s, struct arena *a, int64_t account,
                                  const struct sender *who, struct str direct)
{
    const struct person *p = NULL;
    assert(who->id.n || who->handle.n);
    if (who->id.n)
        p = store_person_by_network_id(s, a, account, who->id);
    if (!p && who->handle.n) {
        p = store_person_by_handle(s, a, account, who->handle);
        if (p && who->id.n && p->network_id.n)
            p = NULL; /* of another one, who had that handle */
    }
    return p ? follow(s, a, who, p, direct) : make_person(s, a, account, who, direct);
}

/* A statement that changes a person of whom only the id is at hand, and returns the rest of the
 * key. */
static void change_person(struct store *s, const char *sql, int n, const struct db_value *args)
{
    struct db_table t = store_ask(s, NULL, sql, n, args);
    for (int i = 0; i < t.rows; i++)
        cache_drop(s->rows, row_key(ROW_PERSON, t.at[i * 2].i, t.at[i * 2 + 1].s));
}

void store_set_prefs(struct store *s, int64_t person, struct str prefs)
{
    change_person(s, "UPDATE person SET prefs = $1 WHERE id = $2 RETURNING account, network_id",
                  VALUES(db_text(prefs), db_int(person)));
}

void store_set_ban_told(struct store *s, int64_t person, int64_t now)
{
    change_person(
        s,
        "UPDATE person SET ban_told = $1 WHERE " IS_HANDLE_OF(2) " RETURNING account, network_id",
        VALUES(db_int(now), db_int(person)));
}

/* ---- chats that somebody has left ---- */

/* Where " 12 " stands in " 7 12 40 "; -1 if it does not. */
static ptrdiff_t place_of(struct str list, struct str chat)
{
    const char *at = list.n ? memmem(list.p, list.n, chat.p, chat.n) : NULL;
    return at ? at - list.p : -1;
}

static struct str chat_word(int64_t chat, char ret[static 24])
{
    return (struct str){ret, (size_t)snprintf(ret, 24, " %lld ", (long long)chat)};
}

bool person_has_left(const struct person *p, int64_t chat)
{
    char word[24];
    return place_of(p->left_chats, chat_word(chat, word)) >= 0;
}

void store_set_left(struct store *s, const struct person *p, int64_t chat, bool left)
{
    enum { MOST = 400 /* bytes */ };
    char word[24], list[MOST + 48];
    struct buf b = BUF(list);
    struct str all = p->left_chats, one = chat_word(chat, word), rest;
    ptrdiff_t at = place_of(all, one);
    if ((at >= 0) == left)
        return;
    if (left) {
        while (all.n > MOST) {
            (void)str_cut(str_skip(all, 1), ' ', &rest);
            all = (struct str){rest.p - 1, rest.n + 1};
        }
        buf_put(&b, all.n ? (struct str){all.p, all.n - 1} : all);
        buf_put(&b, one);
    } else if (all.n > one.n) {
        buf_put(&b, (struct str){all.p, (size_t)at});
        buf_put(&b, str_skip(all, (size_t)at + one.n - 1));
    }
    change_person(s,
                  "UPDATE person SET left_chats = $1 WHERE id = $2 RETURNING account, network_id",
                  VALUES(db_text(buf_str(&b)), db_int(p->id)));
}

void store_set_direct(struct store *s, const struct person *p, struct str direct_chat,
                      bool reachable)
{
    store_writes_ours(s, p->account);
    if (direct_chat.n)
        store_run(s, "UPDATE person SET direct_chat = $1, reachable = $2 WHERE id = $3",
                  VALUES(db_text(direct_chat), db_int(reachable), db_int(p->id)));
    else
        store_run(s, "UPDATE person SET reachable = $1 WHERE id = $2",
                  VALUES(db_int(reachable), db_int(p->id)));
    cache_drop(s->rows, row_key(ROW_PERSON, p->account, p->network_id));
}

/* ---- one person, several handles ---- */

struct people store_handles(struct store *s, struct arena *a, int64_t who)
{
    return people_of(store_select(s, a, &table_person,
                                  "WHERE " IS_HANDLE_OF(1) " ORDER BY id LIMIT 64",
                                  VALUES(db_int(who))));
}

void store_link(struct store *s, int64_t who, int64_t other)
{
    cache_clear(s->rows);
    store_run(s, "UPDATE person SET owner = $1 WHERE " IS_HANDLE_OF(2),
              VALUES(db_int(who), db_int(other)));
}

void store_part(struct store *s, int64_t handle)
{
    cache_clear(s->rows);
    store_run(s, "UPDATE person SET owner = 0 WHERE " IS_HANDLE_OF(1), VALUES(db_int(handle)));
}

void store_set_code(struct store *s, int64_t handle, struct str code, int64_t expires)
{
    store_run(s,
              "INSERT INTO link_code (person, code, expires) VALUES ($1, $2, $3) ON CONFLICT "
              "(person) DO UPDATE SET code = excluded.code, expires = excluded.expires",
              VALUES(db_int(handle), db_text(code), db_int(expires)));
}

int64_t store_code(struct store *s, struct str code, int64_t now)
{
    return store_number(
        s, "SELECT person FROM link_code WHERE code = $1 AND code <> '' AND expires > $2",
        VALUES(db_text(code), db_int(now)));
}

void store_move_codes(struct store *s, int64_t ms)
{
    store_run(s, "UPDATE link_code SET expires = expires + $1, since = since + $1",
              VALUES(db_int(ms)));
}

void store_drop_codes(struct store *s, int64_t who)
{
    store_run(s, "UPDATE link_code SET code = '' WHERE person IN " HANDLES_OF(1),
              VALUES(db_int(who)));
}

void store_wrong_code(struct store *s, int64_t handle, int64_t now, int64_t since)
{
    store_run(
        s,
        "INSERT INTO link_code (person, wrong, since) VALUES ($1, 1, $2) ON CONFLICT (person) DO "
        "UPDATE SET wrong = CASE WHEN link_code.since > $3 THEN link_code.wrong + 1 ELSE 1 END, "
        "since = CASE WHEN link_code.since > $3 THEN link_code.since ELSE excluded.since END",
        VALUES(db_int(handle), db_int(now), db_int(since)));
}

int store_wrong_codes(struct store *s, int64_t handle, int64_t since)
{
    return (int)store_number(s, "SELECT wrong FROM link_code WHERE person = $1 AND since > $2",
                             VALUES(db_int(handle), db_int(since)));
}

/* ---- logins of browsers ---- */

#define LOGIN(member) COLUMN(struct login, member)
static const struct sql_column login_columns[] = {LOGIN(hash),       LOGIN(ticket), LOGIN(account),
                                                  LOGIN(network_id), LOGIN(until),  LOGIN(code)};
static const struct sql_table logins = {"login", .n_keys = 1, ROWS(struct login, login_columns)};

void store_put_login(struct store *s, const struct login *l)
{
    store_upsert(s, &logins, l);
}

const struct login *store_login(struct store *s, struct arena *a, struct str hash, bool ticket,
                                int64_t now)
{
    return store_find(s, a, &logins, "WHERE hash = $1 AND ticket = $2 AND until > $3",
                      VALUES(db_text(hash), db_int(ticket), db_int(now)));
}

void store_drop_login(struct store *s, struct str hash)
{
    store_run(s, "DELETE FROM login WHERE hash = $1", VALUES(db_text(hash)));
}

void store_drop_logins(struct store *s, int64_t account, struct str network_id)
{
    store_run(s, "DELETE FROM login WHERE account = $1 AND network_id = $2",
              VALUES(db_int(account), db_text(network_id)));
}

bool store_login_waits(struct store *s, int64_t account, struct str network_id, struct str code,
                       int64_t now)
{
    return store_number(s,
                        "SELECT count(*) FROM login WHERE account = $1 AND network_id = $2 AND "
                        "code = $3 AND until > $4",
                        VALUES(db_int(account), db_text(network_id), db_text(code), db_int(now))) >
           0;
}

void store_confirm_login(struct store *s, int64_t account, struct str network_id, struct str code,
                         int64_t until)
{
    store_run(s,
              "UPDATE login SET code = '', until = $1 WHERE account = $2 AND network_id = $3 AND "
              "code = $4",
              VALUES(db_int(until), db_int(account), db_text(network_id), db_text(code)));
}

void store_forget_logins(struct store *s, int64_t now)
{
    store_run(s, "DELETE FROM login WHERE until < $1", VALUES(db_int(now)));
}

/* ---- names ---- */

static const struct sql_column named_columns[] = {COLUMN_NAMED(struct named_row, who, "o.id"),
                                                  COLUMN_NAMED(struct named_row, name, "o.name")};
static const struct sql_table named = {ROWS(struct named_row, named_columns)};

struct named_rows store_named(struct store *s, struct arena *a, const char *tail, int n,
                              const struct db_value *args)
{
    return named_rows_of(store_select(s, a, &named, tail, n, args));
}
