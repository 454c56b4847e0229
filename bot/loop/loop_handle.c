/* One transaction for all that was gathered: receipts, updates, finished jobs, deadlines. When the
 * database fails, everything is rolled back, kept in memory and tried again after a while; nothing
 * is sent meanwhile. */
#include "loop_internal.h"

enum { RETRY_MS = 250, RETRY_MOST_MS = 15 * 1000 };

bool handle_wanted(const struct loop *l)
{
    return l->gathered.news || l->gathered.finished || l->gathered.due.n || l->gathered.dates ||
           downtime_pending(&l->downtime) || inbox_damaged(l->inbox) ||
           outbox_wants_settling(l->outbox) || vaults_unstored(l->vaults);
}

static void report(void *arg, const struct account *on, const struct outgoing *out,
                   const struct receipt *receipt)
{
    inbox_report(arg, on, out, receipt);
}

/* Whatever the updates of each account will need, in one round trip. */
static void look_ahead(struct loop *l)
{
    size_t most = 0;
    for (const struct news *n = l->gathered.news; n; n = n->next)
        most += (size_t)n->batch.n;
    const struct update **all = arena_array(l->scratch, const struct update *, most + 1);
    for (int i = 0; most > 0 && i < l->polling.n; i++) {
        int count = 0;
        for (const struct news *n = l->gathered.news; n; n = n->next)
            for (int k = 0; n->from == &l->polling.at[i] && k < n->batch.n; k++)
                all[count++] = &n->batch.at[k];
        if (count > 0)
            inbox_look_ahead(l->inbox, l->polling.at[i].account, count, all);
    }
}

/* A webhook brings any daemon what is for an account that another has. */
static bool all_ours(const struct loop *l)
{
    bool ours = true;
    for (const struct news *n = l->gathered.news; n; n = n->next)
        ours &= !n->from->account->away;
    return ours;
}

/* All but the commit. Savepoints cost a fifth of the store's time and are almost never needed, so
 * the first attempt has none; if an event fails, everything is undone and repeated, guarded. */
static void handle_all(struct loop *l, bool guarded)
{
    const struct loop_event damaged = {.kind = EVENT_DAMAGED};
    l->guarded = guarded;
    arena_reset(l->scratch);
    outbox_heard(l->outbox, 0);
    if (guarded || !all_ours(l))
        store_begin(l->store);
    else
        store_begin_beside(l->store);
    standby_look(l);
    outbox_settle(l->outbox, report, l->inbox, l->scratch);
    vaults_store(l->vaults);
    downtime_handle(l);
    if (downtime_remains(&l->downtime)) { /* events would meet times that are moved later */
        event_handle(l, &damaged);
        downtime_stamp(l);
        return;
    }
    if (l->retrying.now)
        event_handle(l, &(struct loop_event){.kind = EVENT_RETRY});
    look_ahead(l);
    for (const struct news *n = l->gathered.news; n; n = n->next) {
        outbox_heard(l->outbox, n->heard);
        for (int i = 0; i < n->batch.n; i++)
            event_handle(l, &(struct loop_event){.kind = EVENT_UPDATE,
                                                 .account = n->from->account,
                                                 .update = &n->batch.at[i]});
        if (n->batch.cursor.n > 0)
            store_set_cursor(l->store, n->from->account->id, n->batch.cursor);
        if (!n->alone)
            attempt_remove(l, n->from);
    }
    outbox_heard(l->outbox, 0);
    for (const struct finished *f = l->gathered.finished; f; f = f->next)
        event_handle(l, &(struct loop_event){.kind = EVENT_JOB, .job = &f->done});
    for (int i = 0; i < l->gathered.due.n; i++)
        event_handle(l, &(struct loop_event){.kind = EVENT_DUE, .no = l->gathered.due.at[i]});
    for (int i = 0; l->gathered.dates && inbox_date_kind(i); i++)
        event_handle(l, &(struct loop_event){.kind = EVENT_DATE, .no = i});
    event_handle(l, &damaged);
    prune_in_step(l);
    downtime_stamp(l);
}

