/* See outbox.h. Here: what is loaded, and what a commit does. outbox_push.c takes what is to be
 * said, outbox_send.c sends, outbox_settle.c writes what became of it, outbox_picture.c has
 * pictures drawn, outbox_lane.c knows who may go when.
 *
 * Rows are in memory as they were pushed and are not read again. What does not fit (too many in one
 * lane, or in all) stays in the database only and is loaded when there is room: a lane that is
 * `spilled` has more there than here, and in a `backlog` any lane may have. */
#include "outbox_parts.h"

#include <assert.h>

#include "log.h"
#include "parcel.h"

enum { TEMPORARY = 256 * 1024 * 1024 };

bool outbox_chat_pace(const struct account *a, int64_t *ret_interval, int *ret_burst)
{
    int n = a->limits.per_chat_minute;
    if (n <= 0)
        return false;
    *ret_burst = n >= 8 ? n / 4 : 1; /* burst and the rest of a minute are never more than n */
    *ret_interval = n > *ret_burst ? 60000 / (n - *ret_burst) + 1 : 60000;
    return true;
}

bool outbox_account_pace(const struct account *a, int64_t *ret_interval, int *ret_burst)
{
    if (a->limits.account_per_second_x100 <= 0)
        return false;
    *ret_interval = 100000 / a->limits.account_per_second_x100;
    *ret_burst = a->limits.account_burst > 0 ? a->limits.account_burst : 1;
    return true;
}

struct str outbox_place(struct arena *a, const struct outgoing *out)
{
    switch (out->where) {
    case TO_WHISPER:
        return arena_print(a, "%.*s\n%.*s", STR_ARG(out->chat), STR_ARG(out->to));
    case TO_DIRECT:
        return arena_print(a, "@%.*s", STR_ARG(out->to));
    default:
        return out->chat;
    }
}

/* ---- opening ---- */

bool outbox_open(const struct outbox_parts *parts, struct outbox **ret, struct err *err)
{
    struct outbox *o = calloc(1, sizeof *o);
    assert(o);
    o->parts = *parts;
    o->staging = arena_open(TEMPORARY);
    o->settling_strings = arena_open(TEMPORARY);
    o->scratch = malloc(PARCEL_MOST);
    assert(o->scratch);
    lanes_open(&o->lanes, parts->n_accounts);
    o->backlog = true;
    bool ok = true;
    while (ok && o->backlog && o->lanes.n_rows < ALL_ROWS / 2) {
        ok = outbox_load_backlog(o, o->staging, err);
        arena_reset(o->staging);
    }
    if (!ok) {
        outbox_close(o);
        return false;
    }
    *ret = o;
    return true;
}

void outbox_close(struct outbox *o)
{
    if (!o)
        return;
    for (int i = 0; i < o->n_staged; i++)
        row_free(o->staged[i].row);
    lanes_close(&o->lanes);
    arena_close(o->staging);
    arena_close(o->settling_strings);
    free(o->staged);
    free(o->replaced);
    free(o->settling);
    free(o->dropped);
    free(o->scratch);
    free(o);
}

/* ---- loading ---- */

static int index_of(const struct outbox *o, int64_t account)
{
    for (int i = 0; i < o->parts.n_accounts; i++)
        if (o->parts.accounts[i].id == account)
            return i;
    return -1;
}

static void take_row(struct outbox *o, struct lane *l, const struct out_row *stored,
                     struct arena *turn)
{
    struct outgoing out = {0};
    struct err err; /* what cannot be read is said when it is to be sent */
    if (!parcel_open(stored->bytes, turn, &out, &err))
        out = (struct outgoing){0};
    struct row *r = row_make(stored->slot, stored->bytes, &out);
    r->id = stored->id;
    r->flown = r->unknown = stored->flown;
    r->tries = stored->tries;
    if (stored->progress.n)
        r->progress = strndup(stored->progress.p, stored->progress.n);
    if (stored->not_before > l->not_before)
        l->not_before = stored->not_before;
    lane_add(&o->lanes, l, r);
    l->last_id = r->id;
}

bool outbox_load_lane(struct outbox *o, struct lane *l, struct arena *turn, struct err *err)
{
    struct out_rows page;
    struct store *store = o->parts.store;
    int64_t account = account_of(o, l)->id;
    bool ok =
        l->strays
            ? store_outbox(store, turn, account, lane_key(l), l->last_id, LANE_ROWS, &page, err)
            : store_waiting(store, turn, account, lane_key(l), l->last_id, LANE_ROWS, &page, err);
    if (!ok)
        return false;
    for (int i = 0; i < page.n; i++)
        take_row(o, l, &page.at[i], turn);
    l->spilled = page.n == LANE_ROWS;
    l->strays = l->strays && l->spilled;
    return true;
}

