/* What can be counted about a daemon that runs, for those who look after it: counts and lengths of
 * queues, nothing about people, chats or cards. Written as Prometheus reads it. */
#ifndef KOIKOI_METRICS_H
#define KOIKOI_METRICS_H

#include "arena.h"

enum { METRICS_ACCOUNTS = 16 };

struct metrics_account {
    const char *name;           /* "telegram" */
    bool well;                  /* the last attempt to hear of it succeeded */
    int64_t silent_ms;          /* since it last answered; -1: it never has */
};

struct metrics {
    int64_t updates;            /* heard and stored since the start */
    int64_t store_failures;     /* attempts to store something that failed */
    bool store_well;
    int waiting;                /* messages not yet taken by their network, as far as they are in
                                   memory */
    int in_flight;              /* of these, under way */
    int jobs;                   /* computations that wait or run */
    int n_accounts;
    struct metrics_account account[METRICS_ACCOUNTS];
};

struct str metrics_write(const struct metrics *m, struct arena *a);
/* Why it is not well, as a line; NULL: it is. */
const char *metrics_ill(const struct metrics *m);

#endif
