/* Event loop: one thread that sleeps in one line. It polls the networks, hands their updates to the
 * inbox in one transaction a turn, lets the outbox send, and watches deadlines, finished jobs and
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

/* Why a loop was not opened, or ended by itself. */
enum loop_fault {
    LOOP_FAILED, /* what may pass */
    /* What stays until a person has changed something: options, tokens, or the store. */
    LOOP_MISCONFIGURED,
    LOOP_REFUSED,
    LOOP_WITHOUT_STORE
};

struct loop_parts {
    const struct config *config;
    struct arena *process;
    const struct clock *clock; /* NULL: the machine's */
    struct store *store;       /* NULL: opened from config->store; else the loop
                                  owns it */
    /* For a simulated clock; NULL: sleep. Called when all is sent and nothing is in flight; must
     * move the clock or call loop_stop(). next_due is the next moment that anything waits for, by
     * the wall clock, 0 if nothing does. */
    void (*idle)(void *arg, int64_t next_due);
    void *idle_arg;
    /* Reads the configuration again, into the arena, for SIGHUP; NULL: SIGHUP is ignored. */
    bool (*reload)(void *arg, struct arena *a, struct config *ret, struct err *err);
    void *reload_arg;
    bool no_signals; /* leave SIGTERM, SIGINT and SIGHUP alone */
    /* Set if opening failed because the store's server went away meanwhile, after a short wait: it
     * may be tried again. May be NULL. */
    bool *ret_again;
    enum loop_fault *ret_fault; /* set by a failure; may be NULL */
};

/* Returns false if an address to listen on cannot be read. */
bool loop_check_listen(const struct config *c, struct err *err) MUST_CHECK;
/* Opens store, accounts, inbox and outbox; polls and sends nothing yet. While other daemons hold
 * all accounts of a server's store it waits; SIGTERM then makes it fail with an empty error. */
bool loop_open(const struct loop_parts *parts, struct loop **ret, struct err *err) MUST_CHECK;
/* Returns true after an orderly end, false if no account is left that works, or if it may not go on
 * with the store. */
bool loop_run(struct loop *l, struct err *err) MUST_CHECK;
/* After that: true if another daemon has taken the store, or accounts are to change hands. A new
 * loop takes its share, or waits for its turn. */
bool loop_wants_again(const struct loop *l);
/* One turn: does all due work, then waits at most `wait_ms` for an event. */
bool loop_turn(struct loop *l, int wait_ms, struct err *err) MUST_CHECK;
/* Where tables are played in a browser, valid as long as the loop; empty: nowhere. */
struct str loop_pages(const struct loop *l);
void loop_stop(struct loop *l); /* drain, then loop_run returns */
void loop_close(struct loop *l);

#endif
