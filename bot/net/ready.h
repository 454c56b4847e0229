/* Which sockets are ready: epoll, told as little as can be. A connection that is kept open is
 * watched for each answer and not between them; to say so to the kernel each time costs more than a
 * few events that nobody waits for. So a socket that is not wanted any more stays where it is until
 * something happens on it.
 *
 *     ready_open(&ready)
 *     ready_begins(ready, fd)               a socket that is known to end with ready_ends()
 *     ready_want(ready, fd, events)         POLLIN, POLLOUT; 0: nothing
 *     ready_take(ready, events, n)          those on which something happened that is wanted
 *     ready_ends(ready, fd)                 before it is closed
 */
#ifndef KOIKOI_READY_H
#define KOIKOI_READY_H

#include <poll.h>
#include <stdbool.h>

struct ready;

bool ready_open(struct ready **ret);
void ready_close(struct ready *r);
int ready_fd(const struct ready *r);        /* readable when there is something to take */
void ready_begins(struct ready *r, int fd);
void ready_ends(struct ready *r, int fd);
/* Without ready_begins() the kernel is told at once. */
void ready_want(struct ready *r, int fd, short events);
/* Fills in fd and revents of at most `most`; does not wait. */
int ready_take(struct ready *r, struct pollfd *ret, int most);

#endif
