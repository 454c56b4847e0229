/* Gathers the metrics of the running daemon from its parts. See metrics.h. */
#include "loop_internal.h"
#include "metrics.h"

void metrics_count(const struct loop *l, struct metrics *ret)
{
    int64_t now = loop_mono(l);
    const struct inbox_caches in = inbox_caches(l->inbox);
    *ret = (struct metrics){.updates = l->n_updates,
                            .store_failures = l->n_failures,
                            .store_up = l->retry_at == 0,
                            .waiting = outbox_waiting(l->outbox),
                            .in_flight = outbox_in_flight(l->outbox),
                            .jobs = work_waiting(l->work),
                            .cache = {{"rows", store_cache(l->store)},
                                      {"rulesets", in.rulesets},
                                      {"sessions", in.sessions},
                                      {"reviews", in.reviews}}};
    for (int i = 0; i < l->n_pollers && i < METRICS_ACCOUNTS; i++) {
        const struct poller *p = &l->poller[i];
        ret->account[ret->n_accounts++] =
            (struct metrics_account){.name = p->account->adapter->name,
                                     .up = !p->dead && !p->failing,
                                     .silent_ms = p->heard ? now - p->heard : -1};
    }
}
