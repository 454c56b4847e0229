/* Messages for an account that another daemon has. One daemon stores them; the other one, which has
 * the account, loads them when it looks, in a transaction before it pushes or marks a row itself.
 * A newer message of a slot takes the place of an older one here, too: in the store at once, and in
 * the memory of the other daemon when it loads the newer one. */
#include "outbox_internal.h"

#include "outgoing.h"

/* ---- the daemon that pushes ---- */

static bool replace_one(struct outbox *o, int account, const struct out_row *stored,
                        struct outgoing *out, struct err *err)
{
    struct outgoing was;
    struct err ignored;
    if (!outgoing_decode(stored->bytes, o->staging, &was, &ignored))
        return true;
    struct row *r = row_make(stored->slot, stored->bytes, &was);
    row_set(&r->progress, stored->progress);
    bool goes = outbox_replaceable(r, stored->slot, out);
    if (goes)
        outbox_inherit(o, account, r, out);
    row_free(r);
    return !goes || store_drop(o->parts.store, stored->id, stored->id, err);
}

/* Of what the other daemon has not begun, the store has all. */
static bool replace_stored(struct outbox *o, int account, const struct out_row *by,
                           struct outgoing *out, struct err *err)
{
    struct out_rows waiting;
    if (!store_waiting(o->parts.store, o->staging, by->account, by->lane, 0, LANE_ROWS, &waiting,
                       err))
        return false;
    for (int i = 0; i < waiting.n; i++)
        if (str_is(waiting.at[i].slot, by->slot) &&
            !replace_one(o, account, &waiting.at[i], out, err))
            return false;
    return true;
}

bool outbox_push_away(struct outbox *o, const struct account *to, const struct outgoing *out,
                      struct err *err)
{
    struct buf encoded = {o->scratch, 0, OUTGOING_MOST, false};
    struct outgoing final = *out;
    struct out_row stored = {.account = to->id,
                             .lane = outbox_lane_key(o->staging, out),
                             .slot = outbox_full_slot(o->staging, out)};
    int account = (int)(to - o->parts.accounts);
    if ((stored.slot.n && !replace_stored(o, account, &stored, &final, err)) ||
        !outgoing_encode(&final, &encoded, err))
        return false;
    stored.bytes = buf_str(&encoded);
    return store_push(o->parts.store, &stored, err);
}

/* ---- the daemon that sends ---- */

static bool is_gone(struct outbox *o, const struct lane *l, const struct row *r, struct arena *turn,
                    bool *ret, struct err *err)
{
    struct out_rows first;
    if (!store_waiting(o->parts.store, turn, account_of(o, l)->id, lane_key(l), r->id - 1, 1,
                       &first, err))
        return false;
    *ret = first.n == 0 || first.at[0].id != r->id;
    return true;
}

/* The entry of a row that is to be marked as attempted, or NULL. */
static struct settling *mark_of(struct outbox *o, const struct row *r)
{
    for (int i = 0; i < o->n_settling; i++)
        if (o->settling[i].row == r && o->settling[i].outcome == OUTCOME_MARK)
            return &o->settling[i];
    return NULL;
}

bool outbox_pass_over(struct outbox *o, struct lane *l, struct row *by, struct arena *turn,
                      struct err *err)
{
    for (struct row *r = l->first, *next; r; r = next) {
        struct settling *mark = r->state == ROW_SETTLING ? mark_of(o, r) : NULL;
        bool gone = false;
        next = r->next;
        if (by->n_slot == 0 || !str_is(row_slot(r), row_slot(by)) ||
            (r->state != ROW_PENDING && !mark))
            continue;
        if (!is_gone(o, l, r, turn, &gone, err))
            return false;
        if (!gone)
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
    return true;
}
