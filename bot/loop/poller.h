/* loop_poll.c: the polling of accounts. */
#ifndef KOIKOI_POLLER_H
#define KOIKOI_POLLER_H

#include "loop.h"
#include "outbox.h"

/* A request beside a poll. Its answer waits until no poll is under way, unless it has no news. */
struct beside {
    enum flight kind; /* FLIGHT_BESIDE */
    struct poller *of;
    bool in_flight, answered, no_news;
    int errors;         /* in a row, of those without news ... */
    int64_t not_before; /* ... and when it is asked for again, monotonic */
    struct reply reply;
    char *body;
};
/* The polling of one account. */
struct poller {
    enum flight kind; /* FLIGHT_POLL: pollers are tags of transfers */
    struct account *account;
    struct beside beside;
    bool in_flight;
    bool idle;                  /* in flight, and waits for news */
    bool early;                 /* asked before what is to be sent, as more waits there */
    bool dead;                  /* refused for good */
    bool failing;               /* the last attempt failed, and that has been logged */
    bool patient;               /* its descriptor is watched only while the loop is at rest */
    bool over;                  /* its input has ended */
    bool introduced;            /* its name has been logged */
    int fd;                     /* descriptor to watch; -1: none */
    int errors, empty, between; /* in a row */
    int late; /* so many full answers make the next not early: that one brought less */
    int64_t asked, not_before; /* monotonic */
    int64_t heard;             /* when it last succeeded, monotonic; 0: never */
    char *cursor;
    int starts;       /* loop_attempt.c: starts at this cursor; 0: the mark is removed */
    uint64_t tried;   /* hash of the id of the update at which the last one ended ... */
    int times;        /* ... and how often in a row */
    bool careful;     /* updates are handled one at a time */
    bool has_webhook; /* the network delivers updates itself */
    struct webhook webhook;
};
struct polling {
    int n;
    struct poller *at;
    struct beacon_client *beacon; /* NULL: not configured */
    bool beacon_failing;          /* its last answer was of no use, and that has been logged */
};

#endif
