/* Metrics of a running daemon, in the text format of Prometheus: counts and lengths of queues,
 * nothing about people, chats or cards. */
#ifndef KOIKOI_METRICS_H
#define KOIKOI_METRICS_H

#include "arena.h"
#include "cache.h"
#include "histogram.h"

enum { METRICS_ACCOUNTS = 48, METRICS_CACHES = 4 };

struct metrics_account {
    const char *name;                    /* "telegram" */
    bool up;                             /* the last attempt to hear from it succeeded */
    int64_t silent_ms;                   /* since it last answered; -1: it never has */
    int64_t sent, in_part, later, never; /* what it made of the sends */
    int64_t limited;                     /* of `later`: 429 */
    struct histogram delay;              /* from what was heard to its answer */
};

struct metrics_cache {
    const char *name; /* "rows" */
    struct cache_counts counts;
};

struct metrics {
    const char *version;
    struct str commit;       /* that it was built from; empty: unknown */
    int schema;              /* the newest step of the store's schema */
    int64_t started;         /* unix ms */
    int64_t running;         /* matches and challenges; -1: unknown */
    int64_t begun, finished; /* matches, since the start */
    int64_t store_bytes;     /* of its files; -1: unknown */
    struct histogram thinking, drawing;
    int64_t pages_us;       /* what pages have cost a processor; -1: there are no pages */
    int64_t updates;        /* heard and stored since the start */
    int64_t store_failures; /* attempts to store something that failed */
    bool store_up;
    int waiting;   /* messages in memory that their network has not accepted yet */
    int in_flight; /* of these, being sent */
    int jobs;      /* computations that wait or run */
    struct metrics_cache cache[METRICS_CACHES];
    int n_accounts;
    struct metrics_account account[METRICS_ACCOUNTS];
};

struct loop;
void metrics_count(const struct loop *l, struct metrics *ret);
struct str metrics_write(const struct metrics *m, struct arena *a);
/* Returns one line that names the fault, or NULL if all works. */
const char *metrics_trouble(const struct metrics *m);

#endif
