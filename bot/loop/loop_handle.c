/* One transaction for all that was gathered: receipts, updates, finished jobs, deadlines. When the
 * database fails, everything is rolled back, kept in memory and tried again after a while; nothing
 * is sent meanwhile. */
#include "loop_internal.h"

enum { RETRY_MS = 250, RETRY_MOST_MS = 15 * 1000 };

bool handle_wanted(const struct loop *l)
{
    return l->news || l->finished || l->due.n || l->dates_due || away_pending(l) ||
           inbox_damaged(l->inbox) || outbox_wants_settling(l->outbox) ||
           vaults_unstored(l->vaults);
}

static void handle_news(struct loop *l, bool guarded, const struct news *n)
{
    for (int i = 0; i < n->batch.n; i++)
        event_update(l, guarded, n->from->account, &n->batch.at[i]);
    if (n->batch.cursor.n > 0)
        store_set_cursor(l->store, n->from->account->id, n->batch.cursor);
    if (!n->alone)
        attempt_remove(l, n->from);
}

static void never(void *arg, const struct account *on, const struct outgoing *out,
                  const struct receipt *receipt)
{
    inbox_never(arg, on, out, receipt);
}

/* All but the commit. Savepoints cost a fifth of the store's time and are almost never needed, so
 * the first attempt has none; if an event fails, everything is undone and repeated, guarded. */
static void handle_all(struct loop *l, bool guarded)
{
    arena_reset(l->scratch);
    outbox_heard(l->outbox, 0);
    store_begin(l->store);
    standby_look(l);
    outbox_settle(l->outbox, never, l->inbox, l->scratch);
    vaults_store(l->vaults);
    away_handle(l, guarded);
    if (away_remains(l)) { /* events would meet times that are moved later */
        event_damaged(l, guarded);
        away_stamp(l);
        return;
    }
    if (l->retrying.now)
        event_retry(l, guarded);
    for (const struct news *n = l->news; n; n = n->next) {
        outbox_heard(l->outbox, n->heard);
        handle_news(l, guarded, n);
    }
    outbox_heard(l->outbox, 0);
    for (const struct finished *f = l->finished; f; f = f->next)
        event_job(l, guarded, &f->done);
    for (int i = 0; i < l->due.n; i++)
        event_due(l, guarded, l->due.at[i]);
    if (l->dates_due)
        event_dates(l, guarded);
    event_damaged(l, guarded);
    prune_in_step(l);
    away_stamp(l);
    loop_look_soonest(l);
}

static void undo_all(struct loop *l)
{
    store_rollback(l->store);
    outbox_abandon(l->outbox);
    work_rollback(l->work, 0);
    inbox_set_counts(l->inbox, l->counts);
}

static void fail(struct loop *l, const struct err *err)
{
    int64_t wait = RETRY_MS;
    for (int i = 0; i < l->failures && wait < RETRY_MOST_MS; i++)
        wait *= 2;
    undo_all(l);
    l->n_failures++;
    l->retry_at = loop_mono(l) + (wait < RETRY_MOST_MS ? wait : RETRY_MOST_MS);
    if (l->failures++ == 0)
        log_line(LOG_ERROR, "store_failed", "why", err->text, NULL);
}

static bool commit_all(struct loop *l)
{
    struct err err = {""};
    handle_all(l, false);
    if (store_failed(l->store) && !store_broken(l->store)) {
        undo_all(l);
        handle_all(l, true);
    }
    if (!store_commit(l->store, &err)) {
        fail(l, &err);
        return false;
    }
    away_handled(l);
    vaults_stored(l->vaults);
    outbox_commit(l->outbox);
    work_commit(l->work);
    inbox_log(l->inbox);
    l->counts = inbox_counts(l->inbox);
    if (l->failures)
        log_line(LOG_INFO, "store_works_again", NULL);
    l->failures = 0;
    l->retry_at = 0;
    return true;
}

/* One update, or one retry, and nothing else that was gathered. */
static bool commit_one(struct loop *l, struct news *one)
{
    struct news *news = l->news;
    struct finished *finished = l->finished;
    int n_due = l->due.n;
    l->news = one;
    l->finished = NULL;
    l->due.n = 0;
    bool good = commit_all(l);
    l->news = news;
    l->finished = finished;
    l->due.n = n_due;
    return good;
}

static bool commit_careful(struct loop *l)
{
    for (struct news *n = l->news; n; n = n->next) {
        struct err err = {""};
        if (!n->from->careful)
            continue;
        /* receipts first: an update must not answer for them */
        if (outbox_wants_settling(l->outbox) && !commit_one(l, NULL))
            return false;
        if (!attempt_each(l, n, commit_one, &err)) {
            if (err.text[0])
                fail(l, &err);
            return false;
        }
    }
    return true;
}

static bool commit_retries(struct loop *l)
{
    struct err err = {""};
    bool good = !l->dates_due || attempt_retries(l, commit_one, &err);
    if (!good && err.text[0])
        fail(l, &err);
    return good;
}

bool handle_gathered(struct loop *l)
{
    if (away_pending(l)) /* gathered events are kept for the next transaction */
        return commit_one(l, NULL);
    if (!commit_careful(l) || !commit_retries(l) || !commit_all(l))
        return false;
    for (const struct news *n = l->news; n; n = n->next) {
        l->n_updates += n->batch.n;
        attempt_removed(n->from);
        if (n->visit)
            webhook_handled(n->visit);
        else
            poll_handled(l, n->from, &n->batch);
    }
    l->news = NULL;
    l->news_end = &l->news;
    l->finished = NULL;
    l->finished_end = &l->finished;
    l->due.n = 0;
    l->dates_due = false;
    return true;
}
