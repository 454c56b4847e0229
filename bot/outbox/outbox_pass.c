/* Passing on: whoever must learn what a chat does not take gets it in private. A message that is
 * refused is passed on with its refusal, one that is pushed into a chat held up for long at once. All
 * that waits there already, in memory or in the database, follows in steps: LANE_ROWS rows of one
 * lane in a transaction, lanes in turn. A row is stored with the mark `passed_on`, so that neither
 * the next pause nor the next process does it again. */
#include "outbox_internal.h"

#include "outgoing.h"

void outbox_pass_lane(struct outbox *o, struct lane *l)
{
    struct pass_queue *p = &o->passing;
    if (l->next_passing || (!l->first && !l->unloaded))
        return;
    if (p->last)
        p->last->next_passing = l;
    else
        p->first = l;
    p->last = l->next_passing = l; /* the last one is its own next */
}

struct out_rows outbox_unloaded(struct outbox *o, const struct lane *l, int64_t after,
                                struct arena *turn)
{
    struct store *store = o->parts.store;
    int64_t account = account_of(o, l)->id;
    if (after < l->last_id)
        after = l->last_id;
    return l->unloaded == UNLOADED_ATTEMPTED
               ? store_outbox(store, turn, account, lane_key(l), after, LANE_ROWS)
           : l->unloaded ? store_waiting(store, turn, account, lane_key(l), after, LANE_ROWS)
                         : (struct out_rows){0};
}

/* What cannot be read is logged when it is to be sent. */
static void pass_row(struct outbox *o, const struct lane *l, int64_t id, struct str bytes,
                     struct arena *turn)
{
    struct outgoing out;
    struct err err;
    struct buf encoded = {o->scratch, 0, OUTGOING_MOST, false};
    if (store_failed(o->parts.store) || !outgoing_decode(bytes, turn, &out, &err) ||
        out.passed_on || out.learners.n == 0)
        return;
    out.passed_on = true;
    if (!outgoing_encode(&out, &encoded, &err))
        return;
    store_reword(o->parts.store, account_of(o, l)->id, id, buf_str(&encoded));
    if (!store_failed(o->parts.store))
        outbox_pass_on(o, account_of(o, l), &out);
}

/* One that is under way has its own answer. */
static bool may_pass(const struct row *r)
{
    return !r->passed_on && !r->replaced_by && !row_busy(r);
}

void outbox_pass_some(struct outbox *o, struct arena *turn)
{
    struct lane *l = o->passing.first;
    if (!l || store_failed(o->parts.store))
        return;
    for (const struct row *r = l->first; r; r = r->next)
        if (r->has_learners && may_pass(r))
            pass_row(o, l, r->id, row_bytes(r), turn);
    if (store_failed(o->parts.store))
        return;
    struct out_rows page = outbox_unloaded(o, l, l->passed, turn);
    for (int i = 0; i < page.n; i++)
        pass_row(o, l, page.at[i].id, page.at[i].bytes, turn);
    o->passing.open = true;
    o->passing.to = page.n == LANE_ROWS ? page.at[page.n - 1].id : 0;
}

void outbox_commit_passed(struct outbox *o)
{
    struct pass_queue *p = &o->passing;
    struct lane *l = p->first;
    if (!p->open)
        return;
    p->open = false;
    for (struct row *r = l->first; r; r = r->next)
        if (may_pass(r))
            r->passed_on = true;
    p->first = l == p->last ? NULL : l->next_passing;
    p->last = p->first ? p->last : NULL;
    l->next_passing = NULL;
    if (p->to) {
        l->passed = p->to;
        outbox_pass_lane(o, l);
    }
    lane_schedule(&o->lanes, l, outbox_now(o));
}
