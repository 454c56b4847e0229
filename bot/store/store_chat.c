/* Chats: found by the network's key, added when they are new, updated when name or key change. */
#include "store_table.h"

const struct chat *store_chat_by_key(struct store *s, struct arena *a, int64_t account,
                                     struct str key)
{
    if (!store_ours(s, account))
        return NULL;
    const struct chat *c = row_cached(s, a, row_key(ROW_CHAT, account, key), &table_chat);
    if (c || row_absent(s, ABSENT_CHAT, account, key))
        return c;
    c = store_find(s, a, &table_chat, "WHERE account = $1 AND key = $2",
                   VALUES(db_int(account), db_text(key)));
    if (c)
        row_keep_whole(s, row_key(ROW_CHAT, account, key), &table_chat, c);
    return c;
}

struct chat store_chat(struct store *s, struct arena *a, int64_t account, struct str key,
                       struct str name, bool direct)
{
    const struct chat *known = store_chat_by_key(s, a, account, key);
    bool renamed = known && name.n && !str_is(name, known->name);
    struct chat c = known ? *known
                          : (struct chat){.account = account,
                                          .key = arena_str(a, key),
                                          .name = arena_str(a, name),
                                          .direct = direct};
    if (!known) {
        store_writes_ours(s, account);
        c.id = store_insert(s, &table_chat, &c);
        row_appears(s, ABSENT_CHAT, account, key);
    } else if (renamed) {
        c.name = name;
        store_writes_ours(s, account);
        store_update(s, &table_chat, &c);
    }
    if (!known || renamed)
        row_keep_whole(s, row_key(ROW_CHAT, account, key), &table_chat, &c);
    if (store_on_server(s) && !s->failed) /* a file is asked when a match wants it */
        store_set_home(s, HOME_OF_CHAT, c.id, account);
    return c;
}

/* Where its row was says the cache; that it is still there says the row. */
const struct chat *store_chat_by_id(struct store *s, struct arena *a, int64_t id)
{
    const struct cache_key at = row_key(ROW_CHAT_AT, id, STR(""));
    const struct chat *c = NULL;
    struct str found;
    int64_t account;
    if (!store_chat_ours(s, id))
        return NULL;
    if (cache_find(s->rows, at, &found)) {
        memcpy(&account, found.p, sizeof account);
        c = row_cached(s, a, row_key(ROW_CHAT, account, str_skip(found, sizeof account)),
                       &table_chat);
    }
    if (c && c->id == id)
        return c;
    c = store_find(s, a, &table_chat, "WHERE id = $1", VALUES(db_int(id)));
    if (c) {
        const struct str parts[] = {{(const char *)&c->account, sizeof c->account}, c->key};
        row_keep(s, at, 2, parts);
        row_keep_whole(s, row_key(ROW_CHAT, c->account, c->key), &table_chat, c);
    }
    return c;
}

static void set_text(struct store *s, const char *sql, int64_t chat, struct str text)
{
    struct db_table t = store_ask(s, NULL, sql, VALUES(db_text(text), db_int(chat)));
    if (t.rows)
        cache_drop(s->rows, row_key(ROW_CHAT, t.at[0].i, t.at[1].s));
}

void store_set_settings(struct store *s, int64_t chat, struct str settings)
{
    set_text(s, "UPDATE chat SET settings = $1 WHERE id = $2 RETURNING account, key", chat,
             settings);
}

void store_set_chat_link(struct store *s, int64_t chat, struct str link)
{
    set_text(s, "UPDATE chat SET link = $1 WHERE id = $2 RETURNING account, key", chat, link);
}

const struct chat *store_chat_by_link(struct store *s, struct arena *a, int64_t account,
                                      struct str link, struct str key)
{
    const struct chat *c = store_chat_by_key(s, a, account, key);
    return c && c->link.n == 0
               ? c
               : store_find(s, a, &table_chat, "WHERE account = $1 AND link = $2 AND link <> ''",
                            VALUES(db_int(account), db_text(link)));
}

/* ---- a chat that goes on under another key ---- */

/* All that hangs on chat `from` hangs on `to` afterwards; `from` is no more. */
static void join_chats(struct store *s, struct arena *a, int64_t to, int64_t from)
{
    struct str old = arena_print(a, " %lld ", (long long)from),
               now = arena_print(a, " %lld ", (long long)to),
               any = arena_print(a, "%%%.*s%%", STR_ARG(old));
    for (int i = 0; store_features[i]; i++) {
        const struct store_feature *f = store_features[i];
        for (const char *const *sql = f->join; *sql; sql++)
            store_run(s, *sql, VALUES(db_int(to), db_int(from)));
        for (const struct sql_table *const *t = f->counted; *t; t++)
            store_move_rows(s, *t, to, from);
    }
    store_rename_chat(s, to, from);
    store_run(
        s,
        "UPDATE person SET left_chats = REPLACE(left_chats, $1, $2) WHERE left_chats <> '' AND "
        "left_chats LIKE $3",
        VALUES(db_text(old), db_text(now), db_text(any)));
    store_run(s, "DELETE FROM chat WHERE id = $1", VALUES(db_int(from)));
}

