/* One event for the inbox, in a savepoint if the loop is `guarded`: an event that cannot be handled
 * (poison) is then undone alone, logged and set aside, and the transaction goes on. Otherwise its
 * failure stays in the store, and the events that follow are left out. */
#include "loop_internal.h"

enum { POISONED_AGAIN_MS = 3600 * 1000 };

void gather_news(struct gathered *g, struct news *n)
{
    struct news **end = &g->news;
    while (*end)
        end = &(*end)->next;
    *end = n;
}

void gather_job(struct gathered *g, struct arena *turn, const struct job_done *done)
{
    struct finished **end = &g->finished;
    while (*end)
        end = &(*end)->next;
    *end = arena_new(turn, struct finished);
    (*end)->done = *done;
}

static void handle(struct loop *l, const struct loop_event *e)
{
    switch (e->kind) {
    case EVENT_UPDATE:
        inbox_handle(l->inbox, e->account, e->update);
        break;
    case EVENT_JOB:
        inbox_job_done(l->inbox, e->job);
        break;
    case EVENT_DUE:
        inbox_clock(l->inbox, e->no);
        break;
    case EVENT_DATE:
        inbox_date(l->inbox, (int)e->no, 0);
        break;
    case EVENT_DOWNTIME:
        inbox_away(l->inbox, e->no, l->downtime.now.move, l->downtime.now.stopped);
        break;
    case EVENT_DAMAGED:
        inbox_quarantine(l->inbox);
        break;
    case EVENT_RETRY:
        attempt_again(l, l->retrying.now);
        break;
    }
}

static void set_aside(struct loop *l, const struct loop_event *e, const char *why)
{
    switch (e->kind) {
    case EVENT_UPDATE:
        attempt_quarantine(l, e->account, e->update, why);
        break;
    case EVENT_DUE:
        store_set_due(l->store, e->no, loop_wall(l) + POISONED_AGAIN_MS);
        break;
    case EVENT_DATE:
        inbox_date(l->inbox, (int)e->no, POISONED_AGAIN_MS);
        break;
    case EVENT_DAMAGED:
        inbox_forget_damaged(l->inbox);
        break;
    case EVENT_RETRY: /* the row stays with the new reason */
        store_retry_failed(l->store, l->retrying.now->id, str_of(why));
        break;
    case EVENT_JOB:
    case EVENT_DOWNTIME:
        break;
    }
}

void event_handle(struct loop *l, const struct loop_event *e)
{
    static const char *const kinds[] = {
        [EVENT_UPDATE] = "update", [EVENT_JOB] = "job",        [EVENT_DUE] = "deadline",
        [EVENT_DOWNTIME] = "away", [EVENT_DAMAGED] = "damage", [EVENT_RETRY] = "retry"};
    int messages = outbox_savepoint(l->outbox), jobs = work_savepoint(l->work);
    struct inbox_counts counts = inbox_counts(l->inbox);
    struct err why;
    if (e->kind == EVENT_DAMAGED && !inbox_damaged(l->inbox))
        return;
    if (l->guarded)
        store_savepoint(l->store);
    if (!store_failed(l->store))
        handle(l, e);
    if (l->guarded && !store_failed(l->store))
        store_release(l->store);
    if (l->guarded && store_failed(l->store) && !store_broken(l->store)) {
        const char *kind = e->kind == EVENT_DATE ? inbox_date_kind((int)e->no) : kinds[e->kind];
        err_set(&why, "%s", store_failure(l->store));
        log_line(LOG_ERROR, "poison", "kind", kind, "why", why.text, NULL);
        outbox_rollback(l->outbox, messages);
        work_rollback(l->work, jobs);
        inbox_set_counts(l->inbox, counts);
        store_rollback_to(l->store);
        set_aside(l, e, why.text);
    } else if (e->kind == EVENT_RETRY) {
        store_retry_done(l->store, l->retrying.now->id); /* with what came of it */
    }
}
