/* Pruning of rows that grow with use. See loop_internal.h. */
#include "loop_internal.h"

enum {
    PRUNE_MS = 60 * 1000,
    IDLE_MOST = 5000,
    MATCHES_MOST = 50,
    TOURNAMENTS_MOST = 5,
    STEP = 64 /* updates: fewer are not worth a query */
};
static const int64_t DAY_MS = 24 * 3600 * (int64_t)1000;
static const int64_t HEARD_MS = 3 * 24 * 3600 * (int64_t)1000,
                     PICTURE_MS = 7 * 24 * 3600 * (int64_t)1000;

/* Marks of earlier updates are worthless; a wall clock that was set forward makes none old. */
static int64_t heard_before(const struct loop *l)
{
    return loop_wall(l) - HEARD_MS - l->jumped;
}

/* Matches and tournaments whose time to be kept is over; a batch takes some milliseconds. */
static bool forget_ended(struct loop *l, struct err *err)
{
    int64_t now = loop_wall(l), days = l->parts.config->retention_days;
    int64_t before = now - days * DAY_MS - l->jumped;
    return days == 0 || (store_forget_matches(l->store, before, now, MATCHES_MOST, err) &&
                         store_forget_tournaments(l->store, before, TOURNAMENTS_MOST, err));
}

bool prune_in_step(struct loop *l, struct err *err)
{
    for (const struct news *n = l->news; n; n = n->next)
        l->unpruned += n->batch.n;
    int most = 2 * l->unpruned;
    if (l->unpruned < STEP)
        return true;
    l->unpruned = 0;
    return forget_ended(l, err) && store_forget_heard(l->store, heard_before(l), most, err);
}

bool prune_forgetting(const struct loop *l)
{
    return inbox_forgetting(l->inbox) && !l->retry_at && !l->stopping && !away_pending(l) &&
           l->forget_at <= loop_mono(l);
}

void prune_forget_step(struct loop *l)
{
    struct err err = {""};
    if (!prune_forgetting(l) || (store_begin(l->store, &err) && inbox_forget_step(l->inbox, &err) &&
                                 store_commit(l->store, &err)))
        return;
    log_line(LOG_WARN, "forget_failed", "why", err.text, NULL);
    store_rollback(l->store);
    l->forget_at = loop_mono(l) + PRUNE_MS;
}

void prune_idle(struct loop *l)
{
    struct err err;
    int64_t now = loop_wall(l);
    if (loop_mono(l) < l->pruned + PRUNE_MS)
        return;
    l->pruned = loop_mono(l);
    if (!store_forget_heard(l->store, heard_before(l), IDLE_MOST, &err) ||
        !store_forget_pictures(l->store, now - PICTURE_MS, &err) || !forget_ended(l, &err) ||
        !away_stamp(l, &err)) {
        log_line(LOG_WARN, "prune_failed", "why", err.text, NULL);
        store_rollback(l->store);
    }
}