bool store_move_chat(struct store *s, int64_t account, struct str key, struct str new_key)
{
    struct arena *a = arena_open(1 << 20);
    const struct chat *old = store_chat_by_key(s, a, account, key),
                      *other = store_chat_by_key(s, a, account, new_key);
    if (old && other && old->id != other->id) {
        join_chats(s, a, old->id, other->id);
        if (old->settings.n == 0 && other->settings.n)
            store_set_settings(s, old->id, other->settings);
    }
    if (old) {
        store_run(s, "UPDATE chat SET key = $1 WHERE id = $2",
                  VALUES(db_text(new_key), db_int(old->id)));
        store_run(s,
                  "UPDATE person SET direct_chat = $1 WHERE account = $2 AND direct_chat = $3 AND "
                  "direct_chat <> ''",
                  VALUES(db_text(new_key), db_int(account), db_text(key)));
    }
    store_run(s, "DELETE FROM post WHERE account = $1 AND place = $2",
              VALUES(db_int(account), db_text(key)));
    bool moved = old != NULL;
    arena_close(a);
    cache_clear(s->rows);
    return moved;
}

bool store_chat_is_bare(struct store *s, int64_t account, struct str key)
{
    return store_number(s,
                        "SELECT COUNT(*) FROM chat WHERE account = $1 AND key = $2 AND NOT EXISTS "
                        "(SELECT 1 FROM post WHERE account = $1 AND place = $2)",
                        VALUES(db_int(account), db_text(key))) > 0;
}

/* ---- letters ---- */

#define LETTER(member) COLUMN(struct letter, member)
static const struct sql_column letter_columns[] = {LETTER(id),     LETTER(account), LETTER(chat),
                                                   LETTER(reader), LETTER(slot),    LETTER(said),
                                                   LETTER(at)};
static const struct sql_table letters = {"letter", .n_keys = 1, .counted = true,
                                         ROWS(struct letter, letter_columns)};

int64_t store_put_letter(struct store *s, const struct letter *l)
{
    if (l->slot.n > 0) {
        store_writes_ours(s, l->account);
        store_run(
            s,
            "DELETE FROM letter WHERE account = $1 AND chat = $2 AND slot = $3 AND reader = "
            "$4",
            VALUES(db_int(l->account), db_text(l->chat), db_text(l->slot), db_text(l->reader)));
    }
    store_writes_ours(s, l->account);
    int64_t id = store_insert(s, &letters, l);
    if (id % (LETTERS_KEPT / 4) == 0) { /* now and then is enough */
        store_writes_ours(s, l->account);
        store_run(s,
                  "DELETE FROM letter WHERE account = $1 AND chat = $2 AND id < (SELECT MIN(id) "
                  "FROM (SELECT id FROM letter WHERE account = $1 AND chat = $2 ORDER BY id DESC "
                  "LIMIT $3) AS kept)",
                  VALUES(db_int(l->account), db_text(l->chat), db_int(LETTERS_KEPT)));
    }
    return id;
}

struct letters store_letters(struct store *s, struct arena *a, int64_t account,
                             const struct str chat[static 2], struct str reader, int64_t after,
                             int most)
{
    struct rows rows = store_select(
        s, a, &letters,
        "WHERE account = $1 AND (chat = $2 OR (chat = $3 AND $3 <> '')) AND (reader = '' OR reader "
        "= $4) AND id > $5 ORDER BY id DESC LIMIT $6",
        VALUES(db_int(account), db_text(chat[0]), db_text(chat[1]), db_text(reader), db_int(after),
               db_int(most)));
    struct letter *at = rows.at;
    for (int i = 0; i < rows.n / 2; i++) {
        struct letter swap = at[i];
        at[i] = at[rows.n - 1 - i];
        at[rows.n - 1 - i] = swap;
    }
    return (struct letters){rows.n, at};
}

void store_forget_letters(struct store *s, int64_t before, int most)
{
    store_run_by_account(s,
                         "DELETE FROM letter WHERE account = $1 AND id IN (SELECT id FROM letter "
                         "WHERE account = $1 AND at < $2 LIMIT $3)",
                         VALUES(db_int(before), db_int(most)));
}

/* ---- what comes daily ---- */

/* Made once: a statement is known by its address. */
static const char *people_of_all(struct store *s)
{
    struct str sql = STR("");
    for (int i = 0; store_features[i]; i++)
        if (store_features[i]->people)
            sql = arena_print(s->statements, "%s%s%s", sql.p, sql.n ? " UNION " : "FROM (",
                              store_features[i]->people);
    return sql.n ? arena_print(s->statements,
                               "%s) AS x" JOIN_PERSON("x.person") "WHERE o.banned = 0 GROUP BY "
                                                                  "o.id, o.name ORDER BY o.id",
                               sql.p)
                       .p
                 : NULL;
}

struct named_rows store_daily_people(struct store *s, struct arena *a, int64_t chat, int64_t since)
{
    if (!s->daily_people)
        s->daily_people = people_of_all(s);
    return s->daily_people ? store_named(s, a, s->daily_people, VALUES(db_int(chat), db_int(since)))
                           : (struct named_rows){0};
}
