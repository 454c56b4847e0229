/* Pushing: a message becomes a row in the open transaction, staged until the commit, and replaces
 * an older one of its slot that was not sent yet. See outbox.h. */
#include "outbox_internal.h"

#include <assert.h>

#include "alloc.h"
#include "outgoing.h"

struct str outbox_post_key(struct arena *a, const struct outgoing *out)
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

static void replace(struct outbox *o, int account, struct row *old, struct outgoing *out)
{
    outbox_inherit(o, account, old, out);
    store_drop(o->parts.store, o->parts.accounts[account].id, old->id, old->id);
    if (o->n_replaced == o->cap_replaced) {
        o->cap_replaced = o->cap_replaced ? o->cap_replaced * 2 : 64;
        o->replaced = alloc_grow(o->replaced, (size_t)o->cap_replaced * sizeof(struct row *));
    }
    old->replaced_by = o->n_staged + 1;
    o->replaced[o->n_replaced++] = old;
}

static void replace_older(struct outbox *o, int account, struct lane *l, struct str lane,
                          struct str slot, struct outgoing *out)
{
    for (struct row *r = l ? l->first : NULL; r; r = r->next)
        if (outbox_replaceable(r, slot, out))
            replace(o, account, r, out);
    for (int i = 0; i < o->n_staged; i++) {
        struct staged *s = &o->staged[i];
        if (s->account == account && str_is(s->lane, lane) && outbox_replaceable(s->row, slot, out))
            replace(o, account, s->row, out);
    }
    if ((o->backlog || (l && l->unloaded)) && !out->replace_only)
        store_drop_slot(o->parts.store, o->parts.accounts[account].id, lane, slot,
                        l ? l->last_id : 0);
}

/* True if the row will probably be sent as soon as it is durable. */
static bool goes_at_once(const struct outbox *o, int account, const struct lane *l,
                         const struct staged *s)
{
    const struct account_queue *q = &o->lanes.queue[account];
    int64_t now = outbox_now(o);
    if (q->not_before > now || o->backlog ||
        (l && (l->not_before > now || l->unloaded || l->n >= (s->row->aside ? LANE_ROWS / 2 : 4))))
        return false;
    if (s->kind == LANE_OF_PRESS)
        return true;
    if (bucket_next(&q->bucket, q->refill) > now)
        return false;
    int before = l ? l->n : 0;
    for (int i = 0; q->chat.most && i < o->n_staged; i++)
        before += o->staged[i].account == account && !o->staged[i].row->replaced_by &&
                  str_is(o->staged[i].lane, s->lane);
    return lane_room_at(&o->lanes, account, l, s->kind == LANE_OF_PERSON, s->row,
                        q->chat.most ? before : 0, now) <= now;
}

/* An answer that will come late is announced at once, and until it is due, as far as the network shows
 * that somebody is writing. */
static void announce_late(struct outbox *o, int account, struct lane *l, const struct row *r,
                          const struct outgoing *out)
{
    enum { LATE_MS = 3000, LONGEST_MS = 60 * 1000 };
    const struct account_queue *q = &o->lanes.queue[account];
    const struct account *to = &o->parts.accounts[account];
    int64_t now = outbox_now(o);
    if (!(to->can & CAN_TYPING) || !l || !r->aside || r->closes || r->heard == 0 ||
        l->not_before > now || q->not_before > now || l->typing > now)
        return;
    int64_t due = lane_room_at(&o->lanes, account, l, l->alone, r, 0, now),
            turn = bucket_next(&q->bucket, q->refill);
    due = due > turn ? due : turn;
    if (due <= now + LATE_MS)
        return;
    due = due < now + LONGEST_MS ? due : now + LONGEST_MS;
    l->typing = due;
    outbox_push(o, to,
                &(struct outgoing){.kind = OUT_TYPING,
                                   .where = out->where == TO_WHISPER ? TO_CHAT : out->where,
                                   .chat = out->chat,
                                   .to = out->to,
                                   .expires = outbox_wall_of(o, due)});
}

void outbox_heard(struct outbox *o, int64_t at)
{
    o->heard = at;
}

/* ---- messages for an account that another daemon has ---- */

