/* Calls between the files of the loop, which lead downward in the order of this list; what each
 * file owns is in loop_state.h. */
#ifndef KOIKOI_LOOP_INTERNAL_H
#define KOIKOI_LOOP_INTERNAL_H

#include "account_vault.h"
#include "health.h"
#include "http.h"
#include "log.h"
#include "loop_state.h"
#include "pictures.h"
#include "server.h"
#include "store_quarantine.h"

/* ---- loop_open.c ---- */

/* SIGHUP: the configuration, texts and rule sets are read again. If one of them has a fault, all
 * stays as it was. Matches that run keep the rules that they began with. */
void reload_config(struct loop *l);

/* ---- loop_handle.c: all that was gathered becomes one transaction ---- */

/* False: it will be tried again. */
bool handle_gathered(struct loop *l);
bool handle_wanted(const struct loop *l);

/* ---- loop_webhook.c: the daemon's server ---- */

bool webhook_open(struct loop *l, struct err *err) MUST_CHECK;
void webhook_gather(struct loop *l);
void webhook_handled(struct loop *l, const struct news *n);
/* Pages: opened when all else is. */
bool pages_open(struct loop *l, struct err *err) MUST_CHECK;
void pages_committed(struct loop *l); /* readers learn of what was stored */

/* ---- loop_question.c: what the host's commands ask ---- */

void question_answer_all(struct loop *l);
/* Sums are being counted anew, a chat a turn. */
bool question_recounting(const struct loop *l);
void question_recount_step(struct loop *l);
void question_close(struct loop *l); /* who asked is told that not all was counted */
/* Of a daemon that stands by, which is well, or waits for the store, and plays nothing. */
void question_answer_waiting(struct loop *l, const struct health_question *asked,
                             const char *holder, const char *away);

/* ---- loop_supervise.c: what watches the daemon from outside, and other daemons ---- */

void supervise_tell(const struct loop *l, const char *message);
/* Gives a sign of life if one is due; `now` of the machine's clock. */
void supervise_beat(struct loop *l, int64_t now);
/* Opens the store, or waits for it; fails without a sentence if a signal ended the wait. */
bool standby_open(struct loop *l, struct err *err) MUST_CHECK;
/* After a failure of the opening: true, after a short wait, if it failed because the store's server
 * went away or another daemon took the store. No sentence is left if a signal ended the wait. */
bool standby_again(struct loop *l, struct err *err);
/* False: the store is not ours, or does not answer, so that nothing may be sent now. */
bool standby_keep(struct loop *l);
/* Looks for what other daemons have left in the store for us, if they have written. */
void standby_look(struct loop *l);
/* Sets the soonest deadline anew, unless the store fails. */
void loop_look_soonest(struct loop *l);
/* At most `wait_ms`: until the next sign is due, or the store is to be asked again. */
int supervise_wait(const struct loop *l, int wait_ms);

/* ---- loop_poll.c ---- */

/* True if nothing but the clock holds up the next poll. Any daemon takes what a webhook brings, and
 * asks what it must know for that; news that are to be asked for are one daemon's. */
bool poll_may(const struct loop *l, const struct poller *p);
void poll_start(struct loop *l, struct poller *p);
void poll_read(struct loop *l, struct poller *p, const struct reply *reply);
void poll_read_beside(struct loop *l, struct beside *b, const struct reply *reply);
void poll_handled(struct poller *p, const struct batch *b);
void poll_stop(struct loop *l, struct poller *p);
/* Time of the next poll, or question to the beacon, monotonic; INT64_MAX if none waits for the clock. */
int64_t poll_next(const struct loop *l);
void beacon_start(struct loop *l);
void beacon_read(struct loop *l, void *tag, const struct reply *reply);

/* ---- loop_prune.c: heard marks and names of pictures leave after some days ---- */

/* Within the transaction: twice as many marks as updates have come, so that a daemon that never
 * rests does not grow. */
void prune_in_step(struct loop *l);
void prune_idle(struct loop *l); /* the rest, once a minute at most */
/* People who are being forgotten leave their matches in steps, one a turn. */
bool prune_forgetting(const struct loop *l);
void prune_forget_step(struct loop *l);

/* ---- loop_downtime.c: after a long stop or a jump of the wall clock ---- */

/* Compares the clocks after a sleep that was to end at `until`, monotonic. */
void downtime_watch(struct downtime *d, const struct clock *clock, int64_t until);
/* True until all chats have been done; no deadline fires and no update is handled meanwhile. */
bool downtime_pending(const struct downtime *d);
bool downtime_remains(const struct downtime *d); /* the same after the open transaction */
void downtime_open(struct loop *l);              /* in the transaction of the start */
void downtime_handle(struct loop *l);            /* in a transaction ... */
void downtime_handled(struct downtime *d);       /* ... and after its commit */
/* Stores from time to time, and at the end, that the daemon is alive. */
void downtime_stamp(struct loop *l);

/* ---- loop_event.c: what was gathered, and one event of it for the inbox ---- */

void gather_news(struct gathered *g, struct news *n);
void gather_job(struct gathered *g, struct arena *turn, const struct job_done *done);
enum event_kind {
    EVENT_UPDATE,
    EVENT_JOB,
    EVENT_DUE,
    EVENT_DATE,
    EVENT_DOWNTIME,
    EVENT_DAMAGED, /* damaged matches that the other events have met */
    EVENT_RETRY    /* the row of the quarantine that this transaction handles */
};
struct loop_event {
    enum event_kind kind;
    const struct account *account; /* EVENT_UPDATE */
    const struct update *update;
    const struct job_done *job;
    int64_t no; /* a session, a kind of date, or a chat */
};
void event_handle(struct loop *l, const struct loop_event *e);

/* ---- loop_attempt.c: updates that end the process, rows of the quarantine ---- */

/* attempt_open() is part of the transaction of the start, attempt_remove() of that of the first
 * batch; attempt_removed() follows its commit. */
void attempt_open(struct loop *l, struct poller *p);
void attempt_remove(struct loop *l, const struct poller *p);
void attempt_removed(struct poller *p);
/* Before an update that is handled alone: stores its mark, in a transaction of its own. *ret_skip:
 * the update is in quarantine instead. */
bool attempt_update(struct loop *l, struct poller *p, const struct update *u, bool *ret_skip,
                    struct err *err) MUST_CHECK;
/* Puts an update that could not be handled into quarantine, and counts it as heard. */
void attempt_quarantine(struct loop *l, const struct account *a, const struct update *u,
                        const char *why);
/* Asks the store for rows that the operator wants tried again, which another process may have
 * said. */
void attempt_look(struct loop *l);
/* Before a row is tried again: counts that, in a transaction of its own. */
bool attempt_retry(struct loop *l, int64_t id, struct err *err) MUST_CHECK;
void attempt_again(struct loop *l, const struct retry *r); /* in the transaction that handles it */

#endif
