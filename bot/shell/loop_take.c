/* One transaction for all that was gathered: receipts, updates, finished jobs, deadlines. Each
 * event has a mark of its own, so that one that cannot be taken is undone alone. When the database
 * fails, all is rolled back, kept in memory, and tried again after a while; nothing is said
 * meanwhile. */
#include "loop_parts.h"

enum { RETRY_MS = 250, RETRY_MOST_MS = 15 * 1000, POISONED_AGAIN_MS = 3600 * 1000 };

bool take_wanted(const struct loop *l)
{
    return l->news || l->finished || l->due.n || l->away_ms || outbox_wants_settling(l->outbox);
}

/* What was staged before an event. */
struct spot {
    int said, jobs;
};

static bool mark(struct loop *l, struct spot *ret, struct err *err)
{
    *ret = (struct spot){outbox_mark(l->outbox), work_mark(l->work)};
    return store_mark(l->store, err);
}

/* After an event that could not be taken. False: it is the store that is ill, not the event. */
static bool undo(struct loop *l, const struct spot *m, const char *kind, struct err *err)
{
    if (store_ill(l->store))
        return false;
    log_line(LOG_ERROR, "poison", "kind", kind, "why", err->text, NULL);
    outbox_rollback(l->outbox, m->said);
    work_rollback(l->work, m->jobs);
    return true;
}

static bool take_update(struct loop *l, bool marked, const struct account *a,
                        const struct update *u, struct err *err)
{
    struct spot m;
    struct err why = {""}, *first = &why;
    if (!marked)
        return inbox_take(l->inbox, a, u, err);
    if (!mark(l, &m, err))
        return false;
    if (inbox_take(l->inbox, a, u, first))
        return store_release(l->store, err);
    *err = why;
    return undo(l, &m, "update", first) && store_undo(l->store, err) &&
           store_quarantine(l->store, a->id, loop_now(l), u->raw, str_of(why.text), err);
}

static bool take_job(struct loop *l, bool marked, const struct job_done *done, struct err *err)
{
    struct spot m;
    if (!marked)
        return inbox_job_done(l->inbox, done, err);
    if (!mark(l, &m, err))
        return false;
    if (inbox_job_done(l->inbox, done, err))
        return store_release(l->store, err);
    return undo(l, &m, "job", err) && store_undo(l->store, err);
}

static bool take_due(struct loop *l, bool marked, int64_t session, struct err *err)
{
    struct spot m;
    if (!marked)
        return inbox_clock(l->inbox, session, err);
    if (!mark(l, &m, err))
        return false;
    if (inbox_clock(l->inbox, session, err))
        return store_release(l->store, err);
    return undo(l, &m, "deadline", err) && store_undo(l->store, err) &&
           store_set_due(l->store, session, loop_now(l) + POISONED_AGAIN_MS, err);
}

bool take_away(struct loop *l, bool marked, int64_t chat, struct err *err)
{
    struct spot m;
    if (!marked)
        return inbox_away(l->inbox, chat, l->away_ms, err);
    if (!mark(l, &m, err))
        return false;
    if (inbox_away(l->inbox, chat, l->away_ms, err))
        return store_release(l->store, err);
    return undo(l, &m, "away", err) && store_undo(l->store, err);
}

static bool take_news(struct loop *l, bool marked, const struct news *n, struct err *err)
{
    for (int i = 0; i < n->batch.n; i++)
        if (!take_update(l, marked, n->from->account, &n->batch.at[i], err))
            return false;
    return n->batch.cursor.n == 0 ||
           store_set_cursor(l->store, n->from->account->id, n->batch.cursor, err);
}

static bool never(void *arg, const struct account *on, const struct outgoing *out,
                  const struct receipt *receipt, struct err *err)
{
    return inbox_never(arg, on, out, receipt, err);
}

/* All but the commit. Marks cost a fifth of the store's time and almost never matter, so there are
 * none at first: only if some event could not be taken is everything undone and taken again,
 * marked. */
static bool take_all(struct loop *l, bool marked, struct err *err)
{
    if (!store_begin(l->store, err) || !outbox_settle(l->outbox, never, l->inbox, l->turn, err) ||
        !away_take(l, marked, err))
        return false;
    for (const struct news *n = l->news; n; n = n->next)
        if (!take_news(l, marked, n, err))
            return false;
    for (const struct finished *f = l->finished; f; f = f->next)
        if (!take_job(l, marked, &f->done, err))
            return false;
    for (int i = 0; i < l->due.n; i++)
        if (!take_due(l, marked, l->due.at[i], err))
            return false;
    return away_stamp(l, err) && store_soonest_due(l->store, &l->soonest, err);
}

static void undo_all(struct loop *l)
{
    store_rollback(l->store);
    outbox_abandon(l->outbox);
    work_rollback(l->work, 0);
}

static void fail(struct loop *l, const struct err *err)
{
    int64_t wait = RETRY_MS;
    for (int i = 0; i < l->failures && wait < RETRY_MOST_MS; i++)
        wait *= 2;
    undo_all(l);
    l->n_failures++;
    l->retry_at = loop_now(l) + (wait < RETRY_MOST_MS ? wait : RETRY_MOST_MS);
    if (l->failures++ == 0)
        log_line(LOG_ERROR, "store_failed", "why", err->text, NULL);
}

bool take_gathered(struct loop *l)
{
    struct err err = {""};
    bool ok = take_all(l, false, &err);
    if (!ok && !store_ill(l->store)) {
        undo_all(l);
        ok = take_all(l, true, &err);
    }
    if (!ok || !store_commit(l->store, &err)) {
        fail(l, &err);
        return false;
    }
    away_taken(l);
    outbox_commit(l->outbox);
    work_commit(l->work);
    if (l->failures)
        log_line(LOG_INFO, "store_works_again", NULL);
    l->failures = 0;
    l->retry_at = 0;
    for (const struct news *n = l->news; n; n = n->next) {
        l->n_updates += n->batch.n;
        if (n->visit)
            hook_taken(n->visit);
        else
            poll_taken(l, n->from, &n->batch);
    }
    l->news = NULL;
    l->news_end = &l->news;
    l->finished = NULL;
    l->finished_end = &l->finished;
    l->due.n = 0;
    return true;
}
