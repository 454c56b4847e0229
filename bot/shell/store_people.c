/* People and chats: found by what the network calls them, made when they are new, followed when they
 * change their name, their handle or their key. */
#include "store_sql.h"

#include <assert.h>

#define CHAT "id, account, key, name, direct, settings"

struct person store_person_of(const struct db_value *v)
{
    return (struct person){.id = v[0].i,
                           .account = v[1].i,
                           .who = v[9].i ? v[9].i : v[0].i,
                           .network_id = v[2].s,
                           .name = v[3].s,
                           .handle = v[4].s,
                           .language = v[5].s,
                           .prefs = v[6].s,
                           .direct_chat = v[7].s,
                           .reachable = v[8].i != 0};
}

static struct chat chat_of(const struct db_value *v)
{
    return (struct chat){v[0].i, v[1].i, v[2].s, v[3].s, v[4].i != 0, v[5].s};
}

/* ---- what is known of them ---- */

enum { PERSON_STRINGS = 6, CHAT_STRINGS = 3 };

/* A row was kept as its struct of `size` bytes and, behind it, what its strings point to. */
static bool find_row(struct store *s, struct arena *a, enum known_kind kind, int64_t account,
                     struct str key, void *ret, size_t size, int n_strings,
                     struct str *const *strings)
{
    struct str value;
    if (!known_find(s->known, kind, account, key, &value))
        return false;
    value = arena_str(a, value);
    memcpy(ret, value.p, size);
    const char *at = value.p + size;
    for (int i = 0; i < n_strings; at += strings[i]->n, i++)
        strings[i]->p = at;
    return true;
}

static void keep_person(struct store *s, const struct person *p)
{
    const struct str parts[] = {{(const char *)p, sizeof *p},
                                p->network_id,
                                p->name,
                                p->handle,
                                p->language,
                                p->prefs,
                                p->direct_chat};
    if (p->network_id.n)
        known_keep(s->known, KNOWN_PERSON, p->account, p->network_id, 1 + PERSON_STRINGS, parts);
}

static bool find_person(struct store *s, struct arena *a, int64_t account, struct str network_id,
                        struct person *ret)
{
    struct str *strings[] = {&ret->network_id, &ret->name,  &ret->handle,
                             &ret->language,   &ret->prefs, &ret->direct_chat};
    return find_row(s, a, KNOWN_PERSON, account, network_id, ret, sizeof *ret, PERSON_STRINGS,
                    strings);
}

static void keep_chat(struct store *s, const struct chat *c)
{
    const struct str parts[] = {{(const char *)c, sizeof *c}, c->key, c->name, c->settings};
    known_keep(s->known, KNOWN_CHAT, c->account, c->key, 1 + CHAT_STRINGS, parts);
}

static bool find_chat(struct store *s, struct arena *a, int64_t account, struct str key,
                      struct chat *ret)
{
    struct str *strings[] = {&ret->key, &ret->name, &ret->settings};
    return find_row(s, a, KNOWN_CHAT, account, key, ret, sizeof *ret, CHAT_STRINGS, strings);
}

/* ---- reading ---- */

static bool one_person(struct store *s, struct arena *a, const char *sql, int n,
                       const struct db_value *args, struct person *ret, bool *ret_found,
                       struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, sql, n, args, &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = store_person_of(t.at);
    return true;
}