/* Of what the other daemon has not begun, the store has all. */
static void push_away(struct outbox *o, const struct account *to, const struct outgoing *out)
{
    struct buf encoded = {o->scratch, 0, OUTGOING_MOST, false};
    struct outgoing final = *out;
    final.passed_on = false;
    struct out_row stored = {.account = to->id,
                             .lane = outbox_lane_key(o->staging, out),
                             .slot = outbox_full_slot(o->staging, out)};
    struct err err;
    if (stored.slot.n) {
        struct out_rows waiting =
            store_waiting(o->parts.store, o->staging, stored.account, stored.lane, 0, LANE_ROWS);
        for (int i = 0; i < waiting.n; i++) {
            const struct out_row *old = &waiting.at[i];
            struct outgoing was;
            if (!str_is(old->slot, stored.slot) ||
                !outgoing_decode(old->bytes, o->staging, &was, &err))
                continue;
            struct row *r = row_make(old->slot, old->bytes, &was);
            row_set(&r->progress, old->progress);
            if (outbox_replaceable(r, old->slot, out)) {
                outbox_inherit(o, (int)(to - o->parts.accounts), r, &final);
                store_drop(o->parts.store, stored.account, old->id, old->id);
            }
            row_free(r);
        }
    }
    if (!outgoing_encode(&final, &encoded, &err))
        store_fail(o->parts.store, "%s", err.text);
    stored.bytes = buf_str(&encoded);
    store_push(o->parts.store, &stored);
}

/* ---- a message ---- */

void outbox_push(struct outbox *o, const struct account *to, const struct outgoing *out)
{
    enum { MOST_CLOSES = 8 };
    int account = (int)(to - o->parts.accounts);
    struct buf encoded = {o->scratch, 0, OUTGOING_MOST, false};
    struct err err;
    assert(account >= 0 && account < o->parts.n_accounts);
    assert(!store_failed(o->parts.store)); /* nothing is said on the strength of a failed read */
    if (to->away) {
        push_away(o, to, out);
        return;
    }
    struct outgoing final = *out;
    struct str lane = arena_str(o->staging, outbox_lane_key(o->staging, out)),
               slot = outbox_full_slot(o->staging, out);
    struct lane *l = lanes_find(&o->lanes, account, lane);
    int n_closes = 0;
    for (const struct row *r = l ? l->first : NULL; r; r = r->next)
        n_closes += r->closes;
    /* if enough buttons wait to be closed there, or messages wait in the database, they stay */
    if (row_only_tidies(out) && (o->backlog || (l && l->unloaded) || n_closes >= MOST_CLOSES))
        return;
    final.passed_on = l && outbox_holds(o, l);
    if (slot.n)
        replace_older(o, account, l, lane, slot, &final);
    if (!outgoing_encode(&final, &encoded, &err)) {
        store_fail(o->parts.store, "%s", err.text);
        return;
    }
    struct staged staged = {.row = row_make(slot, buf_str(&encoded), &final),
                            .account = account,
                            .kind = outbox_lane_kind(o, account, lane, row_is_answer(&final)),
                            .lane = lane};
    /* it has waited since the first of those that it replaces */
    staged.row->since = outbox_now(o);
    staged.row->heard = o->heard;
    for (int i = o->n_replaced; i > 0 && o->replaced[i - 1]->replaced_by == o->n_staged + 1; i--) {
        const struct row *was = o->replaced[i - 1];
        if (was->since < staged.row->since)
            staged.row->since = was->since;
        if (was->heard && (staged.row->heard == 0 || was->heard < staged.row->heard))
            staged.row->heard = was->heard;
    }
    staged.marked = staged.row->closes || goes_at_once(o, account, l, &staged);
    staged.row->id = store_push(o->parts.store, &(struct out_row){.account = to->id,
                                                                  .lane = lane,
                                                                  .slot = slot,
                                                                  .bytes = buf_str(&encoded),
                                                                  .attempted = staged.marked});
    if (o->n_staged == o->cap_staged) {
        o->cap_staged = o->cap_staged ? o->cap_staged * 2 : 64;
        o->staged = alloc_grow(o->staged, (size_t)o->cap_staged * sizeof *o->staged);
    }
    o->staged[o->n_staged++] = staged;
    if (final.passed_on)
        outbox_pass_on(o, to, &final);
    announce_late(o, account, l, staged.row, &final);
}

bool outbox_holds(const struct outbox *o, const struct lane *l)
{
    return l->not_before > outbox_now(o) + HELD_MS;
}

struct outgoing outbox_to_learner(const struct outgoing *out, struct str id)
{
    struct outgoing next = *out;
    next.where = TO_DIRECT;
    next.to = id;
    next.chat = next.slot = next.reply_to = next.learners = next.news = (struct str){0};
    next.named = next.aside = next.alone = next.replace_only = false;
    next.reports = true;
    return next;
}

void outbox_pass_on(struct outbox *o, const struct account *to, const struct outgoing *out)
{
    for (struct str id, rest = out->learners; out->where == TO_CHAT && rest.n > 0;) {
        id = str_cut(rest, '\n', &rest);
        struct outgoing next = outbox_to_learner(out, id);
        outbox_push(o, to, &next);
    }
}

/* ---- a part of the transaction is undone ---- */

int outbox_savepoint(const struct outbox *o)
{
    return o->n_staged;
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
