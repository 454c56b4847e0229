/* Answer to `koikoi health`: a line over a socket in the state directory, so that it needs no port.
 * The daemon answers from its loop; one that hangs accepts nothing, and the question fails.
 *
 *     health_open("/var/lib/koikoi/koikoi.sock", &health, &err)
 *     poll health_fd(), then health_answer(health, "ok\n")       in the daemon
 *     health_ask("/var/lib/koikoi/koikoi.sock", ms, line, &err)  in the command
 */
#ifndef KOIKOI_HEALTH_H
#define KOIKOI_HEALTH_H

#include "err.h"

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
