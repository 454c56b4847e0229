/* Chats: found by the network's key, added when they are new, updated when name or key change. */
#include "store_table.h"

#define CHAT(member) COLUMN(struct chat, member)
static const struct sql_column columns[] = {CHAT(id),   CHAT(account), CHAT(key),
                                            CHAT(name), CHAT(direct),  CHAT(settings)};
static const struct sql_table chats = {"chat", .n_keys = 1, .counted = true,
                                       ROWS(struct chat, columns)};

static const struct chat *chat_by_key(struct store *s, struct arena *a, int64_t account,
                                      struct str key)
{
    const struct chat *c = row_cached(s, a, row_key(ROW_CHAT, account, key), &chats);
    return c ? c
             : store_find(s, a, &chats, "WHERE account = $1 AND key = $2",
                          VALUES(db_int(account), db_text(key)));
}

struct chat store_chat(struct store *s, struct arena *a, int64_t account, struct str key,
                       struct str name, bool direct)
{
    const struct chat *known = chat_by_key(s, a, account, key);
    struct chat c = known ? *known
                          : (struct chat){.account = account,
                                          .key = arena_str(a, key),
                                          .name = arena_str(a, name),
                                          .direct = direct};
    if (!known) {
        c.id = store_insert(s, &chats, &c);
    } else if (name.n && !str_is(name, c.name)) {
        c.name = name;
        store_update(s, &chats, &c);
    }
    row_keep_whole(s, row_key(ROW_CHAT, account, key), &chats, &c);
    return c;
}

const struct chat *store_chat_by_id(struct store *s, struct arena *a, int64_t id)
{
    return store_find(s, a, &chats, "WHERE id = $1", VALUES(db_int(id)));
}

void store_set_settings(struct store *s, int64_t chat, struct str settings)
{
    struct db_table t =
        store_ask(s, NULL, "UPDATE chat SET settings = $1 WHERE id = $2 RETURNING account, key",
                  VALUES(db_text(settings), db_int(chat)));
    if (t.rows)
        cache_drop(s->rows, row_key(ROW_CHAT, t.at[0].i, t.at[1].s));
}

/* ---- a chat that goes on under another key ---- */

/* All that hangs on chat `from` hangs on `to` afterwards; `from` is no more. */
static void join_chats(struct store *s, int64_t to, int64_t from)
{
    for (int i = 0; store_features[i]; i++) {
        const struct store_feature *f = store_features[i];
        for (const char *const *sql = f->join; *sql; sql++)
            store_run(s, *sql, VALUES(db_int(to), db_int(from)));
        for (const struct sql_table *const *t = f->counted; *t; t++)
            store_move_rows(s, *t, to, from);
    }
    store_rename_chat(s, to, from);
    store_run(s, "DELETE FROM chat WHERE id = $1", VALUES(db_int(from)));
}

bool store_move_chat(struct store *s, int64_t account, struct str key, struct str new_key)
{
    struct arena *a = arena_open(1 << 20);
    const struct chat *old = chat_by_key(s, a, account, key),
                      *other = chat_by_key(s, a, account, new_key);
    if (old && other && old->id != other->id) {
        join_chats(s, old->id, other->id);
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

/* ---- letters ---- */

#define LETTER(member) COLUMN(struct letter, member)
static const struct sql_column letter_columns[] = {LETTER(id),     LETTER(account), LETTER(chat),
                                                   LETTER(reader), LETTER(slot),    LETTER(said),
                                                   LETTER(at)};
static const struct sql_table letters = {"letter", .n_keys = 1, .counted = true,
                                         ROWS(struct letter, letter_columns)};

int64_t store_put_letter(struct store *s, const struct letter *l)
{
    if (l->slot.n > 0)
        store_run(
            s,
            "DELETE FROM letter WHERE account = $1 AND chat = $2 AND slot = $3 AND reader = "
            "$4",
            VALUES(db_int(l->account), db_text(l->chat), db_text(l->slot), db_text(l->reader)));
    int64_t id = store_insert(s, &letters, l);
    if (id % (LETTERS_KEPT / 4) == 0) /* now and then is enough */
        store_run(s,
                  "DELETE FROM letter WHERE account = $1 AND chat = $2 AND id < (SELECT MIN(id) "
                  "FROM (SELECT id FROM letter WHERE account = $1 AND chat = $2 ORDER BY id DESC "
                  "LIMIT $3) AS kept)",
                  VALUES(db_int(l->account), db_text(l->chat), db_int(LETTERS_KEPT)));
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
    store_run(s, "DELETE FROM letter WHERE id IN (SELECT id FROM letter WHERE at < $1 LIMIT $2)",
              VALUES(db_int(before), db_int(most)));
}