bool outbox_load_backlog(struct outbox *o, struct arena *turn, struct err *err)
{
    struct out_rows page;
    int64_t now = outbox_now(o);
    if (!store_outbox(o->parts.store, turn, 0, STR(""), o->backlog_after, PAGE, &page, err))
        return false;
    for (int i = 0; i < page.n; i++) {
        const struct out_row *r = &page.at[i];
        int account = index_of(o, r->account);
        o->backlog_after = r->id;
        if (account < 0)
            continue; /* of a network that is not configured now: it stays */
        struct lane *l =
            lanes_find(&o->lanes, account, r->lane, str_starts(r->lane, STR("!")), true);
        if (l->n >= LANE_ROWS)
            l->spilled = true;
        if (!l->spilled && r->id > l->last_id)
            take_row(o, l, r, turn);
        else if (r->id > l->last_id)
            l->strays |= r->flown;
        lane_place(&o->lanes, l, now);
    }
    o->backlog = page.n == PAGE;
    return true;
}

/* ---- the end of a transaction ---- */

int outbox_mark(const struct outbox *o)
{
    return o->n_staged;
}

static void commit_replaced(struct outbox *o, int64_t now)
{
    for (int i = 0; i < o->n_replaced; i++) {
        struct row *r = o->replaced[i];
        struct lane *l = r->lane;
        if (!l)
            continue; /* staged: it never comes to life */
        lane_remove(&o->lanes, l, r);
        outbox_let_go(o, r);
        row_free(r);
        lane_place(&o->lanes, l, now);
    }
    o->n_replaced = 0;
}

static void commit_staged(struct outbox *o, const struct staged *s, int64_t now)
{
    struct row *r = s->row;
    if (r->replaced_by) {
        row_free(r);
        return;
    }
    if (!o->backlog && o->lanes.n_rows >= ALL_ROWS) {
        o->backlog = true;
        o->backlog_after = r->id - 1;
    }
    struct lane *l = lanes_find(&o->lanes, s->account, s->lane, s->answer, !o->backlog);
    assert(l || o->backlog);
    if (l && l->n >= LANE_ROWS)
        l->spilled = true;
    if (o->backlog || l->spilled) {
        if (l)
            l->strays |= r->flown;
        row_free(r); /* the database has it */
    } else {
        l->last_id = r->id;
        lane_add(&o->lanes, l, r);
    }
    if (l)
        lane_place(&o->lanes, l, now);
}

void outbox_commit(struct outbox *o)
{
    int64_t now = outbox_now(o);
    commit_replaced(o, now); /* first: settling may empty a lane whose chat has moved */
    outbox_commit_settled(o);
    for (int i = 0; i < o->n_staged; i++)
        commit_staged(o, &o->staged[i], now);
    o->n_staged = 0;
    arena_reset(o->staging);
}

void outbox_rollback(struct outbox *o, int mark)
{
    int kept = 0;
    for (int i = 0; i < o->n_replaced; i++) {
        if (o->replaced[i]->replaced_by > mark)
            o->replaced[i]->replaced_by = 0;
        else
            o->replaced[kept++] = o->replaced[i];
    }
    o->n_replaced = kept;
    while (o->n_staged > mark)
        row_free(o->staged[--o->n_staged].row);
}

void outbox_abandon(struct outbox *o)
{
    outbox_rollback(o, 0);
    o->settled = false;
    arena_reset(o->staging);
}

/* ---- for the loop ---- */

bool outbox_long(const struct outbox *o, const struct account *a)
{
    return o->backlog || o->lanes.gate[a - o->parts.accounts].n_ready > 1000;
}

int outbox_flying(const struct outbox *o)
{
    int n = 0;
    for (int i = 0; i < o->parts.n_accounts; i++)
        n += o->lanes.gate[i].in_flight;
    return n;
}

int outbox_waiting(const struct outbox *o)
{
    return o->lanes.n_rows;
}

bool outbox_quiet(const struct outbox *o)
{
    int ready = 0;
    for (int i = 0; i < o->parts.n_accounts; i++)
        ready += o->lanes.gate[i].n_ready;
    return ready == 0 && outbox_flying(o) == 0 && o->n_drawing == 0 && o->n_settling == 0 &&
           o->n_staged == 0;
}

bool outbox_unsettled(const struct outbox *o)
{
    return o->n_settling > 0;
}

/* A commit costs the same for many as for one. Where somebody waits for it, and most of those that
 * are under way have come back, the rest is not worth waiting for. */
bool outbox_wants_settling(const struct outbox *o)
{
    if (o->n_settling == 0)
        return false;
    return outbox_now(o) >= o->oldest + SETTLE_MS ||
           (o->awaited && o->n_settling >= MOST_BACK * outbox_flying(o));
}
