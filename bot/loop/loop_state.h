/* State of the loop, a struct for each file that owns it: functions take theirs if it is enough. */
#ifndef KOIKOI_LOOP_STATE_H
#define KOIKOI_LOOP_STATE_H

#include "health.h"
#include "inbox.h"
#include "loop.h"
#include "outbox.h"
#include "poller.h"
#include "web.h"

/* loop_handle.c: what came in this turn; kept over turns while the store is broken. */
struct news { /* updates that are not yet in the store */
    struct news *next;
    struct poller *from;
    struct batch batch;
    int64_t heard;                /* monotonic */
    struct server_request *visit; /* the webhook request that brought them; NULL: polled */
    struct web_asked *page;       /* what a page did by the visit; NULL: it is of no page */
    bool alone;                   /* one update of a batch that follows */
};
struct finished {
    struct finished *next;
    struct job_done done;
};
struct gathered {
    struct news *news;
    struct finished *finished;
    struct ids due; /* sessions */
    bool dates;     /* a season may have ended, a puzzle, a tournament or a retry be due */
};
/* loop_handle.c: when the next transaction is due. */
struct waiting {
    int64_t soonest;  /* next deadline of a session, season or tournament, unix ms; 0: none */
    int64_t retry_at; /* the store is broken, try then, monotonic; 0: it works */
    int failures;     /* in a row */
};
/* loop_attempt.c: rows of the quarantine that are tried again. */
struct retrying {
    const struct retry *now; /* which this transaction handles; NULL: none */
    int64_t begun;           /* the row that this process has counted as begun */
};

/* loop_prune.c */
struct pruning {
    int updates;       /* since marks were last pruned in step */
    int64_t done;      /* when the idle loop last did, monotonic */
    int64_t forget_at; /* monotonic: a step of forgetting failed, the next is then */
};

/* loop_question.c: `koikoi recount`, a chat a turn. */
struct recounting {
    bool on;
    struct health_question asked; /* answered at the end */
    int64_t chat, matches;        /* the last chat that was counted; matches of all so far */
};

/* loop_downtime.c: a stop of the daemon, or a jump of the wall clock; both may come together. */
struct shift {
    int64_t move;    /* ms by which the times of sessions move */
    int64_t stopped; /* ms that the daemon did not run; 0: a jump alone */
};
struct downtime {
    struct shift now, more; /* being carried out; what came meanwhile */
    int64_t told, next;     /* the last chat done; after this transaction, -1: all */
    int64_t ahead;          /* wall clock less monotonic clock, when last compared */
    int64_t jumped;         /* by which the wall clock was set forward since the start */
    int64_t stamped;        /* when the store was last told that the daemon lives, monotonic */
};

/* loop_supervise.c: other daemons on the same store of a server; what watches this one. */
struct standby {
    bool waited;    /* others had all accounts, or the server was away */
    bool told;      /* that others had them is in the log */
    bool reload;    /* SIGHUP came meanwhile */
    bool ours;      /* the store was ours when last asked ... */
    int64_t ask_at; /* ... and is asked again then, of the machine's clock */
    bool look;      /* another daemon has written to the store; its rows are not read yet */
    bool regroup;   /* accounts are to change hands: the loop ends, and is opened anew */
};
struct supervised {
    struct health *health;    /* answers `koikoi health`; NULL: no state directory, or it failed */
    int64_t watchdog_ms;      /* the service manager wants a sign so often; 0: it does not */
    int64_t beat_at, look_at; /* the next sign, and look at the socket, of the machine's clock */
};

/* loop_webhook.c */
struct serving {
    struct server *server;       /* NULL: not configured */
    struct server *questions;    /* for /health and /metrics alone; NULL: `server` has them */
    struct server_request *held; /* webhook requests that wait */
    struct web *web;             /* pages; NULL: no network has any */
    int64_t pages_us;            /* what they have cost a processor */
};

struct loop {
    struct loop_parts parts;
    const struct clock *clock;
    struct store *store;
    struct vaults *vaults;
    struct http *http;
    struct work *work;
    struct work *drawing; /* pictures; NULL: no account shows any, or has pages */
    int64_t warm_at;      /* by clock_awake_ms(): pictures_warm() is due; 0: never, or done */
    struct decks *decks;
    struct outbox *outbox;
    struct inbox *inbox;
    struct arena *turn;    /* holds gathered events, over several turns while the store is broken */
    struct arena *scratch; /* of one attempt to store, or one answer to a question */
    bool trim;             /* a large answer was read: give memory back after this turn */
    bool guarded;          /* each event of this transaction has a savepoint */
    struct config config;  /* what was reloaded ... */
    struct arena *config_arena; /* ... and where it lives; NULL: nothing was */
    struct polling polling;
    struct gathered gathered;
    struct waiting waiting;
    struct retrying retrying;
    struct pruning pruning;
    struct recounting recounting;
    struct downtime downtime;
    struct standby standby;
    struct supervised supervised;
    struct serving serving;
    struct inbox_counts counts;    /* as of the last commit */
    int64_t started;               /* unix ms */
    int64_t n_updates, n_failures; /* since the start: stored, and attempts that failed to store */
    int signals;                   /* signalfd; -1: none */
    bool stopping;
    int64_t give_up_at; /* of the machine's clock: the drain ends */
};

/* Waits run on the monotonic clock; deadlines of sessions, and what is stored, on the wall clock. */
static inline int64_t loop_mono(const struct loop *l)
{
    return clock_mono(l->clock);
}
static inline int64_t loop_wall(const struct loop *l)
{
    return clock_now(l->clock);
}

/* Notes why it ends. Returns false. */
static inline bool loop_fails(const struct loop *l, enum loop_fault fault)
{
    if (l->parts.ret_fault)
        *l->parts.ret_fault = fault;
    return false;
}

#endif
