/* Opening and loading of the outbox, and the end of a transaction; see outbox.h.
 *
 * Rows stay in memory as they were pushed and are not read again. Those over a limit (LANE_ROWS in
 * one lane, ALL_ROWS in all) stay in the database alone and are loaded when there is room:
 * lane.unloaded says so for one lane, outbox.backlog for any lane. */
#include "outbox_internal.h"

#include <assert.h>

#include "alloc.h"
#include "outgoing.h"

enum {
    ARENA_SIZE = 256 * 1024 * 1024,
    SETTLE_MS = 5,      /* the longest an outcome waits for a transaction ... */
    SETTLE_WITH_MS = 20 /* ... and if one of updates will come soon */
};

/* ---- loading ---- */

/* The entry of a row that is to be marked as attempted, or NULL. */
static struct settling *mark_of(struct outbox *o, const struct row *r)
{
    for (int i = 0; i < o->n_settling; i++)
        if (o->settling[i].row == r && o->settling[i].outcome == OUTCOME_MARK)
            return &o->settling[i];
    return NULL;
}

/* Drops from a lane the rows that are no longer stored, because another daemon pushed `by` in their
 * place. Outside of a transaction, or at its beginning. */
static void pass_over(struct outbox *o, struct lane *l, struct row *by, struct arena *turn)
{
    for (struct row *r = l->first, *next; r; r = next) {
        struct settling *mark = r->state == ROW_SETTLING ? mark_of(o, r) : NULL;
        next = r->next;
        if (by->n_slot == 0 || !str_is(row_slot(r), row_slot(by)) ||
            (r->state != ROW_PENDING && !mark))
            continue;
        struct out_rows first =
            store_waiting(o->parts.store, turn, account_of(o, l)->id, lane_key(l), r->id - 1, 1);
        if (store_failed(o->parts.store) || (first.n > 0 && first.at[0].id == r->id))
            continue;
        by->since = r->since;
        by->heard = r->heard;
        outbox_log(o, r, LOG_DEBUG, "replaced", STR(""));
        if (mark) {
            mark->outcome = OUTCOME_DONE;
            continue;
        }
        lane_remove(&o->lanes, l, r);
        row_free(r);
    }
}

static void load_row(struct outbox *o, struct lane *l, const struct out_row *stored,
                     struct arena *turn)
{
    struct outgoing out = {0};
    struct err later; /* logged when the row is to be sent */
    if (!outgoing_decode(stored->bytes, turn, &out, &later))
        out = (struct outgoing){0};
    struct row *r = row_make(stored->slot, stored->bytes, &out);
    r->id = stored->id;
    r->state = stored->attempted ? ROW_MARKED : ROW_PENDING;
    r->maybe_sent = stored->attempted;
    r->tries = stored->tries;
    row_set(&r->progress, stored->progress);
    pass_over(o, l, r, turn);
    if (store_failed(o->parts.store)) {
        row_free(r); /* it is loaded again */
        return;
    }
    /* `not_before` is of the wall clock. However that was set meanwhile, the lane waits no longer
     * than a network may ask for. */
    int64_t wait = stored->not_before ? stored->not_before - outbox_wall(o) : 0;
    int64_t until = outbox_now(o) + (wait < ASKED_MOST_MS ? wait : ASKED_MOST_MS);
    if (wait > 0 && until > l->not_before)
        l->not_before = until;
    lane_add(&o->lanes, l, r);
    l->last_id = r->id;
}

void outbox_load_lane(struct outbox *o, struct lane *l, struct arena *turn)
{
    struct store *store = o->parts.store;
    struct out_rows page = outbox_unloaded(o, l, 0, turn);
    for (int i = 0; i < page.n && !store_failed(store); i++)
        load_row(o, l, &page.at[i], turn);
    if (page.n < LANE_ROWS && !store_failed(store))
        l->unloaded = UNLOADED_NONE;
    if (outbox_holds(o, l))
        outbox_pass_lane(o, l);
}