static bool one_chat(struct store *s, struct arena *a, const char *sql, int n,
                     const struct db_value *args, struct chat *ret, bool *ret_found,
                     struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, sql, n, args, &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = chat_of(t.at);
    return true;
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

/* ---- people ---- */

bool store_person_by_id(struct store *s, struct arena *a, int64_t id, struct person *ret,
                        bool *ret_found, struct err *err)
{
    return one_person(s, a, "SELECT " PERSON " FROM person WHERE id = $1", VALUES(db_int(id)), ret,
                      ret_found, err);
}

bool store_person_by_network_id(struct store *s, struct arena *a, int64_t account,
                                struct str network_id, struct person *ret, bool *ret_found,
                                struct err *err)
{
    *ret_found = find_person(s, a, account, network_id, ret);
    if (*ret_found)
        return true;
    if (!one_person(s, a, "SELECT " PERSON " FROM person WHERE account = $1 AND network_id = $2",
                    VALUES(db_int(account), db_text(network_id)), ret, ret_found, err))
        return false;
    if (*ret_found)
        keep_person(s, ret);
    return true;
}

bool store_person_by_handle(struct store *s, struct arena *a, int64_t account, struct str handle,
                            struct person *ret, bool *ret_found, struct err *err)
{
    struct str key = lower(a, without_at(handle));
    *ret_found = false;
    return key.n == 0 ||
           one_person(s, a,
                      "SELECT " PERSON " FROM person WHERE account = $1 AND handle_key = $2 AND "
                      "handle_key <> '' ORDER BY id LIMIT 1",
                      VALUES(db_int(account), db_text(key)), ret, ret_found, err);
}

static bool make_person(struct store *s, struct arena *a, int64_t account, const struct sender *who,
                        struct person *ret, struct err *err)
{
    struct db_table t;
    struct str handle = without_at(who->handle);
    struct str name = who->name.n ? who->name : handle.n ? handle : who->id;
    if (!store_change(
            s, a,
            "INSERT INTO person (account, network_id, name, handle, handle_key, language) "
            "VALUES ($1, $2, $3, $4, $5, $6) RETURNING " PERSON,
            VALUES(db_int(account), who->id.n ? db_text(who->id) : db_null(), db_text(name),
                   db_text(handle), db_text(lower(a, handle)), db_text(who->language)),
            &t, err))
        return false;
    *ret = store_person_of(t.at);
    return true;
}

/* A handle has one owner: whoever had it before and is somebody else has it no longer. */
static bool take_handle(struct store *s, struct arena *a, int64_t account, struct str handle,
                        int64_t but, struct err *err)
{
    int64_t taken = 0;
    if (handle.n &&
        !store_run(s,
                   "UPDATE person SET handle = '', handle_key = '' WHERE account = $1 AND "
                   "handle_key = $2 AND handle_key <> '' AND id <> $3",
                   VALUES(db_int(account), db_text(lower(a, handle)), db_int(but)), &taken, err))
        return false;
    if (taken)
        known_clear(s->known);
    return true;
}

/* What is empty in *who is not known this time and stays as it is, but for the handle of somebody who
 * speaks: it may have been given up. */
static bool follow(struct store *s, struct arena *a, const struct sender *who, struct person *p,
                   struct err *err)
{
    struct str handle = without_at(who->handle);
    bool keep = handle.n == 0 && who->name.n == 0;
    struct person now = *p;
    if (who->id.n)
        now.network_id = who->id;
    if (who->name.n)
        now.name = who->name;
    if (!keep)
        now.handle = handle;
    if (who->language.n)
        now.language = who->language;
    if (str_is(now.network_id, p->network_id) && str_is(now.name, p->name) &&
        str_is(now.handle, p->handle) && str_is(now.language, p->language))
        return true;
    if (!str_is(now.handle, p->handle) && !take_handle(s, a, p->account, now.handle, p->id, err))
        return false;
    if (!store_run(s,
                   "UPDATE person SET network_id = $1, name = $2, handle = $3, handle_key = $4, "
                   "language = $5 WHERE id = $6",
                   VALUES(now.network_id.n ? db_text(now.network_id) : db_null(), db_text(now.name),
                          db_text(now.handle), db_text(lower(a, now.handle)), db_text(now.language),
                          db_int(now.id)),
                   NULL, err))
        return false;
    *p = now;
    keep_person(s, p);
    return true;
}

bool store_person(struct store *s, struct arena *a, int64_t account, const struct sender *who,
                  struct person *ret, struct err *err)
{
    struct person p;
    bool found = false;
    assert(who->id.n || who->handle.n);
    if (who->id.n && !store_person_by_network_id(s, a, account, who->id, &p, &found, err))
        return false;
    if (!found && who->handle.n) {
        if (!store_person_by_handle(s, a, account, who->handle, &p, &found, err))
            return false;
        found = found && (who->id.n == 0 || p.network_id.n == 0);
    }
    if (!found) {
        if (!make_person(s, a, account, who, &p, err) ||
            !take_handle(s, a, account, p.handle, p.id, err))
            return false;
        keep_person(s, &p);
    } else if (!follow(s, a, who, &p, err)) {
        return false;
    }
    *ret = p;
    return true;
}

/* A statement that changes a person of whom only the id is at hand, and returns the rest of the key. */
static bool change_person(struct store *s, const char *sql, int n, const struct db_value *args,
                          struct err *err)
{
    struct db_table t;
    if (!store_change(s, NULL, sql, n, args, &t, err))
        return false;
    for (int i = 0; i < t.rows; i++)
        known_drop(s->known, KNOWN_PERSON, t.at[i * 2].i, t.at[i * 2 + 1].s);
    return true;
}

bool store_set_prefs(struct store *s, int64_t person, struct str prefs, struct err *err)
{
    return change_person(s,
                         "UPDATE person SET prefs = $1 WHERE id = $2 RETURNING account, network_id",
                         VALUES(db_text(prefs), db_int(person)), err);
}

bool store_set_direct(struct store *s, int64_t person, struct str direct_chat, bool reachable,
                      struct err *err)
{
    if (direct_chat.n == 0)
        return change_person(
            s, "UPDATE person SET reachable = $1 WHERE id = $2 RETURNING account, network_id",
            VALUES(db_int(reachable), db_int(person)), err);
    return change_person(s,
                         "UPDATE person SET direct_chat = $1, reachable = $2 WHERE id = $3 "
                         "RETURNING account, network_id",
                         VALUES(db_text(direct_chat), db_int(reachable), db_int(person)), err);
}

/* ---- chats ---- */

static bool chat_by_key(struct store *s, struct arena *a, int64_t account, struct str key,
                        struct chat *ret, bool *ret_found, struct err *err)
{
    *ret_found = find_chat(s, a, account, key, ret);
    return *ret_found || one_chat(s, a, "SELECT " CHAT " FROM chat WHERE account = $1 AND key = $2",
                                  VALUES(db_int(account), db_text(key)), ret, ret_found, err);
}

bool store_chat(struct store *s, struct arena *a, int64_t account, struct str key, struct str name,
                bool direct, struct chat *ret, struct err *err)
{
    bool found;
    struct chat c;
    struct db_table made;
    if (!chat_by_key(s, a, account, key, &c, &found, err))
        return false;
    if (!found) {
        if (!store_change(s, a,
                          "INSERT INTO chat (account, key, name, direct) VALUES ($1, $2, $3, $4) "
                          "RETURNING " CHAT,
                          VALUES(db_int(account), db_text(key), db_text(name), db_int(direct)),
                          &made, err))
            return false;
        c = chat_of(made.at);
    } else if (name.n && !str_is(name, c.name)) {
        c.name = name;
        if (!store_run(s, "UPDATE chat SET name = $1 WHERE id = $2",
                       VALUES(db_text(name), db_int(c.id)), NULL, err))
            return false;
    }
    keep_chat(s, &c);
    *ret = c;
    return true;
}

bool store_chat_by_id(struct store *s, struct arena *a, int64_t id, struct chat *ret,
                      bool *ret_found, struct err *err)
{
    return one_chat(s, a, "SELECT " CHAT " FROM chat WHERE id = $1", VALUES(db_int(id)), ret,
                    ret_found, err);
}

bool store_set_settings(struct store *s, int64_t chat, struct str settings, struct err *err)
{
    struct db_table t;
    if (!store_change(s, NULL, "UPDATE chat SET settings = $1 WHERE id = $2 RETURNING account, key",
                      VALUES(db_text(settings), db_int(chat)), &t, err))
        return false;
    for (int i = 0; i < t.rows; i++)
        known_drop(s->known, KNOWN_CHAT, t.at[i * 2].i, t.at[i * 2 + 1].s);
    return true;
}

/* ---- a chat that goes on under another key ---- */

/* All that hangs on chat `from` hangs on `to` afterwards; `from` is no more. */
static bool join_chats(struct store *s, int64_t to, int64_t from, struct err *err)
{
    struct db_table t;
    if (!store_run(
            s,
            "INSERT INTO result (chat, season, person, won, drawn, lost, points) "
            "SELECT $1, season, person, won, drawn, lost, points FROM result WHERE chat = $2 "
            "ON CONFLICT (chat, season, person) DO UPDATE SET won = result.won + excluded.won, "
            "drawn = result.drawn + excluded.drawn, lost = result.lost + excluded.lost, "
            "points = result.points + excluded.points",
            VALUES(db_int(to), db_int(from)), NULL, err) ||
        !store_run(s, "DELETE FROM result WHERE chat = $1", VALUES(db_int(from)), NULL, err) ||
        !store_ask(s, NULL,
                   "SELECT id, chats FROM session WHERE id IN (SELECT session FROM session_chat "
                   "WHERE chat = $1)",
                   VALUES(db_int(from)), &t, err))
        return false;
    for (int i = 0; i < t.rows; i++) {
        char list[128];
        struct buf b = BUF(list);
        struct str rest = t.at[i * 2 + 1].s;
        while (rest.n) {
            int64_t id = 0;
            struct str one = str_cut(rest, ' ', &rest);
            bool number = str_int(one, &id);
            assert(number);
            buf_print(&b, "%s%lld", b.n ? " " : "", (long long)(id == from ? to : id));
        }
        if (!store_run(s, "UPDATE session SET chats = $1 WHERE id = $2",
                       VALUES(db_text(buf_str(&b)), db_int(t.at[i * 2].i)), NULL, err))
            return false;
    }
    return store_run(s,
                     "INSERT INTO session_chat (chat, live, session) SELECT $1, live, session FROM "
                     "session_chat WHERE chat = $2 ON CONFLICT DO NOTHING",
                     VALUES(db_int(to), db_int(from)), NULL, err) &&
           store_run(s, "DELETE FROM session_chat WHERE chat = $1", VALUES(db_int(from)), NULL,
                     err) &&
           store_run(s, "DELETE FROM chat WHERE id = $1", VALUES(db_int(from)), NULL, err);
}

bool store_move_chat(struct store *s, int64_t account, struct str key, struct str new_key,
                     struct err *err)
{
    struct chat old, new;
    bool found, taken;
    struct arena *a = arena_open(1 << 20);
    bool ok = chat_by_key(s, a, account, key, &old, &found, err) &&
              chat_by_key(s, a, account, new_key, &new, &taken, err);
    if (ok && found && taken && old.id != new.id) {
        ok = join_chats(s, old.id, new.id, err);
        if (ok && old.settings.n == 0 && new.settings.n)
            ok = store_set_settings(s, old.id, new.settings, err);
    }
    if (ok && found)
        ok = store_run(s, "UPDATE chat SET key = $1 WHERE id = $2",
                       VALUES(db_text(new_key), db_int(old.id)), NULL, err) &&
             store_run(
                 s,
                 "UPDATE person SET direct_chat = $1 WHERE account = $2 AND direct_chat = $3 AND "
                 "direct_chat <> ''",
                 VALUES(db_text(new_key), db_int(account), db_text(key)), NULL, err);
    ok = ok && store_run(s, "DELETE FROM post WHERE account = $1 AND place = $2",
                         VALUES(db_int(account), db_text(key)), NULL, err);
    arena_close(a);
    known_clear(s->known);
    return ok;
}
