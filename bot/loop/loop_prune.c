/* Pruning of rows that grow with use. See loop_internal.h. */
#include "loop_internal.h"

#include "store_tournament.h"

enum {
    PRUNE_MS = 60 * 1000,
    IDLE_MOST = 5000,
    MATCHES_MOST = 50,
    TOURNAMENTS_MOST = 5,
    STEP = 64,         /* updates: fewer are not worth a query, ... */
    STEP_BESIDE = 4096 /* ... nor a transaction that has the store to itself */
};
static const int64_t DAY_MS = 24 * 3600 * (int64_t)1000;
static const int64_t HEARD_MS = 3 * 24 * 3600 * (int64_t)1000,
                     PICTURE_MS = 7 * 24 * 3600 * (int64_t)1000,
                     LETTER_MS = 30 * 24 * 3600 * (int64_t)1000;

/* Marks of earlier updates are worthless; a wall clock that was set forward makes none old. */
static int64_t heard_before(const struct loop *l)
{
    return loop_wall(l) - HEARD_MS - l->downtime.jumped;
}

/* Matches and tournaments whose time to be kept is over; a batch takes some milliseconds. */
static void forget_ended(struct loop *l)
{
    int64_t days = l->parts.config->retention_days;
    int64_t before = loop_wall(l) - days * DAY_MS - l->downtime.jumped;
    if (days == 0)
        return;
    store_forget_matches(l->store, before, MATCHES_MOST);
    store_forget_tournaments(l->store, before, TOURNAMENTS_MOST);
}

void prune_in_step(struct loop *l)
{
    for (const struct news *n = l->gathered.news; n; n = n->next)
        l->pruning.updates += n->batch.n;
    if (l->pruning.updates < (store_beside(l->store) ? STEP_BESIDE : STEP))
        return;
    forget_ended(l);
    for (int i = 0; i < l->polling.n; i++)
        if (!l->polling.at[i].account->away)
            store_forget_heard(l->store, l->polling.at[i].account->id, heard_before(l),
                               2 * l->pruning.updates);
    l->pruning.updates = 0;
}

bool prune_forgetting(const struct loop *l)
{
    return inbox_forgetting(l->inbox) && !l->waiting.retry_at && !l->stopping &&
           !downtime_pending(&l->downtime) && l->pruning.forget_at <= loop_mono(l);
}

void prune_forget_step(struct loop *l)
{
    struct err err;
    if (!prune_forgetting(l))
        return;
    store_begin(l->store);
    inbox_forget_step(l->inbox);
    if (store_commit(l->store, &err))
        return;
    log_line(LOG_WARN, "forget_failed", "why", err.text, NULL);
    l->pruning.forget_at = loop_mono(l) + PRUNE_MS;
}

void prune_idle(struct loop *l)
{
    struct err err;
    if (loop_mono(l) < l->pruning.done + PRUNE_MS)
        return;
    l->pruning.done = loop_mono(l);
    store_forget_heard(l->store, 0, heard_before(l), IDLE_MOST);
    store_forget_letters(l->store, loop_wall(l) - LETTER_MS - l->downtime.jumped, IDLE_MOST);
    store_forget_logins(l->store, loop_wall(l));
    store_forget_pictures(l->store, loop_wall(l) - PICTURE_MS);
    forget_ended(l);
    downtime_stamp(l);
    if (store_take_failure(l->store, &err)) {
        log_line(LOG_WARN, "prune_failed", "why", err.text, NULL);
        store_rollback(l->store);
    }
}
