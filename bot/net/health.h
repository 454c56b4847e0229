/* Health of the process, for those who look after it: the service manager that started it, and
 * whoever asks `koikoi health`.
 *
 * To the manager, systemd or podman in its place, each message is one datagram to the socket that
 * the variable NOTIFY_SOCKET names, as sd_notify(3) describes; without the variable nothing is
 * sent. `koikoi health` is answered by a line over a socket in the state directory, so that it
 * needs no port. The daemon answers from its loop; one that hangs accepts nothing, and the question
 * fails.
 *
 *     health_tell("READY=1")
 *     health_tell("WATCHDOG=1")                                  at least each health_watchdog_ms()
 *     health_open("/var/lib/koikoi/koikoi.sock", &health, &err)
 *     poll health_fd(), then health_answer(health, "ok\n")       in the daemon
 *     health_ask("/var/lib/koikoi/koikoi.sock", ms, line, &err)  in the command
 */
#ifndef KOIKOI_HEALTH_H
#define KOIKOI_HEALTH_H

#include <stdint.h>

#include "err.h"

/* Returns false if there is no manager, or it does not take the message now. */
bool health_tell(const char *message);
/* The same with the time of CLOCK_MONOTONIC, as a reload is announced. */
bool health_tell_reloading(void);
/* Half of the time after which a silent process is ended; 0: the manager does not watch. */
int64_t health_watchdog_ms(void);

enum { HEALTH_LINE = 128 };
#define HEALTH_SOCKET "koikoi.sock" /* in the state directory */

struct health;

/* Takes the place of a socket that an earlier process left there. Its mode is 0600. */
bool health_open(const char *path, struct health **ret, struct err *err) MUST_CHECK;
void health_close(struct health *h); /* removes the socket; NULL is allowed */
int health_fd(const struct health *h);
/* Answers all that have asked. Never waits. */
void health_answer(struct health *h, const char *line);

/* Waits at most `ms`. Writes the line without its end. */
bool health_ask(const char *path, int ms, char ret[static HEALTH_LINE], struct err *err) MUST_CHECK;

#endif