void outbox_load_backlog(struct outbox *o, struct arena *turn)
{
    struct store *store = o->parts.store;
    int64_t now = outbox_now(o);
    struct out_rows page = store_outbox(store, turn, 0, STR(""), o->backlog_after, PAGE);
    for (int i = 0; i < page.n; i++) {
        const struct out_row *r = &page.at[i];
        int account = o->parts.n_accounts - 1;
        while (account >= 0 && o->parts.accounts[account].id != r->account)
            account--;
        if (account < 0 || o->parts.accounts[account].away) {
            o->backlog_after = r->id;
            continue; /* its network is not configured now, or another daemon's: the row stays */
        }
        struct outgoing out;
        struct err err;
        /* a key with '!' is that of a press, or a chat that a network calls so */
        bool answer = str_starts(r->lane, STR("!")) &&
                      outgoing_decode(r->bytes, turn, &out, &err) && row_is_answer(&out);
        enum lane_kind kind = outbox_lane_kind(o, account, r->lane, answer);
        struct lane *l = lanes_make(&o->lanes, account, r->lane, kind, now);
        if (l->n >= LANE_ROWS)
            lane_leave(l, false);
        if (!l->unloaded && r->id > l->last_id)
            load_row(o, l, r, turn);
        if (store_failed(store))
            return;
        if (r->id > l->last_id)
            lane_leave(l, r->attempted);
        if (outbox_holds(o, l))
            outbox_pass_lane(o, l);
        o->backlog_after = r->id;
        lane_schedule(&o->lanes, l, now);
    }
    if (store_failed(store))
        return;
    if (o->backlog_after > o->seen)
        o->seen = o->backlog_after;
    o->backlog = page.n == PAGE;
}

/* As much as there is room for. */
static void load_all(struct outbox *o)
{
    while (o->backlog && o->lanes.n_rows < ALL_ROWS / 2 && !store_failed(o->parts.store))
        outbox_load_backlog(o, o->loading);
    arena_reset(o->loading);
}

void outbox_look(struct outbox *o)
{
    if (!o->backlog)
        o->backlog_after = o->seen;
    o->backlog = true;
    load_all(o);
}

/* ---- opening ---- */

struct outbox *outbox_open(const struct outbox_parts *parts)
{
    struct outbox *o = alloc_zeroed(sizeof *o);
    o->parts = *parts;
    o->staging = arena_open(ARENA_SIZE);
    o->loading = arena_open(ARENA_SIZE);
    o->settling_strings = arena_open(ARENA_SIZE);
    o->scratch = alloc_room(OUTGOING_MOST);
    o->counts = alloc_array((size_t)parts->n_accounts + 1, sizeof *o->counts);
    lanes_open(&o->lanes, parts->n_accounts, outbox_now(o));
    for (int i = 0; i < parts->n_accounts; i++) {
        struct account_queue *q = &o->lanes.queue[i];
        q->chat = rate_of_chat(&parts->accounts[i].limits);
        q->person = rate_of_person(&parts->accounts[i].limits);
        q->refill = refill_of_account(&parts->accounts[i].limits);
    }
    o->backlog = true;
    outbox_expect(o, false);
    load_all(o);
    return o;
}

void outbox_close(struct outbox *o)
{
    if (!o)
        return;
    for (int i = 0; i < o->n_staged; i++)
        row_free(o->staged[i].row);
    lanes_close(&o->lanes);
    arena_close(o->staging);
    arena_close(o->loading);
    arena_close(o->settling_strings);
    free(o->staged);
    free(o->replaced);
    free(o->settling);
    free(o->dropped);
    free(o->scratch);
    free(o->counts);
    free(o);
}

/* ---- the end of a transaction ---- */

static void commit_staged(struct outbox *o, const struct staged *s, int64_t now)
{
    struct row *r = s->row;
    if (r->id > o->seen)
        o->seen = r->id;
    if (r->replaced_by) {
        row_free(r);
        return;
    }
    if (!o->backlog && o->lanes.n_rows >= ALL_ROWS) {
        o->backlog = true;
        o->backlog_after = r->id - 1;
    }
    /* while more waits than memory holds, a lane that is new loads itself what the database has for
     * it, so that a match does not wait until its turn comes among all that are left there; answers
     * to mere questions do */
    struct lane *l = lanes_find(&o->lanes, s->account, s->lane);
    bool left = o->backlog && (r->aside || o->lanes.n_rows >= ALL_ROWS + SPARE_ROWS), is_new = !l;
    if (!l && !left)
        l = lanes_make(&o->lanes, s->account, s->lane, s->kind, now);
    if (l && (left || l->unloaded || l->n >= LANE_ROWS || (is_new && o->backlog)))
        lane_leave(l, is_new || s->marked);
    assert(l || left);
    if (left || l->unloaded) {
        row_free(r); /* the database has it */
    } else {
        r->state = s->marked ? ROW_MARKED : ROW_PENDING;
        l->last_id = r->id;
        lane_add(&o->lanes, l, r);
    }
    if (l) {
        outbox_fail_whispers(o, l);
        lane_schedule(&o->lanes, l, now);
    }
}