static void undo_all(struct loop *l)
{
    store_rollback(l->store);
    inbox_undo(l->inbox);
    outbox_abandon(l->outbox);
    work_rollback(l->work, 0);
    inbox_set_counts(l->inbox, l->counts);
}

static void fail(struct loop *l, const struct err *err)
{
    undo_all(l);
    l->n_failures++;
    l->waiting.retry_at =
        loop_mono(l) + clock_doubled(RETRY_MS, l->waiting.failures, RETRY_MOST_MS);
    if (l->waiting.failures++ == 0 && l->standby.ours)
        log_line(LOG_ERROR, "store_failed", "why", err->text, NULL);
}

static bool commit_all(struct loop *l)
{
    struct err err = {""};
    handle_all(l, false);
    bool good = store_commit_and_look(l->store, &l->waiting.soonest, &err);
    while (!good && store_again(l->store)) {
        undo_all(l);
        handle_all(l, false);
        good = store_commit_and_look(l->store, &l->waiting.soonest, &err);
    }
    if (!good && store_refused(l->store)) {
        undo_all(l);
        handle_all(l, true);
        good = store_commit_and_look(l->store, &l->waiting.soonest, &err);
    }
    if (!good) {
        fail(l, &err);
        return false;
    }
    downtime_handled(&l->downtime);
    vaults_stored(l->vaults);
    outbox_commit(l->outbox);
    work_commit(l->work);
    inbox_log(l->inbox);
    pages_committed(l);
    l->counts = inbox_counts(l->inbox);
    if (l->waiting.failures)
        log_line(LOG_INFO, "store_works_again", NULL);
    l->waiting.failures = 0;
    l->waiting.retry_at = 0;
    return true;
}

/* One update, or one retry, and nothing else that was gathered. */
static bool commit_one(struct loop *l, struct news *one)
{
    struct gathered all = l->gathered;
    l->gathered = (struct gathered){.news = one, .dates = all.dates};
    bool good = commit_all(l);
    l->gathered = all;
    return good;
}

/* The updates of a batch one at a time; each that is stored leaves the batch. */
static bool commit_careful(struct loop *l, struct news *n)
{
    struct err err;
    /* receipts first: an update must not answer for them */
    if (outbox_wants_settling(l->outbox) && !commit_one(l, NULL))
        return false;
    while (n->batch.n > 0) {
        struct news one = {.from = n->from, .batch = {.n = 1, .at = n->batch.at}, .alone = true};
        bool skip = false;
        if (!attempt_update(l, n->from, one.batch.at, &skip, &err)) {
            fail(l, &err);
            return false;
        }
        if (!skip && !commit_one(l, &one))
            return false;
        l->n_updates++;
        n->batch.at++;
        n->batch.n--;
    }
    return true;
}

/* Rows of the quarantine, one after the other. */
static bool commit_retries(struct loop *l)
{
    struct err err;
    for (const struct retry *r; (r = store_retry(l->store, l->turn));) {
        if (!attempt_retry(l, r->id, &err)) {
            fail(l, &err);
            return false;
        }
        l->retrying.now = r;
        bool good = commit_one(l, NULL);
        l->retrying.now = NULL;
        if (!good)
            return false;
        l->retrying.begun = 0;
    }
    if (!store_take_failure(l->store, &err))
        return true;
    fail(l, &err);
    return false;
}

bool handle_gathered(struct loop *l)
{
    if (downtime_pending(&l->downtime)) /* gathered events are kept for the next transaction */
        return commit_one(l, NULL);
    for (struct news *n = l->gathered.news; n; n = n->next)
        if (n->from->careful && !commit_careful(l, n))
            return false;
    if ((l->gathered.dates && !commit_retries(l)) || !commit_all(l))
        return false;
    for (const struct news *n = l->gathered.news; n; n = n->next) {
        l->n_updates += n->batch.n;
        attempt_removed(n->from);
        if (n->visit)
            webhook_handled(l, n);
        else
            poll_handled(n->from, &n->batch);
    }
    l->gathered = (struct gathered){0};
    return true;
}
