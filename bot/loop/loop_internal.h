/* Shared by the files of the loop: its state, and the calls between them. */
#ifndef KOIKOI_LOOP_INTERNAL_H
#define KOIKOI_LOOP_INTERNAL_H

#include "pictures.h"
#include "health.h"
#include "http.h"
#include "inbox.h"
#include "log.h"
#include "loop.h"
#include "loop_supervise.h"
#include "outbox.h"
#include "poller.h"
#include "server.h"
#include "account_vault.h"
#include "store_quarantine.h"

/* Updates that are not yet in the store. */
struct news {
    struct news *next;
    struct poller *from;
    struct batch batch;
    int64_t heard;                /* monotonic */
    struct server_request *visit; /* the webhook request that brought them; NULL: polled */
    bool alone;                   /* one update of a batch that follows */
};
struct finished {
    struct finished *next;
    struct job_done done;
};

/* A stop of the daemon, or a jump of the wall clock; both may come together. */
struct away {
    int64_t move;    /* ms by which the times of sessions move */
    int64_t stopped; /* ms that the daemon did not run; 0: a jump alone */
};

enum { FEW = 64 };

struct loop {
    struct loop_parts parts;
    const struct clock *clock;
    struct store *store;
    struct vaults *vaults;
    struct http *http;
    struct work *work;
    struct work *drawing; /* pictures; NULL: no account shows pictures */
    struct decks *decks;
    struct outbox *outbox;
    struct inbox *inbox;
    struct beacon_client *beacon; /* NULL: not configured */
    bool beacon_failing;          /* its last answer was of no use, and that has been logged */
    struct arena *turn;    /* holds gathered events, over several turns while the store is broken */
    struct arena *scratch; /* of one attempt to store, or one answer to a question */
    bool trim;             /* a large answer was read: give memory back after this turn */
    int n_pollers;
    struct poller *poller;
    struct server *server;       /* NULL: not configured */
    struct server *questions;    /* for /health and /metrics alone; NULL: `server` has them */
    struct server_request *held; /* webhook requests that wait */
    struct config config;        /* what was reloaded ... */
    struct arena *config_arena;  /* ... and where it lives; NULL: nothing was */
    struct health *health;       /* answers `koikoi health`; NULL: no state directory */
    int64_t watchdog_ms;         /* the service manager wants a sign so often; 0: it does not */
    int64_t beat_at;             /* the next sign, of the machine's clock */

    /* gathered in this turn; kept over turns while the store is broken */
    struct news *news, **news_end;
    struct finished *finished, **finished_end;
    struct ids due;

    bool dates_due; /* a season may have ended, a puzzle, a tournament or a retry be due */
    struct retrying retrying;
    int64_t soonest;  /* next deadline of a session, season or tournament, unix ms; 0: none */
    int64_t retry_at; /* the store is broken, try then, monotonic; 0: it works */
    int failures;
    int unpruned;                  /* updates since marks were last pruned in step */
    int64_t pruned, stamped;       /* monotonic */
    int64_t forget_at;             /* monotonic: a step of forgetting failed, the next is then */
    struct away away, away_more;   /* being carried out; what came meanwhile */
    int64_t away_told, away_next;  /* the last chat done; after this transaction, -1: all */
    int64_t ahead;                 /* wall clock less monotonic clock, when last compared */
    int64_t jumped;                /* by which the wall clock was set forward since the start */
    struct inbox_counts counts;    /* as of the last commit */
    int64_t started;               /* unix ms */
    int64_t n_updates, n_failures; /* since the start: stored, and attempts that failed to store */
    struct standby standby;
    int signals; /* signalfd; -1: none */
    bool stopping;
    int64_t give_up_at; /* of the machine's clock: the drain ends */
};

/* Waits run on the monotonic clock; deadlines of sessions, and what is stored, on the wall
 * clock. */
static inline int64_t loop_mono(const struct loop *l)
{
    return clock_mono(l->clock);
}
static inline int64_t loop_wall(const struct loop *l)
{
    return clock_now(l->clock);
}

/* loop_beacon.c */
void beacon_start(struct loop *l);
void beacon_read(struct loop *l, void *tag, const struct reply *reply);
int64_t beacon_next(const struct loop *l); /* monotonic; INT64_MAX: it waits for no clock */

/* loop_away.c: after a long stop or a jump of the wall clock. away_handle() is part of the
 * transaction, away_handled() follows its commit. */
/* Compares the clocks after a sleep that was to end at `until`, monotonic. */
void away_watch(struct loop *l, int64_t until);
/* True until all chats have been done; no deadline fires and no update is handled meanwhile. */
bool away_pending(const struct loop *l);
bool away_remains(const struct loop *l); /* the same after the open transaction */
void away_open(struct loop *l);          /* in the transaction of the start */
void away_handle(struct loop *l, bool guarded);
void away_handled(struct loop *l);
/* Stores from time to time, and at the end, that the daemon is alive. */
void away_stamp(struct loop *l);
/* loop_prune.c: heard marks and names of pictures leave after some days. In step: within the
 * transaction, twice as many marks as updates have come, so that a daemon that never rests does not
 * grow; idle: the rest, once a minute at most. */
void prune_in_step(struct loop *l);
void prune_idle(struct loop *l);
bool prune_forgetting(const struct loop *l);
void prune_forget_step(struct loop *l); /* people leave their matches in steps, one a turn */
/* loop_webhook.c: the daemon's server */
bool webhook_open(struct loop *l, struct err *err) MUST_CHECK;
void webhook_gather(struct loop *l);
void webhook_handled(struct server_request *v);

/* loop_event.c: one event for the inbox, in a savepoint if `guarded` */
void event_update(struct loop *l, bool guarded, const struct account *a, const struct update *u);
void event_job(struct loop *l, bool guarded, const struct job_done *done);
void event_due(struct loop *l, bool guarded, int64_t session);
void event_dates(struct loop *l, bool guarded);
void event_away(struct loop *l, bool guarded, int64_t chat);
void event_damaged(struct loop *l, bool guarded);
void event_retry(struct loop *l, bool guarded);

/* loop_reload.c: SIGHUP */
struct inbox_parts reload_inbox_parts(const struct loop *l, const struct config *c);
void reload_config(struct loop *l);

/* loop_handle.c: all that was gathered becomes one transaction. False: it will be tried again. */
bool handle_gathered(struct loop *l);
bool handle_wanted(const struct loop *l);

#endif
