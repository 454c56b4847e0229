/* Outbox rows, the messages that stand in slots, and ids of pictures on a network. */
#include "store_sql.h"

#include <assert.h>

#define ROW "id, account, lane, slot, flown, not_before, tries, progress, said"

static struct out_row out_row_of(const struct db_value *v)
{
    return (struct out_row){v[0].i, v[1].i, v[2].s, v[3].s, v[4].i != 0,
                            v[5].i, v[6].i, v[7].s, v[8].s};
}

/* Sets aside many ids at a time; after a crash the rest of them is never used. */
static bool number_rows(struct store *s, struct err *err)
{
    enum { SET_ASIDE = 4096 };
    static const struct str name = {"outbox_next", 11};
    char text[24];
    struct buf b = BUF(text);
    struct str saved;
    int64_t next = 1;
    arena_reset(s->scratch);
    if (!store_meta(s, s->scratch, name, &saved, err))
        return false;
    if (saved.n && (!str_int(saved, &next) || next < 1))
        return err_set(err, "the store's outbox_next is damaged");
    buf_int(&b, next + SET_ASIDE);
    if (!store_set_meta(s, name, buf_str(&b), err))
        return false;
    s->row_next = next;
    s->row_end = next + SET_ASIDE;
    return true;
}

bool store_push(struct store *s, struct out_row *row, struct err *err)
{
    if (s->row_next == s->row_end && !number_rows(s, err))
        return false;
    row->id = s->row_next++;
    return store_run(
        s,
        "INSERT INTO outbox (id, account, lane, slot, flown, not_before, tries, progress, said) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        VALUES(db_int(row->id), db_int(row->account), db_text(row->lane), db_text(row->slot),
               db_int(row->attempted), db_int(row->not_before), db_int(row->tries),
               db_text(row->progress), db_bytes(row->bytes)),
        NULL, err);
}

bool store_drop(struct store *s, int64_t first, int64_t last, struct err *err)
{
    return store_run(s, "DELETE FROM outbox WHERE id BETWEEN $1 AND $2",
                     VALUES(db_int(first), db_int(last)), NULL, err);
}

bool store_hold(struct store *s, const struct out_row *row, struct err *err)
{
    return store_run(
        s, "UPDATE outbox SET flown = $1, not_before = $2, tries = $3, progress = $4 WHERE id = $5",
        VALUES(db_int(row->attempted), db_int(row->not_before), db_int(row->tries),
               db_text(row->progress), db_int(row->id)),
        NULL, err);
}

static bool rows_of(struct store *s, struct arena *a, const char *sql, int n,
                    const struct db_value *args, struct out_rows *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, sql, n, args, &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct out_row, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = out_row_of(t.at + i * t.cols);
    return true;
}

bool store_outbox(struct store *s, struct arena *a, int64_t account, struct str lane, int64_t after,
                  int most, struct out_rows *ret, struct err *err)
{
    if (lane.n == 0)
        return rows_of(s, a, "SELECT " ROW " FROM outbox WHERE id > $1 ORDER BY id LIMIT $2",
                       VALUES(db_int(after), db_int(most)), ret, err);
    return rows_of(s, a,
                   "SELECT " ROW " FROM outbox WHERE account = $1 AND lane = $2 AND id > $3 "
                   "ORDER BY id LIMIT $4",
                   VALUES(db_int(account), db_text(lane), db_int(after), db_int(most)), ret, err);
}

bool store_waiting(struct store *s, struct arena *a, int64_t account, struct str lane,
                   int64_t after, int most, struct out_rows *ret, struct err *err)
{
    return rows_of(s, a,
                   "SELECT " ROW " FROM outbox WHERE account = $1 AND lane = $2 AND id > $3 AND "
                   "flown = 0 ORDER BY id LIMIT $4",
                   VALUES(db_int(account), db_text(lane), db_int(after), db_int(most)), ret, err);
}

