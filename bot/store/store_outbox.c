/* Outbox rows, the messages that stand in slots, and ids of pictures on a network. */
#include "store_table.h"

#define ROW(member) COLUMN(struct out_row, member)
static const struct sql_column columns[] = {
    ROW(id),
    ROW(account),
    ROW(lane),
    ROW(slot),
    COLUMN_NAMED(struct out_row, attempted, "flown"),
    ROW(not_before),
    ROW(tries),
    ROW(progress),
    COLUMN_OF(struct out_row, bytes, "said", COLUMN_BYTES),
};
static const struct sql_table outbox = {"outbox", .n_keys = 1, ROWS(struct out_row, columns)};

/* Takes many ids at a time; after a crash the rest of them is never used. */
static void number_rows(struct store *s)
{
    enum { AT_ONCE = 4096 };
    static const struct str name = {"outbox_next", 11};
    char text[24];
    struct buf b = BUF(text);
    int64_t next = 1;
    struct str saved = store_meta(s, NULL, name);
    if (saved.n && (!str_int(saved, &next) || next < 1))
        store_fail(s, "the store's outbox_next is damaged");
    buf_int(&b, next + AT_ONCE);
    store_set_meta(s, name, buf_str(&b));
    if (s->failed)
        return;
    s->row_next = next;
    s->row_end = next + AT_ONCE;
}

int64_t store_push(struct store *s, const struct out_row *row)
{
    struct out_row numbered = *row;
    if (s->row_next == s->row_end)
        number_rows(s);
    if (s->failed)
        return 0;
    numbered.id = s->row_next++;
    store_writes_ours(s, row->account);
    store_insert(s, &outbox, &numbered);
    return numbered.id;
}

void store_drop(struct store *s, int64_t account, int64_t first, int64_t last)
{
    store_writes_ours(s, account);
    store_run(s, "DELETE FROM outbox WHERE account = $1 AND id BETWEEN $2 AND $3",
              VALUES(db_int(account), db_int(first), db_int(last)));
}

void store_hold(struct store *s, const struct out_row *row)
{
    store_writes_ours(s, row->account);
    store_run(s,
              "UPDATE outbox SET flown = $1, not_before = $2, tries = $3, progress = $4 WHERE "
              "account = $5 AND id = $6",
              VALUES(db_int(row->attempted), db_int(row->not_before), db_int(row->tries),
                     db_text(row->progress), db_int(row->account), db_int(row->id)));
}

void store_reword(struct store *s, int64_t account, int64_t id, struct str bytes)
{
    store_writes_ours(s, account);
    store_run(s, "UPDATE outbox SET said = $1 WHERE account = $2 AND id = $3",
              VALUES(db_bytes(bytes), db_int(account), db_int(id)));
}

static struct out_rows select_rows(struct store *s, struct arena *a, const char *tail, int n,
                                   const struct db_value *args)
{
    return out_rows_of(store_select(s, a, &outbox, tail, n, args));
}

#define ACCOUNTS "(SELECT a.id FROM account a)" /* all that there ever were */

/* Where daemons share the store, those for our accounts. Another daemon's have numbers above all that
 * were given out before, and so must what we write after. */
static struct out_rows all_rows(struct store *s, struct arena *a, int64_t after, int most)
{
    struct out_rows rows =
        store_is_shared(s)
            ? select_rows(s, a,
                          "WHERE id > $1 AND account IN " ACCOUNTS_OF(3) " ORDER BY id LIMIT $2",
                          VALUES(db_int(after), db_int(most), store_us(s)))
            : select_rows(s, a, "WHERE id > $1 AND account IN " ACCOUNTS " ORDER BY id LIMIT $2",
                          VALUES(db_int(after), db_int(most)));
    if (rows.n > 0 && rows.at[rows.n - 1].id >= s->row_end)
        s->row_next = s->row_end = 0;
    return rows;
}

struct out_rows store_outbox(struct store *s, struct arena *a, int64_t account, struct str lane,
                             int64_t after, int most)
{
    if (lane.n == 0)
        return all_rows(s, a, after, most);
    if (!store_ours(s, account))
        return (struct out_rows){0};
    return select_rows(s, a, "WHERE account = $1 AND lane = $2 AND id > $3 ORDER BY id LIMIT $4",
                       VALUES(db_int(account), db_text(lane), db_int(after), db_int(most)));
}

struct out_rows store_waiting(struct store *s, struct arena *a, int64_t account, struct str lane,
                              int64_t after, int most)
{
    if (!store_ours(s, account))
        return (struct out_rows){0};
    return select_rows(
        s, a, "WHERE account = $1 AND lane = $2 AND id > $3 AND flown = 0 ORDER BY id LIMIT $4",
        VALUES(db_int(account), db_text(lane), db_int(after), db_int(most)));
}

