/* What became of rows is written down: in the transaction of the next updates, or after 5 ms in one
 * of its own. What can never arrive comes back as an event. Memory follows when it is durable. */
#include "outbox_parts.h"

#include <assert.h>

#include "log.h"
#include "parcel.h"

/* ---- inside the transaction ---- */

/* Where the message stands now, whose private chat it was, what the picture is called there. */
static bool note_facts(struct outbox *o, const struct settling *s, struct arena *turn,
                       struct err *err)
{
    struct store *store = o->parts.store;
    int64_t account = account_of(o, s->row->lane)->id;
    const struct receipt *r = &s->receipt;
    struct outgoing out;
    bool slot = s->row->n_slot > 0, direct = r->direct_chat.n > 0;
    bool picture = s->row->picture && (r->picture_file.n > 0 || r->picture_refused);
    if (!slot && !direct && !picture)
        return true;
    if (!parcel_open(row_bytes(s->row), turn, &out, err))
        return false;
    if (picture && !store_set_picture_file(store, account, str_of(s->row->picture), r->picture_file,
                                           outbox_now(o), err))
        return false;
    if (direct && out.where == TO_DIRECT) {
        struct person p;
        bool found;
        if (!store_person_by_network_id(store, turn, account, out.to, &p, &found, err) ||
            (found && (!p.reachable || !str_is(p.direct_chat, r->direct_chat)) &&
             !store_set_direct(store, p.id, r->direct_chat, true, err)))
            return false;
    }
    if (!slot || r->kind != SENT)
        return true;
    if (out.kind == OUT_ERASE)
        return store_set_post(store, account, outbox_place(turn, &out), out.slot, STR(""), err);
    struct str was = str_of(s->row->post);
    return r->post.n == 0 || str_is(r->post, was) ||
           store_set_post(store, account, outbox_place(turn, &out), out.slot, r->post, err);
}

static bool hold(struct outbox *o, const struct settling *s, bool flown, struct err *err)
{
    struct out_row row = {.id = s->row->id,
                          .flown = flown,
                          .not_before = s->wait_until,
                          .tries = s->row->tries,
                          .progress = str_of(s->row->progress)};
    if (s->outcome == ROW_MORE)
        row.progress = s->receipt.progress;
    if (s->outcome == ROW_LATER)
        row.tries++;
    return store_hold(o->parts.store, &row, err);
}

static bool forget_post(struct outbox *o, const struct settling *s, struct arena *turn,
                        struct err *err)
{
    struct outgoing out;
    return parcel_open(row_bytes(s->row), turn, &out, err) &&
           store_set_post(o->parts.store, account_of(o, s->row->lane)->id, outbox_place(turn, &out),
                          out.slot, STR(""), err);
}

/* The event may fail alone: then it is undone, logged and over. */
static bool give_back(struct outbox *o, outbox_never *never, void *arg, const struct settling *s,
                      struct arena *turn, struct err *err)
{
    struct store *store = o->parts.store;
    const struct account *a = account_of(o, s->row->lane);
    struct outgoing out;
    int mark = outbox_mark(o), jobs = work_mark(o->parts.work);
    if (!parcel_open(row_bytes(s->row), turn, &out, err) || !store_mark(store, err))
        return false;
    if (never(arg, a, &out, &s->receipt, err))
        return store_release(store, err);
    if (store_ill(store))
        return false;
    log_line(LOG_ERROR, "poison", "kind", "undeliverable", "why", err->text, NULL);
    outbox_rollback(o, mark);
    work_rollback(o->parts.work, jobs);
    return store_undo(store, err);
}

/* A press belongs to the chat it was made in: elsewhere it gives no right to whisper, and a refusal
 * would only be taken for a closed door. Who pressed can press again. */
static bool stays_behind(const struct outgoing *out)
{
    return out->where == TO_WHISPER && out->press.n > 0;
}

/* Every row of the lane, in memory or not, is pushed again under the chat's new key. */
static bool move_rows(struct outbox *o, const struct settling *s, struct arena *turn,
                      struct err *err)
{
    struct store *store = o->parts.store;
    int64_t account = account_of(o, s->row->lane)->id;
    struct out_rows page;
    for (int64_t after = 0;;) {
        if (!store_outbox(store, turn, account, lane_key(s->row->lane), after, LANE_ROWS, &page,
                          err))
            return false;
        for (int i = 0; i < page.n; i++) {
            struct out_row row = page.at[i];
            struct outgoing out;
            struct buf packed = {o->scratch, 0, PARCEL_MOST, false};
            after = row.id;
            if (!parcel_open(row.bytes, turn, &out, err))
                return false;
            out.chat = row.lane = s->receipt.chat;
            if (!parcel_pack(&out, &packed, err))
                return false;
            row.bytes = buf_str(&packed);
            row.flown = false;
            if ((!stays_behind(&out) && !store_push(store, &row, err)) ||
                !store_drop(store, page.at[i].id, page.at[i].id, err))
                return false;
        }
        if (page.n < LANE_ROWS)
            return true;
    }
}

