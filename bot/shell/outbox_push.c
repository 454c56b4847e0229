/* See outbox.h. What is to be said is written down in the transaction that is open, and takes the
 * place of an older one that was not sent yet. It comes to life with the commit. */
#include "outbox_parts.h"

#include <assert.h>

#include "parcel.h"

static struct str lane_of(struct arena *a, const struct outgoing *out)
{
    if (out->kind == OUT_ANSWER)
        return arena_print(a, "!%.*s", STR_ARG(out->press));
    return out->chat.n ? out->chat : arena_print(a, "@%.*s", STR_ARG(out->to));
}

/* Two messages replace one another only if they stand in the same place. */
static struct str full_slot(struct arena *a, const struct outgoing *out)
{
    if (out->slot.n == 0 || out->where == TO_CHAT)
        return out->slot;
    return arena_print(a, "%.*s\n%.*s", STR_ARG(out->slot), STR_ARG(out->to));
}

static struct staged *new_staged(struct outbox *o)
{
    if (o->n_staged == o->cap_staged) {
        o->cap_staged = o->cap_staged ? o->cap_staged * 2 : 64;
        o->staged = realloc(o->staged, (size_t)o->cap_staged * sizeof *o->staged);
        assert(o->staged);
    }
    return &o->staged[o->n_staged++];
}

static bool replace(struct outbox *o, struct row *old, struct err *err)
{
    if (!store_drop(o->parts.store, old->id, old->id, err))
        return false;
    if (o->n_replaced == o->cap_replaced) {
        o->cap_replaced = o->cap_replaced ? o->cap_replaced * 2 : 64;
        o->replaced = realloc(o->replaced, (size_t)o->cap_replaced * sizeof *o->replaced);
        assert(o->replaced);
    }
    old->replaced_by = o->n_staged + 1;
    o->replaced[o->n_replaced++] = old;
    return true;
}

/* What has been begun, or may have arrived, is not taken back: its answer is still needed. Nor is
 * what is being drawn: under a hail of newer ones nothing would ever be said. */
static bool replaceable(const struct row *r, struct str slot)
{
    return !r->replaced_by && !r->drawing && !r->progress && !r->unknown &&
           str_is(row_slot(r), slot);
}

/* What may only replace a message takes the place of one that was never sent: then it must be sent
 * itself. */
static void inherit(struct outbox *o, const struct row *old, struct outgoing *out)
{
    struct outgoing was;
    struct err err;
    if (!out->replace_only || !parcel_open(row_bytes(old), o->staging, &was, &err) ||
        was.kind != OUT_POST || was.replace_only)
        return;
    out->replace_only = out->kind != OUT_POST;
    out->notify |= was.notify;
    out->press = out->press.n ? out->press : was.press;
    out->reply_to = out->reply_to.n ? out->reply_to : was.reply_to;
}

static bool replace_older(struct outbox *o, int account, struct lane *l, struct str lane,
                          struct str slot, struct outgoing *out, struct err *err)
{
    int dropped;
    for (struct row *r = l ? l->first : NULL; r; r = r->next)
        if (!r->busy && replaceable(r, slot)) {
            inherit(o, r, out);
            if (!replace(o, r, err))
                return false;
        }
    for (int i = 0; i < o->n_staged; i++) {
        struct staged *s = &o->staged[i];
        if (s->account == account && str_is(s->lane, lane) && replaceable(s->row, slot)) {
            inherit(o, s->row, out);
            if (!replace(o, s->row, err))
                return false;
        }
    }
    return (!o->backlog && !(l && l->spilled)) || out->replace_only ||
           store_drop_slot(o->parts.store, o->parts.accounts[account].id, lane, slot,
                           l ? l->last_id : 0, &dropped, err);
}

static int staged_before(const struct outbox *o, int account, struct str lane)
{
    int n = 0;
    for (int i = 0; i < o->n_staged; i++)
        n += o->staged[i].account == account && !o->staged[i].row->replaced_by &&
             str_is(o->staged[i].lane, lane);
    return n;
}

/* True if the row will be sent as soon as it is durable, as far as can be seen now. */
static bool will_fly(const struct outbox *o, int account, const struct lane *l, struct str lane,
                     bool answer, bool aside)
{
    const struct account *a = &o->parts.accounts[account];
    const struct gate *g = &o->lanes.gate[account];
    int64_t interval, now = outbox_now(o);
    int burst;
    if (g->not_before > now || o->backlog ||
        (l && (l->not_before > now || l->spilled || l->n >= (aside ? LANE_ROWS / 2 : 4))))
        return false;
    if (answer)
        return true;
    if (outbox_account_pace(a, &interval, &burst) && pace_when(g->paced, interval, burst) > now)
        return false;
    if (!outbox_chat_pace(a, &interval, &burst))
        return true;
    int before = (l ? l->n : 0) + staged_before(o, account, lane);
    int64_t paced = l && l->paced > now ? l->paced : now;
    return pace_when(paced + before * interval, interval, burst) <= now;
}

bool outbox_push(struct outbox *o, const struct account *to, const struct outgoing *out,
                 struct err *err)
{
    int account = (int)(to - o->parts.accounts);
    bool answer = out->kind == OUT_ANSWER;
    struct buf packed = {o->scratch, 0, PARCEL_MOST, false};
    assert(account >= 0 && account < o->parts.n_accounts);
    struct outgoing final = *out;
    struct str lane = arena_str(o->staging, lane_of(o->staging, out)),
               slot = full_slot(o->staging, out);
    struct lane *l = lanes_find(&o->lanes, account, lane, answer, false);
    if ((slot.n && !replace_older(o, account, l, lane, slot, &final, err)) ||
        !parcel_pack(&final, &packed, err))
        return false;
    struct out_row stored = {.account = to->id,
                             .lane = lane,
                             .slot = slot,
                             .bytes = buf_str(&packed),
                             .flown = will_fly(o, account, l, lane, answer, final.aside)};
    if (!store_push(o->parts.store, &stored, err))
        return false;
    struct row *r = row_make(slot, stored.bytes, &final);
    r->id = stored.id;
    r->flown = stored.flown;
    *new_staged(o) = (struct staged){r, account, answer, lane};
    return true;
}