void store_drop_slot(struct store *s, int64_t account, struct str lane, struct str slot,
                     int64_t but)
{
    store_writes_ours(s, account);
    store_run(s,
              "DELETE FROM outbox WHERE account = $1 AND lane = $2 AND slot = $3 AND id > $4 AND "
              "flown = 0",
              VALUES(db_int(account), db_text(lane), db_text(slot), db_int(but)));
}

/* Account, chat and slot; these are joined by a zero byte, which neither contains. */
static struct cache_key post_key(struct store *s, int64_t account, struct str place,
                                 struct str slot)
{
    size_t n = place.n + 1 + slot.n;
    arena_reset(s->scratch);
    struct buf b = {arena_alloc(s->scratch, n), 0, n, false};
    buf_put(&b, place);
    buf_char(&b, '\0');
    buf_put(&b, slot);
    return row_key(ROW_POST, account, buf_str(&b));
}

struct str store_post(struct store *s, struct arena *a, int64_t account, struct str place,
                      struct str slot)
{
    struct cache_key key = post_key(s, account, place, slot);
    struct str post;
    if (!store_ours(s, account))
        return STR("");
    if (cache_find(s->rows, key, &post))
        return arena_str(a, post);
    post = store_text(s, a, "SELECT post FROM post WHERE account = $1 AND place = $2 AND slot = $3",
                      VALUES(db_int(account), db_text(place), db_text(slot)));
    row_keep(s, key, 1, &post);
    return post;
}

struct str store_slot(struct store *s, struct arena *a, int64_t account, struct str place,
                      struct str post)
{
    return store_text(s, a,
                      "SELECT slot FROM post WHERE account = $1 AND place = $2 AND "
                      "replace(' ' || post || ' ', ' ' || $3 || ' ', '') <> ' ' || post || ' '",
                      VALUES(db_int(account), db_text(place), db_text(post)));
}

void store_set_post(struct store *s, int64_t account, struct str place, struct str slot,
                    struct str post)
{
    store_writes_ours(s, account);
    if (post.n == 0)
        store_run(s, "DELETE FROM post WHERE account = $1 AND place = $2 AND slot = $3",
                  VALUES(db_int(account), db_text(place), db_text(slot)));
    else
        store_run(s,
                  "INSERT INTO post (account, place, slot, post) VALUES ($1, $2, $3, $4) ON "
                  "CONFLICT (account, place, slot) DO UPDATE SET post = excluded.post",
                  VALUES(db_int(account), db_text(place), db_text(slot), db_text(post)));
    row_keep(s, post_key(s, account, place, slot), 1, &post);
}

struct str store_picture_file(struct store *s, struct arena *a, int64_t account, struct str name)
{
    return store_text(s, a, "SELECT file FROM picture WHERE account = $1 AND name = $2",
                      VALUES(db_int(account), db_text(name)));
}

void store_set_picture_file(struct store *s, int64_t account, struct str name, struct str file,
                            int64_t now)
{
    store_writes_ours(s, account);
    if (file.n == 0)
        store_run(s, "DELETE FROM picture WHERE account = $1 AND name = $2",
                  VALUES(db_int(account), db_text(name)));
    else
        store_run(s,
                  "INSERT INTO picture (account, name, file, at) VALUES ($1, $2, $3, $4) ON "
                  "CONFLICT (account, name) DO UPDATE SET file = excluded.file, at = excluded.at",
                  VALUES(db_int(account), db_text(name), db_text(file), db_int(now)));
}

void store_forget_pictures(struct store *s, int64_t before)
{
    store_run_by_account(s, "DELETE FROM picture WHERE account = $1 AND at < $2",
                         VALUES(db_int(before)));
}

/* ---- for the host ---- */

#define MESSAGE(member, name) COLUMN_NAMED(struct waiting_message, member, name)
static const struct sql_column message_columns[] = {
    MESSAGE(id, "o.id"),
    MESSAGE(account, "a.name"),
    MESSAGE(lane, "o.lane"),
    MESSAGE(slot, "o.slot"),
    MESSAGE(attempted, "o.flown"),
    MESSAGE(tries, "o.tries"),
    MESSAGE(not_before, "o.not_before"),
    MESSAGE(bytes, "LENGTH(o.said)"),
};
static const struct sql_table messages = {ROWS(struct waiting_message, message_columns)};

struct waiting_messages store_waiting_messages(struct store *s, struct arena *a, int64_t after,
                                               int most)
{
    return waiting_messages_of(store_select(
        s, a, &messages,
        "FROM outbox o JOIN account a ON a.id = o.account WHERE o.id > $1 ORDER BY o.id LIMIT $2",
        VALUES(db_int(after), db_int(most))));
}
