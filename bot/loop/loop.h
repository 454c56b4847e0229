/* The loop: one thread, one line that sleeps. It asks the networks for news, hands them to the
 * inbox in one transaction per answer, lets the outbox speak, watches deadlines, finished jobs and
 * signals.
 *
 *     config_load(...); log_open(...)
 *     loop_open(&parts, &loop, &err)
 *     loop_run(loop, &err)               until SIGTERM, or loop_stop(); drains
 *     loop_close(loop)
 */
#ifndef KOIKOI_LOOP_H
#define KOIKOI_LOOP_H

#include "clock.h"
#include "config.h"
#include "store.h"

struct loop;

struct loop_parts {
    const struct config *config;
    struct arena *process;
    const struct clock *clock;             /* NULL: the machine's */
    struct store *store;                   /* NULL: opened from config->store; else taken over */
    /* When a simulated clock is in use: called when all is said and nothing is in flight. It may
     * move the clock (and must, or end the loop with loop_stop); next_due is the next moment at
     * which anything waits for the clock, 0 if nothing does. NULL: sleep. */
    void (*idle)(void *arg, int64_t next_due);
    void *idle_arg;
    bool no_signals;                       /* leave SIGTERM and SIGINT alone */
};

/* Opens store, accounts, inbox and outbox. Nothing is asked or said yet. */
bool loop_open(const struct loop_parts *parts, struct loop **ret, struct err *err) MUST_CHECK;
/* True after an orderly end; false if it cannot go on (an account's token is refused and none is
 * left). */
bool loop_run(struct loop *l, struct err *err) MUST_CHECK;
/* One round: does what is due, waits at most `wait_ms` for something to happen. */
bool loop_turn(struct loop *l, int wait_ms, struct err *err) MUST_CHECK;
void loop_stop(struct loop *l);            /* drain, then loop_run returns */
void loop_close(struct loop *l);

#endif
