/* What the files of the loop share. Included by loop*.c alone. */
#ifndef KOIKOI_LOOP_PARTS_H
#define KOIKOI_LOOP_PARTS_H

#include "deck.h"
#include "http.h"
#include "inbox.h"
#include "log.h"
#include "loop.h"
#include "outbox.h"
#include "server.h"

/* How one account is asked for news. */
struct poller {
    enum flight kind;           /* FLIGHT_POLL: pollers are tags of transfers */
    struct account *account;
    bool flying;
    bool dead;                  /* refused for good */
    bool failing;               /* the last attempt failed, and that has been said */
    bool patient;               /* its descriptor is watched only while the loop is at rest */
    bool over;                  /* no news will come any more */
    int fd;                     /* descriptor to watch; -1: none */
    int errors, empty;          /* in a row */
    int64_t asked, not_before;
    int64_t heard;              /* when it last answered well; 0: never */
    char *cursor;
    bool hooked;                /* its news are brought */
    struct hook hook;
};

/* News that came and are not yet in the store. */
struct news {
    struct news *next;
    struct poller *from;
    struct batch batch;
    struct visit *visit;        /* it was brought by this one; NULL: it was asked for */
};
struct finished { struct finished *next; struct job_done done; };

enum { FEW = 64 };

struct loop {
    struct loop_parts parts;
    const struct clock *clock;
    struct store *store;
    struct http *http;
    struct work *work;
    struct work *drawing;       /* pictures; NULL: no account shows any */
    struct decks *decks;
    struct outbox *outbox;
    struct inbox *inbox;
    struct arena *turn;
    int n_pollers;
    struct poller *poller;
    struct server *server;      /* NULL: there is none */
    struct visit *held;         /* cannot be taken yet */

    /* gathered in this turn; kept over turns while the store is ill */
    struct news *news, **news_end;
    struct finished *finished, **finished_end;
    struct ids due;

    int64_t soonest;            /* deadline of a session; 0: none */
    int64_t retry_at;           /* the store is ill until then; 0: it is well */
    int failures;
    int64_t pruned, stamped;
    int64_t away_ms;            /* how long it had not run; 0: all chats have been told */
    int64_t away_told, away_next;       /* the last chat told; after this transaction, -1: all */
    int64_t n_updates, n_failures;  /* since the start: heard and stored; attempts to store that
                                       failed */
    int signals;                /* signalfd; -1: none */
    bool stopping;
    int64_t give_up_at;         /* of the machine's clock: the drain ends */
};

static inline int64_t loop_now(const struct loop *l) { return clock_now(l->clock); }

/* loop_poll.c */
void poll_start(struct loop *l, struct poller *p);
void poll_read(struct loop *l, struct poller *p, const struct reply *reply);
void poll_taken(struct loop *l, struct poller *p, const struct batch *b);
void poll_stop(struct loop *l, struct poller *p);
int64_t poll_next(const struct loop *l);       /* INT64_MAX: none waits for the clock */

/* loop_away.c: after a long stop. Taking is a part of the transaction, `taken` follows its
 * commit. */
bool away_open(struct loop *l, struct err *err) MUST_CHECK;   /* in the transaction of the start */
bool away_take(struct loop *l, bool marked, struct err *err) MUST_CHECK;
void away_taken(struct loop *l);
/* Notes from time to time, and at the end, that the daemon is alive. */
bool away_stamp(struct loop *l, struct err *err) MUST_CHECK;
/* loop_hook.c: the daemon's server */
bool hook_open(struct loop *l, struct err *err) MUST_CHECK;
void hook_gather(struct loop *l);
void hook_taken(struct visit *v);

/* loop_take.c: all that was gathered becomes one transaction. False: it will be tried again. */
bool take_gathered(struct loop *l);
bool take_away(struct loop *l, bool marked, int64_t chat, struct err *err) MUST_CHECK;
bool take_wanted(const struct loop *l);

#endif