bool store_drop_slot(struct store *s, int64_t account, struct str lane, struct str slot,
                     int64_t but, int *ret_dropped, struct err *err)
{
    int64_t changed;
    if (!store_run(
            s,
            "DELETE FROM outbox WHERE account = $1 AND lane = $2 AND slot = $3 AND id > $4 AND "
            "flown = 0",
            VALUES(db_int(account), db_text(lane), db_text(slot), db_int(but)), &changed, err))
        return false;
    *ret_dropped = (int)changed;
    return true;
}

/* Chat and slot, joined by a zero byte, which neither contains. */
static struct str post_key(struct store *s, struct str place, struct str slot)
{
    struct str key = {arena_alloc(s->scratch, place.n + 1 + slot.n), place.n + 1 + slot.n};
    if (place.n)
        memcpy((char *)key.p, place.p, place.n);
    if (slot.n)
        memcpy((char *)key.p + place.n + 1, slot.p, slot.n);
    return key;
}

bool store_post(struct store *s, struct arena *a, int64_t account, struct str place,
                struct str slot, struct str *ret, struct err *err)
{
    arena_reset(s->scratch);
    struct str key = post_key(s, place, slot), known;
    if (row_cache_find(s->rows, ROW_POST, account, key, &known)) {
        *ret = arena_str(a, known);
        return true;
    }
    if (!store_ask_text(s, a,
                        "SELECT post FROM post WHERE account = $1 AND place = $2 AND slot = $3",
                        VALUES(db_int(account), db_text(place), db_text(slot)), ret, err))
        return false;
    row_cache_put(s->rows, ROW_POST, account, key, 1, ret);
    return true;
}

bool store_slot(struct store *s, struct arena *a, int64_t account, struct str place,
                struct str post, struct str *ret, struct err *err)
{
    return store_ask_text(s, a,
                          "SELECT slot FROM post WHERE account = $1 AND place = $2 AND "
                          "replace(' ' || post || ' ', ' ' || $3 || ' ', '') <> "
                          "' ' || post || ' '",
                          VALUES(db_int(account), db_text(place), db_text(post)), ret, err);
}

bool store_set_post(struct store *s, int64_t account, struct str place, struct str slot,
                    struct str post, struct err *err)
{
    bool ok =
        post.n == 0
            ? store_run(s, "DELETE FROM post WHERE account = $1 AND place = $2 AND slot = $3",
                        VALUES(db_int(account), db_text(place), db_text(slot)), NULL, err)
            : store_run(s,
                        "INSERT INTO post (account, place, slot, post) VALUES ($1, $2, $3, $4) "
                        "ON CONFLICT (account, place, slot) DO UPDATE SET post = excluded.post",
                        VALUES(db_int(account), db_text(place), db_text(slot), db_text(post)), NULL,
                        err);
    arena_reset(s->scratch);
    if (ok)
        row_cache_put(s->rows, ROW_POST, account, post_key(s, place, slot), 1, &post);
    return ok;
}

bool store_picture_file(struct store *s, struct arena *a, int64_t account, struct str name,
                        struct str *ret, struct err *err)
{
    return store_ask_text(s, a, "SELECT file FROM picture WHERE account = $1 AND name = $2",
                          VALUES(db_int(account), db_text(name)), ret, err);
}

bool store_set_picture_file(struct store *s, int64_t account, struct str name, struct str file,
                            int64_t now, struct err *err)
{
    if (file.n == 0)
        return store_run(s, "DELETE FROM picture WHERE account = $1 AND name = $2",
                         VALUES(db_int(account), db_text(name)), NULL, err);
    return store_run(s,
                     "INSERT INTO picture (account, name, file, at) VALUES ($1, $2, $3, $4) "
                     "ON CONFLICT (account, name) DO UPDATE SET file = excluded.file, "
                     "at = excluded.at",
                     VALUES(db_int(account), db_text(name), db_text(file), db_int(now)), NULL, err);
}

bool store_forget_pictures(struct store *s, int64_t before, struct err *err)
{
    return store_run(s, "DELETE FROM picture WHERE at < $1", VALUES(db_int(before)), NULL, err);
}
