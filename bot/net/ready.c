/* See ready.h. */
#include "ready.h"

#include "alloc.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { EVENTS = 256 /* taken from epoll at once */ };

struct watched {
    bool begun;  /* it will end with ready_ends() */
    short known; /* the events the kernel watches it for */
    short wanted;
};

struct ready {
    int epoll;
    int n;
    struct watched *at; /* by descriptor */
};

bool ready_open(struct ready **ret)
{
    struct ready *r = alloc_zeroed(sizeof *r);
    r->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (r->epoll < 0) {
        free(r);
        return false;
    }
    *ret = r;
    return true;
}

void ready_close(struct ready *r)
{
    if (!r)
        return;
    close(r->epoll);
    free(r->at);
    free(r);
}

int ready_fd(const struct ready *r)
{
    return r->epoll;
}

static struct watched *watched_of(struct ready *r, int fd)
{
    assert(fd >= 0);
    if (fd >= r->n) {
        int n = fd * 2 + 64;
        r->at = alloc_grow(r->at, (size_t)n * sizeof *r->at);
        memset(r->at + r->n, 0, (size_t)(n - r->n) * sizeof *r->at);
        r->n = n;
    }
    return &r->at[fd];
}

static void set_events(struct ready *r, int fd, short events)
{
    struct watched *w = watched_of(r, fd);
    struct epoll_event e = {.data.fd = fd};
    e.events = (events & POLLIN ? EPOLLIN : 0) | (events & POLLOUT ? EPOLLOUT : 0);
    int failed = epoll_ctl(r->epoll,
                           !events    ? EPOLL_CTL_DEL
                           : w->known ? EPOLL_CTL_MOD
                                      : EPOLL_CTL_ADD,
                           fd, &e);
    assert(!failed || !events || errno == ENOMEM || errno == ENOSPC); /* a time limit ends it */
    w->known = failed ? 0 : events;
}

void ready_begins(struct ready *r, int fd)
{
    *watched_of(r, fd) = (struct watched){.begun = true};
}

void ready_ends(struct ready *r, int fd)
{
    if (watched_of(r, fd)->known)
        set_events(r, fd, 0);
    *watched_of(r, fd) = (struct watched){0};
}

void ready_want(struct ready *r, int fd, short events)
{
    struct watched *w = watched_of(r, fd);
    w->wanted = events;
    if (w->known != events && (events || !w->begun))
        set_events(r, fd, events);
}

int ready_take(struct ready *r, struct pollfd *ret, int most)
{
    struct epoll_event events[EVENTS];
    int taken = 0;
    int n = epoll_wait(r->epoll, events, most < EVENTS ? most : EVENTS, 0);
    for (int i = 0; i < n; i++) {
        int fd = events[i].data.fd;
        uint32_t e = events[i].events;
        short what = (short)((e & EPOLLIN ? POLLIN : 0) | (e & EPOLLOUT ? POLLOUT : 0) |
                             (e & (EPOLLERR | EPOLLHUP) ? POLLERR : 0));
        if (watched_of(r, fd)->wanted)
            ret[taken++] = (struct pollfd){.fd = fd, .revents = what};
        else
            set_events(r, fd, 0);
    }
    return taken;
}
