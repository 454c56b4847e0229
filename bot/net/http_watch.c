/* See http_watch.h. The system forgets a descriptor that is closed, so what is known of it must not
 * outlive it: its number may be another's at once. libcurl tells of connections alone when it closes
 * them; what it else waits for, as for the thread that looks up a name, is registered each time. */
#include "http_watch.h"

#include "alloc.h"

#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

bool watch_open(struct watch *w)
{
    *w = (struct watch){.epoll = epoll_create1(EPOLL_CLOEXEC)};
    return w->epoll >= 0;
}

void watch_close(struct watch *w)
{
    if (w->epoll >= 0)
        close(w->epoll);
    free(w->at);
}

static struct watched *of(struct watch *w, int fd)
{
    assert(fd >= 0);
    if (fd >= w->n) {
        int n = fd * 2 + 16;
        w->at = alloc_grow(w->at, (size_t)n * sizeof *w->at);
        memset(w->at + w->n, 0, (size_t)(n - w->n) * sizeof *w->at);
        w->n = n;
    }
    return &w->at[fd];
}

void watch_opened(struct watch *w, int fd)
{
    *of(w, fd) = (struct watched){.connection = true};
}

void watch_closed(struct watch *w, int fd)
{
    *of(w, fd) = (struct watched){0};
}

static void leave(struct watch *w, int fd)
{
    struct watched *s = of(w, fd);
    if (s->events)
        epoll_ctl(w->epoll, EPOLL_CTL_DEL, fd, NULL);
    s->events = 0;
    s->resting = false;
}

void watch_set(struct watch *w, int fd, uint32_t events)
{
    struct watched *s = of(w, fd);
    struct epoll_event e = {.events = events, .data.fd = fd};
    if (events == 0 && s->connection) {
        s->resting = s->events != 0;
        return;
    }
    if (events == 0) {
        leave(w, fd);
        return;
    }
    s->resting = false;
    if (events == s->events)
        return;
    int failed = epoll_ctl(w->epoll, s->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &e);
    assert(!failed || errno == ENOMEM || errno == ENOSPC); /* a time limit ends the transfer */
    s->events = failed ? 0 : events;
}

bool watch_wanted(struct watch *w, int fd)
{
    if (!of(w, fd)->resting)
        return true;
    leave(w, fd);
    return false;
}
