/* One event for the inbox, in a savepoint if `guarded`: an event that cannot be handled (poison) is
 * then undone alone, logged, and the transaction goes on. Otherwise its failure stays in the store,
 * and the events that follow are left out. */
#include "loop_internal.h"

enum { POISONED_AGAIN_MS = 3600 * 1000 };

/* Numbers of staged rows and jobs before the event. */
struct event_savepoint {
    int messages, jobs;
    struct inbox_counts counts;
};

static struct event_savepoint guard(struct loop *l, bool guarded)
{
    if (guarded)
        store_savepoint(l->store);
    return (struct event_savepoint){outbox_savepoint(l->outbox), work_savepoint(l->work),
                                    inbox_counts(l->inbox)};
}

/* The end of the event. Returns true if it was poison, and was undone; *ret_why is what failed. */
static bool undone(struct loop *l, bool guarded, const struct event_savepoint *before,
                   const char *kind, struct err *ret_why)
{
    if (guarded && !store_failed(l->store))
        store_release(l->store);
    if (!guarded || !store_failed(l->store) || store_broken(l->store))
        return false;
    err_set(ret_why, "%s", store_failure(l->store));
    log_line(LOG_ERROR, "poison", "kind", kind, "why", ret_why->text, NULL);
    outbox_rollback(l->outbox, before->messages);
    work_rollback(l->work, before->jobs);
    inbox_set_counts(l->inbox, before->counts);
    store_rollback_to(l->store);
    return true;
}

void event_update(struct loop *l, bool guarded, const struct account *a, const struct update *u)
{
    struct event_savepoint before = guard(l, guarded);
    struct err why;
    if (!store_failed(l->store))
        inbox_handle(l->inbox, a, u);
    if (undone(l, guarded, &before, "update", &why))
        attempt_quarantine(l, a, u, why.text);
}

void event_job(struct loop *l, bool guarded, const struct job_done *done)
{
    struct event_savepoint before = guard(l, guarded);
    struct err why;
    if (!store_failed(l->store))
        inbox_job_done(l->inbox, done);
    (void)undone(l, guarded, &before, "job", &why);
}

void event_due(struct loop *l, bool guarded, int64_t session)
{
    struct event_savepoint before = guard(l, guarded);
    struct err why;
    if (!store_failed(l->store))
        inbox_clock(l->inbox, session);
    if (undone(l, guarded, &before, "deadline", &why))
        store_set_due(l->store, session, loop_wall(l) + POISONED_AGAIN_MS);
}

/* What a date brings: the inbox takes the first that is due, or puts it off. */
void event_dates(struct loop *l, bool guarded)
{
    for (int i = 0; inbox_date_kind(i); i++) {
        struct event_savepoint before = guard(l, guarded);
        struct err why;
        if (!store_failed(l->store))
            inbox_date(l->inbox, i);
        if (undone(l, guarded, &before, inbox_date_kind(i), &why))
            inbox_put_off_date(l->inbox, i, POISONED_AGAIN_MS);
    }
}

void event_away(struct loop *l, bool guarded, int64_t chat)
{
    struct event_savepoint before = guard(l, guarded);
    struct err why;
    if (!store_failed(l->store))
        inbox_away(l->inbox, chat, l->away.move, l->away.stopped);
    (void)undone(l, guarded, &before, "away", &why);
}

/* Damaged matches that the other events have met. */
void event_damaged(struct loop *l, bool guarded)
{
    struct event_savepoint before = guard(l, guarded && inbox_damaged(l->inbox));
    struct err why;
    if (!inbox_damaged(l->inbox))
        return;
    if (!store_failed(l->store))
        inbox_quarantine(l->inbox);
    if (undone(l, guarded, &before, "damage", &why))
        inbox_forget_damaged(l->inbox);
}

/* A row of the quarantine. It leaves with what comes of it, or stays with the new reason. */
void event_retry(struct loop *l, bool guarded)
{
    struct event_savepoint before = guard(l, guarded);
    const struct retry *r = l->retrying.now;
    struct err why;
    if (!store_failed(l->store))
        attempt_again(l, r);
    if (undone(l, guarded, &before, "retry", &why))
        store_retry_failed(l->store, r->id, str_of(why.text));
    else
        store_retry_done(l->store, r->id);
}
