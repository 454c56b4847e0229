/* What watches the daemon from outside: the service manager, which wants to hear that it is ready,
 * that it is alive and that it stops, and `koikoi health`. The loop itself answers both, so that
 * one that hangs is found out. And other daemons on the same store of a server: one holds it, the
 * others stand by (bot/store/db). */
#ifndef KOIKOI_LOOP_SUPERVISE_H
#define KOIKOI_LOOP_SUPERVISE_H

#include <stdint.h>

#include "err.h"

struct loop;

struct standby {
    bool waited;    /* another daemon had the store */
    bool reload;    /* SIGHUP came meanwhile */
    bool ours;      /* the store was ours when last asked ... */
    int64_t ask_at; /* ... and is asked again then, of the machine's clock */
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
/* False: the store is not ours, or does not answer, so that nothing may be sent now. */
bool standby_keep(struct loop *l);
/* At most `wait_ms`: until it is to be asked again. */
int standby_wait(const struct loop *l, int wait_ms);

#endif
