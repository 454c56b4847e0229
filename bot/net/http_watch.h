/* Sockets of transfers, under epoll. A connection that libcurl keeps open between two transfers stays
 * registered, since the next one mostly waits for the same: a busy daemon then registers nothing. If
 * something comes meanwhile, say the server's end of it, the socket leaves the set.
 *
 *     watch_opened(w, fd);             a connection, which watch_closed() ends
 *     watch_set(w, fd, EPOLLIN);       0: libcurl waits for nothing there
 *     for each event of epoll_wait(w->epoll):
 *         if (watch_wanted(w, fd))     it is libcurl's
 */
#ifndef KOIKOI_HTTP_WATCH_H
#define KOIKOI_HTTP_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* One descriptor, at its number. */
struct watched {
    uint32_t events; /* registered; 0: it is not */
    bool connection; /* libcurl says when it is closed: it may stay registered */
    bool resting;    /* registered, but libcurl waits for nothing there */
};

struct watch {
    int epoll;
    int n;
    struct watched *at;
};

/* Returns false, with errno, if there is no epoll. */
bool watch_open(struct watch *w);
void watch_close(struct watch *w);

void watch_opened(struct watch *w, int fd);
void watch_closed(struct watch *w, int fd);
void watch_set(struct watch *w, int fd, uint32_t events);
/* Returns false for a descriptor that rests, which is registered no longer. */
bool watch_wanted(struct watch *w, int fd);

#endif