static bool settle_one(struct outbox *o, outbox_never *never, void *arg, const struct settling *s,
                       struct arena *turn, struct err *err)
{
    struct store *store = o->parts.store;
    switch (s->outcome) {
    case ROW_DONE:
        return !s->answered || note_facts(o, s, turn, err);
    case ROW_MORE:
        return hold(o, s, true, err) && note_facts(o, s, turn, err);
    case ROW_LATER:
        return hold(o, s, s->row->unknown, err);
    case ROW_MARK:
        return hold(o, s, true, err);
    case ROW_AGAIN:
        return forget_post(o, s, turn, err);
    case ROW_MOVED:
        return store_move_chat(store, account_of(o, s->row->lane)->id, lane_key(s->row->lane),
                               s->receipt.chat, err) &&
               move_rows(o, s, turn, err);
    case ROW_NEVER:
        return give_back(o, never, arg, s, turn, err);
    }
    return true;
}

static int by_id(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Rows pushed together are mostly settled together: they go in runs. */
static bool drop_rows(struct outbox *o, struct err *err)
{
    int n = 0;
    for (int i = 0; i < o->n_settling; i++)
        if (o->settling[i].outcome == ROW_DONE || o->settling[i].outcome == ROW_NEVER)
            o->dropped[n++] = o->settling[i].row->id;
    if (n > 1)
        qsort(o->dropped, (size_t)n, sizeof *o->dropped, by_id);
    for (int i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && o->dropped[j] == o->dropped[j - 1] + 1; j++)
            ;
        if (!store_drop(o->parts.store, o->dropped[i], o->dropped[j - 1], err))
            return false;
    }
    return true;
}

bool outbox_settle(struct outbox *o, outbox_never *never, void *arg, struct arena *turn,
                   struct err *err)
{
    if (!drop_rows(o, err))
        return false;
    for (int i = 0; i < o->n_settling; i++)
        if (!settle_one(o, never, arg, &o->settling[i], turn, err))
            return false;
    o->settled = o->n_settling > 0;
    return true;
}

/* ---- when it is durable ---- */

static void set_progress(struct row *r, struct str progress)
{
    free(r->progress);
    r->progress = progress.n ? strndup(progress.p, progress.n) : NULL;
}

/* A row that is freed before the end of its transaction need not be replaced any more. */
static void forget_replaced(struct outbox *o, const struct row *r)
{
    int kept = 0;
    for (int i = 0; i < o->n_replaced; i++)
        if (o->replaced[i] != r)
            o->replaced[kept++] = o->replaced[i];
    o->n_replaced = kept;
}

/* The rows are in the database under another lane, and are loaded from there. */
static void move_lane(struct outbox *o, struct lane *l, struct str key, int64_t now)
{
    struct lane *to = lanes_find(&o->lanes, l->account, key, false, true);
    while (l->first) {
        struct row *r = l->first;
        lane_remove(&o->lanes, l, r);
        forget_replaced(o, r);
        outbox_let_go(o, r);
        row_free(r);
    }
    l->spilled = l->strays = false;
    to->spilled = true;
    lane_place(&o->lanes, to, now);
}

static void apply(struct outbox *o, const struct settling *s, int64_t now)
{
    struct row *r = s->row;
    struct lane *l = r->lane;
    r->busy = false;
    switch (s->outcome) {
    case ROW_DONE:
    case ROW_NEVER:
        lane_remove(&o->lanes, l, r);
        outbox_let_go(o, r);
        row_free(r);
        break;
    case ROW_MORE:
        set_progress(r, s->receipt.progress);
        r->unknown = false;
        break;
    case ROW_LATER:
        r->flown = r->unknown;
        r->tries++;
        l->not_before = l->not_before > s->wait_until ? l->not_before : s->wait_until;
        break;
    case ROW_MARK:
        r->flown = true;
        break;
    case ROW_AGAIN:
        free(r->post);
        r->post = NULL;
        r->unknown = false;
        break;
    case ROW_MOVED:
        move_lane(o, l, s->receipt.chat, now);
        break;
    }
    lane_place(&o->lanes, l, now);
}

void outbox_commit_settled(struct outbox *o)
{
    int64_t now = outbox_now(o);
    if (!o->settled)
        return;
    for (int i = 0; i < o->n_settling; i++)
        apply(o, &o->settling[i], now);
    o->n_settling = 0;
    o->awaited = false;
    o->settled = false;
    arena_reset(o->settling_strings);
}
