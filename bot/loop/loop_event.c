/* One event for the inbox, in a savepoint if `guarded`: an event that cannot be handled (poison) is
 * then undone alone, logged, and the transaction goes on. Each returns false if it cannot: the
 * store is broken, or an event that was not guarded failed. */
#include "loop_internal.h"

enum { POISONED_AGAIN_MS = 3600 * 1000 };

/* Numbers of staged rows and jobs before the event. */
struct event_savepoint {
    int messages, jobs;
    struct inbox_counts counts;
};

static bool guard(struct loop *l, struct event_savepoint *ret, struct err *err)
{
    *ret = (struct event_savepoint){outbox_savepoint(l->outbox), work_savepoint(l->work),
                                    inbox_counts(l->inbox)};
    return store_savepoint(l->store, err);
}

static bool undo(struct loop *l, const struct event_savepoint *before, const char *kind,
                 struct err *err)
{
    const struct err why = *err;
    if (store_broken(l->store))
        return false;
    log_line(LOG_ERROR, "poison", "kind", kind, "why", why.text, NULL);
    outbox_rollback(l->outbox, before->messages);
    work_rollback(l->work, before->jobs);
    inbox_set_counts(l->inbox, before->counts);
    return store_rollback_to(l->store, err);
}

bool event_update(struct loop *l, bool guarded, const struct account *a, const struct update *u,
                  struct err *err)
{
    struct event_savepoint before;
    if (!guarded)
        return inbox_handle(l->inbox, a, u, err);
    if (!guard(l, &before, err))
        return false;
    if (inbox_handle(l->inbox, a, u, err))
        return store_release(l->store, err);
    const struct err why = *err;
    return undo(l, &before, "update", err) && attempt_quarantine(l, a, u, why.text, err);
}

bool event_job(struct loop *l, bool guarded, const struct job_done *done, struct err *err)
{
    struct event_savepoint before;
    if (!guarded)
        return inbox_job_done(l->inbox, done, err);
    if (!guard(l, &before, err))
        return false;
    if (inbox_job_done(l->inbox, done, err))
        return store_release(l->store, err);
    return undo(l, &before, "job", err);
}

bool event_due(struct loop *l, bool guarded, int64_t session, struct err *err)
{
    struct event_savepoint before;
    if (!guarded)
        return inbox_clock(l->inbox, session, err);
    if (!guard(l, &before, err))
        return false;
    if (inbox_clock(l->inbox, session, err))
        return store_release(l->store, err);
    return undo(l, &before, "deadline", err) &&
           store_set_due(l->store, session, loop_wall(l) + POISONED_AGAIN_MS, err);
}

/* What a date brings: the inbox takes the first that is due, or puts it off. */
static bool event_dated(struct loop *l, bool guarded, const char *kind,
                        bool (*handle)(struct inbox *in, struct err *err),
                        bool (*put_off)(struct inbox *in, int64_t ms, struct err *err),
                        struct err *err)
{
    struct event_savepoint before;
    if (!guarded)
        return handle(l->inbox, err);
    if (!guard(l, &before, err))
        return false;
    if (handle(l->inbox, err))
        return store_release(l->store, err);
    return undo(l, &before, kind, err) && put_off(l->inbox, POISONED_AGAIN_MS, err);
}

bool event_dates(struct loop *l, bool guarded, struct err *err)
{
    return event_dated(l, guarded, "season", inbox_seasons, inbox_put_off_season, err) &&
           event_dated(l, guarded, "puzzle", inbox_puzzles, inbox_put_off_puzzle, err) &&
           event_dated(l, guarded, "tournament", inbox_tournaments, inbox_put_off_tournament,
                       err) &&
           event_dated(l, guarded, "announcement", inbox_announcements, inbox_put_off_announcement,
                       err);
}

bool event_away(struct loop *l, bool guarded, int64_t chat, struct err *err)
{
    struct event_savepoint before;
    if (!guarded)
        return inbox_away(l->inbox, chat, l->away.move, l->away.stopped, err);
    if (!guard(l, &before, err))
        return false;
    if (inbox_away(l->inbox, chat, l->away.move, l->away.stopped, err))
        return store_release(l->store, err);
    return undo(l, &before, "away", err);
}

/* Damaged matches that the other events have met. */
bool event_damaged(struct loop *l, bool guarded, struct err *err)
{
    struct event_savepoint before;
    if (!inbox_damaged(l->inbox))
        return true;
    if (!guarded)
        return inbox_set_aside(l->inbox, err);
    if (!guard(l, &before, err))
        return false;
    if (inbox_set_aside(l->inbox, err))
        return store_release(l->store, err);
    if (!undo(l, &before, "damage", err))
        return false;
    inbox_forget_damaged(l->inbox);
    return true;
}

/* A row of the quarantine. It leaves with what comes of it, or stays with the new reason. */
bool event_retry(struct loop *l, bool guarded, struct err *err)
{
    struct event_savepoint before;
    const struct retry *r = l->retrying.now;
    if (!guarded)
        return attempt_again(l, r, err) && store_retry_done(l->store, r->id, err);
    if (!guard(l, &before, err))
        return false;
    if (attempt_again(l, r, err))
        return store_release(l->store, err) && store_retry_done(l->store, r->id, err);
    const struct err why = *err;
    return undo(l, &before, "retry", err) &&
           store_retry_failed(l->store, r->id, str_of(why.text), err);
}
