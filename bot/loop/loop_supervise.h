/* What watches the daemon from outside: the service manager, which wants to hear that it is ready,
 * that it is alive and that it stops, and `koikoi health`. The loop itself answers both, so that
 * one that hangs is found out. And other daemons on the same store of a server: each has some of
 * the accounts, or stands by (bot/store/db). */
#ifndef KOIKOI_LOOP_SUPERVISE_H
#define KOIKOI_LOOP_SUPERVISE_H

#include <stdint.h>

#include "err.h"

struct loop;

struct standby {
    bool waited;    /* others had all accounts, or the server was away */
    bool told;      /* that others had them is in the log */
    bool reload;    /* SIGHUP came meanwhile */
    bool ours;      /* the store was ours when last asked ... */
    int64_t ask_at; /* ... and is asked again then, of the machine's clock */
    bool look;      /* others have written to the store; what they left for us is not known yet */
    bool regroup;   /* accounts are to change hands: the loop ends, and is opened anew */
};

/* Without its socket `koikoi health` fails, and the daemon plays on. */
void supervise_open(struct loop *l);
void supervise_tell(const struct loop *l, const char *message);
/* Gives a sign of life if one is due; `now` of the machine's clock. */
void supervise_beat(struct loop *l, int64_t now);
/* At most `wait_ms`: until the next sign is due. */
int supervise_wait(const struct loop *l, int wait_ms);
/* Answers `koikoi health`. */
void supervise_answer(struct loop *l);

/* Opens the store, or waits for it; fails without a sentence if a signal ended the wait. */
bool standby_open(struct loop *l, struct err *err) MUST_CHECK;
/* After a failure of the opening: true, after a short wait, if it failed because the store's server
 * went away or another daemon took the store. No sentence is left if a signal ended the wait. */
bool standby_again(struct loop *l, struct err *err);
/* False: the store is not ours, or does not answer, so that nothing may be sent now. */
bool standby_keep(struct loop *l);
/* Looks for what other daemons have left in the store for us, if they have written. */
void standby_look(struct loop *l);
/* Sets l->soonest anew, unless the store fails. */
void loop_look_soonest(struct loop *l);
/* At most `wait_ms`: until it is to be asked again. */
int standby_wait(const struct loop *l, int wait_ms);

#endif
