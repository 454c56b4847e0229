/* What the daemon says to those who look after it: the service manager that started it, and its
 * host, whose commands ask the running daemon (`koikoi health`, `status`, `forget`, `recount`).
 *
 * To the manager, systemd or podman in its place, each message is one datagram to the socket that
 * the variable NOTIFY_SOCKET names, as sd_notify(3) describes; without the variable nothing is
 * sent. A command asks over a socket in the state directory, so that it needs no port: its question
 * is one datagram, a word and what belongs to it, with a descriptor for the answer. Whoever may
 * open the socket may also open the store. The daemon answers from its loop; one that hangs takes
 * no question, and the command fails.
 *
 *     health_tell("READY=1")
 *     health_tell("WATCHDOG=1")                                  at least each health_watchdog_ms()
 *     health_open("/var/lib/koikoi/koikoi.sock", &health, &err)
 *     poll health_fd(), then health_next(health, &question)      in the daemon, until false
 *     health_answer(&question, answer)
 *     health_ask("/var/lib/koikoi/koikoi.sock", ms, "health", a, &answer, &err)  in the command
 */
#ifndef KOIKOI_HEALTH_H
#define KOIKOI_HEALTH_H

#include <stdint.h>

#include "arena.h"
#include "err.h"

/* Returns false if there is no manager, or it does not take the message now. */
bool health_tell(const char *message);
/* The same with the time of CLOCK_MONOTONIC, as a reload is announced. */
bool health_tell_reloading(void);
/* Half of the time after which a silent process is ended; 0: the manager does not watch. */
int64_t health_watchdog_ms(void);

enum { HEALTH_QUESTION = 512, HEALTH_ANSWER = 16 * 1024 };
#define HEALTH_SOCKET "koikoi.sock" /* in the state directory */
#define HEALTH_GOOD   "ok\n" /* an answer begins so, unless it is the sentence of a failure */

struct health;

struct health_question {
    char text[HEALTH_QUESTION]; /* "forget @ann" */
    int to;                     /* descriptor for the answer */
};

/* Takes the place of a socket that an earlier process left there. Its mode is 0600. */
bool health_open(const char *path, struct health **ret, struct err *err) MUST_CHECK;
/* False if the socket's file is gone, as a cleaner of old files leaves it: it is to be opened anew. One
 * that another process put in its place stands. */
bool health_reachable(const struct health *h);
void health_close(struct health *h); /* removes the socket; NULL is allowed */
int health_fd(const struct health *h);
/* Takes the next question. Returns false if none waits. Never waits. */
bool health_next(struct health *h, struct health_question *ret);
/* Answers, and closes the descriptor. Whoever does not take the answer at once loses it. */
void health_answer(const struct health_question *q, struct str answer);

/* Waits at most `ms`. *ret is what the daemon answered behind HEALTH_GOOD; any other answer is a
 * failure, and *ret its sentence (empty: there was no answer). *ret_absent: there is no daemon. */
bool health_ask(const char *path, int ms, const char *question, struct arena *a, struct str *ret,
                bool *ret_absent, struct err *err) MUST_CHECK;

#endif