void outbox_commit(struct outbox *o)
{
    int64_t now = outbox_now(o);
    /* first: settling empties the lane of a chat that has moved */
    for (int i = 0; i < o->n_replaced; i++) {
        struct row *r = o->replaced[i];
        struct lane *l = r->lane;
        if (!l)
            continue; /* still staged */
        outbox_log(o, r, LOG_DEBUG, "replaced", STR(""));
        lane_remove(&o->lanes, l, r);
        outbox_drop_picture(o, r);
        row_free(r);
        lane_schedule(&o->lanes, l, now);
    }
    o->n_replaced = 0;
    outbox_commit_passed(o);
    outbox_commit_settled(o);
    for (int i = 0; i < o->n_staged; i++)
        commit_staged(o, &o->staged[i], now);
    o->n_staged = 0;
    arena_reset(o->staging);
}

void outbox_abandon(struct outbox *o)
{
    outbox_rollback(o, 0);
    o->settled = o->passing.open = false;
    arena_reset(o->staging);
}

int64_t outbox_held(const struct outbox *o, const struct account *to, struct str chat)
{
    if (!o) /* a test without one */
        return 0;
    int64_t now = outbox_now(o);
    const struct lane *l = lanes_find(&o->lanes, (int)(to - o->parts.accounts), chat);
    return l && l->not_before > now + PRESS_MS ? outbox_wall_of(o, l->not_before) : 0;
}

enum outbox_wait outbox_waits(const struct outbox *o, const struct account *to, struct str place,
                              int64_t match)
{
    enum outbox_wait wait = WAITS_NOT;
    const struct lane *l =
        o && !to->away ? lanes_find(&o->lanes, (int)(to - o->parts.accounts), place) : NULL;
    for (const struct row *r = l ? l->first : NULL; r && wait != WAITS; r = r->next)
        if ((r->match == match || l->unloaded) && !r->aside && !r->erases &&
            (r->since ? outbox_now(o) - r->since > HELD_MS : r->tries > 0))
            wait = r->passed_on ? WAITS_PASSED_ON : WAITS;
    return wait;
}

/* ---- for the loop ---- */

int outbox_in_flight(const struct outbox *o)
{
    int n = 0;
    for (int i = 0; i < o->parts.n_accounts; i++)
        n += o->lanes.queue[i].in_flight;
    return n;
}

int outbox_waiting(const struct outbox *o)
{
    return o->lanes.n_rows;
}

const struct outbox_counts *outbox_counts(const struct outbox *o, int account)
{
    return &o->counts[account];
}

struct outbox_kept outbox_take_kept(struct outbox *o)
{
    struct outbox_kept taken = o->kept;
    o->kept = (struct outbox_kept){0};
    return taken;
}

bool outbox_quiet(const struct outbox *o)
{
    int ready = 0;
    for (int i = 0; i < o->parts.n_accounts; i++)
        ready += o->lanes.queue[i].n_ready;
    return ready == 0 && outbox_in_flight(o) == 0 && o->n_drawing == 0 && !outbox_unsettled(o) &&
           o->n_staged == 0;
}

bool outbox_unsettled(const struct outbox *o)
{
    return o->n_settling > 0 || o->passing.first;
}

void outbox_expect(struct outbox *o, bool updates)
{
    o->settle_ms = updates ? SETTLE_WITH_MS : SETTLE_MS;
}

/* A commit costs the same for many outcomes as for one. If a row waits for it and most sends in
 * flight have come back, the others are not worth waiting for. */
bool outbox_wants_settling(const struct outbox *o)
{
    if (o->passing.first || o->n_settling == 0)
        return o->passing.first;
    return outbox_now(o) >= o->oldest + o->settle_ms ||
           (o->awaited && o->n_settling >= MOST_BACK * outbox_in_flight(o));
}
