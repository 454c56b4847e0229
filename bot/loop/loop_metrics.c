/* Gathers the metrics of the running daemon from its parts. See metrics.h. */
#include "loop_internal.h"
#include "metrics.h"

#include <sys/stat.h>

/* -1 if the store is no file. */
static int64_t store_bytes(const struct loop *l)
{
    const struct str path = l->parts.config->store;
    const char *const ends[] = {"", "-wal"};
    int64_t n = -1;
    for (int i = 0; i < 2; i++) {
        char name[4096];
        struct stat st;
        snprintf(name, sizeof name, "%.*s%s", STR_ARG(path), ends[i]);
        if (stat(name, &st) == 0)
            n = (n < 0 ? 0 : n) + st.st_size;
    }
    return n;
}

static int64_t running(const struct loop *l)
{
    struct err err;
    int64_t n = l->retry_at ? -1 : store_running(l->store);
    return l->retry_at || store_take_failure(l->store, &err) ? -1 : n;
}

static struct metrics_account account_at(const struct loop *l, int i)
{
    const struct poller *p = &l->poller[i];
    const struct outbox_counts *c = outbox_counts(l->outbox, i);
    return (struct metrics_account){.name = p->account->name.p,
                                    .up = !p->dead && !p->failing,
                                    .silent_ms = p->heard ? loop_mono(l) - p->heard : -1,
                                    .sent = c->sent,
                                    .in_part = c->in_part,
                                    .later = c->later,
                                    .never = c->never,
                                    .limited = c->limited,
                                    .delay = c->delay};
}

void metrics_count(const struct loop *l, struct metrics *ret)
{
    const struct inbox_caches in = inbox_caches(l->inbox);
    *ret = (struct metrics){.version = KOIKOI_VERSION,
                            .started = l->started,
                            .running = running(l),
                            .begun = l->counts.begun,
                            .finished = l->counts.finished,
                            .store_bytes = store_bytes(l),
                            .thinking = work_times(l->work),
                            .updates = l->n_updates,
                            .store_failures = l->n_failures,
                            .store_up = l->retry_at == 0,
                            .waiting = outbox_waiting(l->outbox),
                            .in_flight = outbox_in_flight(l->outbox),
                            .jobs = work_waiting(l->work),
                            .cache = {{"rows", store_cache(l->store)},
                                      {"rulesets", in.rulesets},
                                      {"sessions", in.sessions},
                                      {"reviews", in.reviews}}};
    if (l->drawing)
        ret->drawing = work_times(l->drawing);
    for (int i = 0; i < l->n_pollers && i < METRICS_ACCOUNTS; i++)
        if (!l->poller[i].account->away)
            ret->account[ret->n_accounts++] = account_at(l, i);
}
