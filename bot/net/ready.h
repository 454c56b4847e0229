/* epoll wrapper that avoids needless epoll_ctl calls. libcurl asks anew for the events of a
 * kept-alive connection in each transfer and withdraws that after it. Passed on, these are two
 * system calls a request: 24,899 for 12,500 requests over one connection, against 3. So a socket
 * that is no longer wanted stays registered until an event arrives on it.
 *
 *     ready_open(&ready)
 *     ready_begins(ready, fd)               a new socket, which will end with ready_ends()
 *     ready_want(ready, fd, events)         POLLIN, POLLOUT; 0 = no events
 *     ready_take(ready, events, n)          the wanted events that have arrived
 *     ready_ends(ready, fd)                 before it is closed
 */
#ifndef KOIKOI_READY_H
#define KOIKOI_READY_H

#include <poll.h>
#include <stdbool.h>

struct ready;

bool ready_open(struct ready **ret);
void ready_close(struct ready *r);
int ready_fd(const struct ready *r); /* readable when there is something to take */
void ready_begins(struct ready *r, int fd);
void ready_ends(struct ready *r, int fd);
/* For a socket without ready_begins() a change takes effect in the kernel at once. */
void ready_want(struct ready *r, int fd, short events);
/* Fills in fd and revents of at most `most`; does not wait. */
int ready_take(struct ready *r, struct pollfd *ret, int most);

#endif
