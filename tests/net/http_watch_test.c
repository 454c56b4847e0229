/* Sockets of transfers: what is registered stays, as long as the descriptor is the same. */

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/test.h"
#include "http_watch.h"

static int n_calls;

/* In place of the C library's. */
int epoll_ctl(int epoll, int what, int fd, struct epoll_event *event)
{
    n_calls++;
    return (int)syscall(SYS_epoll_ctl, epoll, what, fd, event);
}

static struct watch watch;
static int pair[2]; /* our end, the server's */

static int setup(void **state)
{
    (void)state;
    assert_true(watch_open(&watch));
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    watch_opened(&watch, pair[0]);
    n_calls = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    close(pair[0]);
    close(pair[1]);
    watch_close(&watch);
    return 0;
}

static void answer(void)
{
    assert_int_equal(write(pair[1], "x", 1), 1);
}

/* The descriptor that is ready, or -1. */
static int ready(void)
{
    struct epoll_event e;
    int n = epoll_wait(watch.epoll, &e, 1, 0);
    return n == 1 ? e.data.fd : -1;
}

TEST_WITH(the_next_transfer_registers_nothing, setup, teardown)
{
    char byte;
    for (int i = 0; i < 3; i++) {
        watch_set(&watch, pair[0], EPOLLIN);
        answer();
        assert_int_equal(ready(), pair[0]);
        assert_true(watch_wanted(&watch, pair[0]));
        assert_int_equal(read(pair[0], &byte, 1), 1);
        watch_set(&watch, pair[0], 0);
    }
    assert_int_equal(n_calls, 1);
    watch_set(&watch, pair[0], EPOLLOUT);
    assert_int_equal(ready(), pair[0]);
}

/* As if the server closed it: it wakes the loop once. */
TEST_WITH(what_comes_in_between_is_nobodys, setup, teardown)
{
    watch_set(&watch, pair[0], EPOLLIN);
    watch_set(&watch, pair[0], 0);
    answer();
    assert_int_equal(ready(), pair[0]);
    assert_false(watch_wanted(&watch, pair[0]));
    assert_int_equal(ready(), -1);
    watch_set(&watch, pair[0], EPOLLIN); /* the next transfer finds it there */
    assert_int_equal(ready(), pair[0]);
    assert_true(watch_wanted(&watch, pair[0]));
}

/* The number of a closed descriptor is given out again at once, also to what is no connection. */
TEST_WITH(another_descriptor_of_the_same_number, setup, teardown)
{
    int other = eventfd(1, EFD_CLOEXEC);
    watch_set(&watch, pair[0], EPOLLIN);
    watch_set(&watch, pair[0], 0);
    watch_closed(&watch, pair[0]);
    assert_int_equal(dup3(other, pair[0], O_CLOEXEC), pair[0]);
    close(other);
    watch_set(&watch, pair[0], EPOLLIN);
    assert_int_equal(ready(), pair[0]);
    assert_true(watch_wanted(&watch, pair[0]));
}

/* libcurl closes it without a word. */
TEST_WITH(what_is_no_connection_leaves_at_once, setup, teardown)
{
    enum { N = 3 };
    for (int i = 0; i < N; i++) {
        int fd = eventfd(1, EFD_CLOEXEC);
        watch_set(&watch, fd, EPOLLIN);
        assert_int_equal(ready(), fd);
        watch_set(&watch, fd, 0);
        assert_int_equal(ready(), -1);
        close(fd);
    }
    assert_int_equal(n_calls, 2 * N);
}
