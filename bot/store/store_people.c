/* People: found by the network's id or handle, added when they are new, updated when name or handle
 * change. */
#include "store_sql.h"

#include <assert.h>

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
                           .reachable = v[8].i != 0,
                           .banned = v[10].i,
                           .ban_told = v[11].i};
}

/* ---- the cache ---- */

void store_people_of(struct arena *a, const struct db_table *t, struct people *ret)
{
    ret->n = t->rows;
    ret->at = arena_array(a, struct person, (size_t)t->rows);
    for (int i = 0; i < t->rows; i++)
        ret->at[i] = store_person_of(t->at + i * t->cols);
}

enum { PERSON_STRINGS = 6 };

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
        row_cache_put(s->rows, ROW_PERSON, p->account, p->network_id, 1 + PERSON_STRINGS, parts);
}

static bool find_person(struct store *s, struct arena *a, int64_t account, struct str network_id,
                        struct person *ret)
{
    struct str *strings[] = {&ret->network_id, &ret->name,  &ret->handle,
                             &ret->language,   &ret->prefs, &ret->direct_chat};
    return row_cache_find_row(s->rows, a, ROW_PERSON, account, network_id, ret, sizeof *ret,
                              PERSON_STRINGS, strings);
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

/* "telegram." of the accounts telegram and telegram.second. */
#define NETWORK_OF(account)                                                                        \
    "CASE WHEN " account ".name LIKE '%.%' THEN rtrim(" account                                    \
    ".name, 'abcdefghijklmnopqrstuvwxyz0123456789') ELSE " account ".name || '.' END"
#define ONE_NETWORK NETWORK_OF("mine") " = " NETWORK_OF("other")

/* Who somebody new on this account is already: the person with the same id on another account of the
 * same network; 0 if there is none. */
static bool known_elsewhere(struct store *s, int64_t account, struct str network_id, int64_t *ret,
                            struct err *err)
{
    struct db_table t;
    *ret = 0;
    if (network_id.n == 0)
        return true;
    const char *sql = "SELECT CASE WHEN owner > 0 THEN owner ELSE id END FROM person "
                      "WHERE account IN (SELECT other.id FROM account mine JOIN account other "
                      "ON " ONE_NETWORK " WHERE mine.id = $1 AND other.id <> mine.id) "
                      "AND network_id = $2 ORDER BY 1 LIMIT 1";
    if (!store_ask(s, NULL, sql, VALUES(db_int(account), db_text(network_id)), &t, err))
        return false;
    *ret = t.rows > 0 ? t.at[0].i : 0;
    return true;
}

static bool make_person(struct store *s, struct arena *a, int64_t account, const struct sender *who,
                        struct person *ret, struct err *err)
{
    struct db_table t;
    struct str handle = without_at(who->handle);
    struct str name = who->name.n ? who->name : handle.n ? handle : who->id;
    int64_t owner;
    if (!known_elsewhere(s, account, who->id, &owner, err) ||
        !store_change(
            s, a,
            "INSERT INTO person (account, network_id, name, handle, handle_key, language, owner) "
            "VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING " PERSON,
            VALUES(db_int(account), who->id.n ? db_text(who->id) : db_null(), db_text(name),
                   db_text(handle), db_text(lower(a, handle)), db_text(who->language),
                   db_int(owner)),
            &t, err))
        return false;
    *ret = store_person_of(t.at);
    return true;
}

/* A handle has one owner: takes it away from another person who had it before. */
static bool free_handle(struct store *s, struct arena *a, int64_t account, struct str handle,
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
        cache_clear(s->rows);
    return true;
}

/* What is empty in *who is not known this time and stays as it is, but for the handle of somebody
 * who speaks: it may have been given up. */
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
    if (!str_is(now.handle, p->handle) && !free_handle(s, a, p->account, now.handle, p->id, err))
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
            !free_handle(s, a, account, p.handle, p.id, err))
            return false;
        keep_person(s, &p);
    } else if (!follow(s, a, who, &p, err)) {
        return false;
    }
    *ret = p;
    return true;
}

/* A statement that changes a person of whom only the id is at hand, and returns the rest of the
 * key. */
static bool change_person(struct store *s, const char *sql, int n, const struct db_value *args,
                          struct err *err)
{
    struct db_table t;
    if (!store_change(s, NULL, sql, n, args, &t, err))
        return false;
    for (int i = 0; i < t.rows; i++)
        row_cache_drop(s->rows, ROW_PERSON, t.at[i * 2].i, t.at[i * 2 + 1].s);
    return true;
}

bool store_set_prefs(struct store *s, int64_t person, struct str prefs, struct err *err)
{
    return change_person(s,
                         "UPDATE person SET prefs = $1 WHERE id = $2 RETURNING account, network_id",
                         VALUES(db_text(prefs), db_int(person)), err);
}

bool store_set_ban(struct store *s, int64_t person, int64_t since, struct err *err)
{
    return change_person(s,
                         "UPDATE person SET banned = $1, ban_told = 0 WHERE id = $2 RETURNING "
                         "account, network_id",
                         VALUES(db_int(since), db_int(person)), err);
}

bool store_set_ban_told(struct store *s, int64_t person, int64_t now, struct err *err)
{
    return change_person(
        s, "UPDATE person SET ban_told = $1 WHERE id = $2 RETURNING account, network_id",
        VALUES(db_int(now), db_int(person)), err);
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
