/* Readiness of sockets: wanted events are reported as long as they hold; unwanted ones are not, and
 * wake no sleeper; a reused descriptor starts anew. */
#include "fixture/scratch.h"

#include <sys/socket.h>
#include <unistd.h>

#include "ready.h"

static struct ready *ready;
static int ours, theirs;

static int open_all(void **state)
{
    int pair[2];
    (void)state;
    assert_true(ready_open(&ready));
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    ours = pair[0];
    theirs = pair[1];
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    close(ours);
    close(theirs);
    ready_close(ready);
    return 0;
}

/* A caller that sleeps until there is input would wake up now. */
static bool wakes(void)
{
    struct pollfd p = {.fd = ready_fd(ready), .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

/* Events of our end now; 0: none. */
static int told(void)
{
    struct pollfd got[4];
    int n = ready_take(ready, got, 4);
    assert_in_range(n, 0, 1);
    if (n)
        assert_int_equal(got[0].fd, ours);
    return n ? got[0].revents : 0;
}

static void they_say(const char *words)
{
    assert_int_equal(write(theirs, words, strlen(words)), strlen(words));
}

static void hear(void)
{
    char room[64];
    assert_true(read(ours, room, sizeof room) > 0);
}

static void wanted_events_are_reported(void **state)
{
    (void)state;
    ready_begins(ready, ours);
    ready_want(ready, ours, POLLIN);
    assert_false(wakes());
    they_say("a");
    assert_true(wakes());
    assert_int_equal(told(), POLLIN);
    assert_int_equal(told(), POLLIN); /* it has not been read */
    hear();
    assert_int_equal(told(), 0);
    ready_want(ready, ours, POLLIN | POLLOUT);
    assert_int_equal(told(), POLLOUT);
    ready_want(ready, ours, POLLOUT);
    they_say("b");
    assert_int_equal(told(), POLLOUT);
    ready_ends(ready, ours);
    assert_false(wakes());
}

static void unwanted_socket_wakes_at_most_once(void **state)
{
    (void)state;
    ready_begins(ready, ours);
    for (int i = 0; i < 3; i++) {
        ready_want(ready, ours, POLLIN);
        they_say("an answer");
        assert_int_equal(told(), POLLIN);
        hear();
        ready_want(ready, ours, 0); /* at rest: kept open */
        assert_false(wakes());
        they_say("what nobody asked for");
        assert_int_equal(told(), 0);
        assert_false(wakes());
        ready_want(ready, ours, POLLIN);
        assert_int_equal(told(), POLLIN);
        hear();
    }
    ready_want(ready, ours, 0);
    shutdown(theirs, SHUT_RDWR);
    assert_int_equal(told(), 0);
    assert_false(wakes());
    ready_ends(ready, ours);
}

static void reused_descriptor_starts_fresh(void **state)
{
    (void)state;
    int pair[2], number = ours;
    ready_begins(ready, ours);
    ready_want(ready, ours, POLLIN);
    ready_want(ready, ours, 0);
    ready_ends(ready, ours);
    close(ours);
    close(theirs);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    ours = pair[0];
    theirs = pair[1];
    assert_int_equal(ours, number); /* the lowest free one */
    ready_begins(ready, ours);
    ready_want(ready, ours, POLLIN);
    they_say("hello");
    assert_int_equal(told(), POLLIN);
    ready_ends(ready, ours);
}

/* A descriptor that may be closed without notice: an unwanted event stops at once. */
static void socket_without_begin_changes_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        ready_want(ready, ours, POLLIN);
        they_say("x");
        assert_int_equal(told(), POLLIN);
        ready_want(ready, ours, 0);
        assert_false(wakes());
        hear();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wanted_events_are_reported, open_all, close_all),
        cmocka_unit_test_setup_teardown(unwanted_socket_wakes_at_most_once, open_all, close_all),
        cmocka_unit_test_setup_teardown(reused_descriptor_starts_fresh, open_all, close_all),
        cmocka_unit_test_setup_teardown(socket_without_begin_changes_at_once, open_all, close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
