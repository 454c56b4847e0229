/* Poller: the polling of one account. */
#ifndef KOIKOI_POLLER_H
#define KOIKOI_POLLER_H

#include "http.h"
#include "registry.h"
#include "outbox.h"

struct loop;
struct news;
struct server_request;

struct poller {
    enum flight kind; /* FLIGHT_POLL: pollers are tags of transfers */
    struct account *account;
    bool in_flight;
    bool dead;                 /* refused for good */
    bool failing;              /* the last attempt failed, and that has been logged */
    bool patient;              /* its descriptor is watched only while the loop is at rest */
    bool over;                 /* its input has ended */
    bool introduced;           /* its name has been logged */
    int fd;                    /* descriptor to watch; -1: none */
    int errors, empty;         /* in a row */
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

/* Any daemon takes what a webhook brings, and asks what it must know for that; news that are to be
 * asked for are one daemon's. */
static inline bool poll_is_ours(const struct poller *p)
{
    return !p->account->away || p->has_webhook;
}

/* loop_poll.c: the polls themselves. */
void poll_start(struct loop *l, struct poller *p);
void poll_read(struct loop *l, struct poller *p, const struct reply *reply);
void poll_handled(struct loop *l, struct poller *p, const struct batch *b);
void poll_stop(struct loop *l, struct poller *p);
/* Time of the next poll, monotonic; INT64_MAX if none waits for the clock. */
int64_t poll_next(const struct loop *l);

/* loop_attempt.c: updates that end the process. attempt_open() is part of the transaction of the
 * start, attempt_remove() of that of the first batch; attempt_removed() follows its commit. */
void attempt_open(struct loop *l, struct poller *p);
void attempt_remove(struct loop *l, const struct poller *p);
void attempt_removed(struct poller *p);
/* Handles the updates of a batch one at a time, each in a transaction of its own by `commit`, and
 * takes them out of the batch. Returns false if it must be called again. */
typedef bool attempt_commit(struct loop *l, struct news *one);
bool attempt_each(struct loop *l, struct news *n, attempt_commit *commit,
                  struct err *err) MUST_CHECK;
/* Puts an update that could not be handled into quarantine, and counts it as heard. */
void attempt_quarantine(struct loop *l, const struct account *a, const struct update *u,
                        const char *why);
/* Rows of the quarantine that the operator wants tried again. attempt_look() asks the store whether
 * there are any, which another process may have said; attempt_retries() begins one after the other
 * and calls `commit` with l->retrying.now set. Returns false if it must be called again.
 * attempt_again() handles one, in the transaction. */
void attempt_look(struct loop *l);
bool attempt_retries(struct loop *l, attempt_commit *commit, struct err *err) MUST_CHECK;
struct retrying {
    const struct retry *now; /* which this transaction handles; NULL: none */
    int64_t begun;           /* the row that this process has counted as begun */
};
void attempt_again(struct loop *l, const struct retry *r);

#endif
