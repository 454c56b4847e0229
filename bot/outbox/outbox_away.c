/* Messages for an account that another daemon has. One daemon stores them; the other one, which has
 * the account, loads them when it looks, in a transaction before it pushes or marks a row itself.
 * A newer message of a slot takes the place of an older one here, too: in the store at once, and in
 * the memory of the other daemon when it loads the newer one. */
#include "outbox_internal.h"

#include "outgoing.h"

/* ---- the daemon that pushes ---- */

static void replace_one(struct outbox *o, int account, const struct out_row *stored,
                        struct outgoing *out)
{
    struct outgoing was;
    struct err ignored;
    if (!outgoing_decode(stored->bytes, o->staging, &was, &ignored))
        return;
    struct row *r = row_make(stored->slot, stored->bytes, &was);
    row_set(&r->progress, stored->progress);
    if (outbox_replaceable(r, stored->slot, out)) {
        outbox_inherit(o, account, r, out);
        store_drop(o->parts.store, stored->id, stored->id);
    }
    row_free(r);
}

/* Of what the other daemon has not begun, the store has all. */
void outbox_push_away(struct outbox *o, const struct account *to, const struct outgoing *out)
{
    struct buf encoded = {o->scratch, 0, OUTGOING_MOST, false};
    struct outgoing final = *out;
    struct out_row stored = {.account = to->id,
                             .lane = outbox_lane_key(o->staging, out),
                             .slot = outbox_full_slot(o->staging, out)};
    struct err err;
    if (stored.slot.n) {
        struct out_rows waiting =
            store_waiting(o->parts.store, o->staging, stored.account, stored.lane, 0, LANE_ROWS);
        for (int i = 0; i < waiting.n; i++)
            if (str_is(waiting.at[i].slot, stored.slot))
                replace_one(o, (int)(to - o->parts.accounts), &waiting.at[i], &final);
    }
    if (!outgoing_encode(&final, &encoded, &err))
        store_fail(o->parts.store, "%s", err.text);
    stored.bytes = buf_str(&encoded);
    store_push(o->parts.store, &stored);
}

/* ---- the daemon that sends ---- */

static bool is_gone(struct outbox *o, const struct lane *l, const struct row *r, struct arena *turn)
{
    struct out_rows first =
        store_waiting(o->parts.store, turn, account_of(o, l)->id, lane_key(l), r->id - 1, 1);
    return !store_failed(o->parts.store) && (first.n == 0 || first.at[0].id != r->id);
}

/* The entry of a row that is to be marked as attempted, or NULL. */
static struct settling *mark_of(struct outbox *o, const struct row *r)
{
    for (int i = 0; i < o->n_settling; i++)
        if (o->settling[i].row == r && o->settling[i].outcome == OUTCOME_MARK)
            return &o->settling[i];
    return NULL;
}

void outbox_pass_over(struct outbox *o, struct lane *l, struct row *by, struct arena *turn)
{
    for (struct row *r = l->first, *next; r; r = next) {
        struct settling *mark = r->state == ROW_SETTLING ? mark_of(o, r) : NULL;
        next = r->next;
        if (by->n_slot == 0 || !str_is(row_slot(r), row_slot(by)) ||
            (r->state != ROW_PENDING && !mark) || !is_gone(o, l, r, turn))
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
