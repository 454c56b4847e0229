/* Messages to the service manager: they arrive where NOTIFY_SOCKET says, and nowhere without it. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "health.h"

static int manager = -1;

/* A socket as systemd has it; `name` begins with '@' for an abstract one. */
static void manager_listens(const char *name)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    size_t n = strlen(name);
    memcpy(at.sun_path, name, n);
    if (name[0] == '@')
        at.sun_path[0] = '\0';
    manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    assert_int_equal(bind(manager, (const struct sockaddr *)&at,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n)),
                     0);
    setenv("NOTIFY_SOCKET", name, 1);
}

static void manager_heard(const char *expected)
{
    char got[256] = "";
    ssize_t n = recv(manager, got, sizeof got - 1, 0);
    assert_true(n >= 0);
    if (!strstr(got, expected))
        fail_msg("expected %s, got %s", expected, got);
}

FIXTURE(setup)
{
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
    return !scratch_open();
}

FIXTURE(teardown)
{
    if (manager >= 0)
        close(manager);
    manager = -1;
    scratch_close();
    return 0;
}

TEST_WITH(messages_arrive, setup, teardown)
{
    manager_listens(scratch_file("manager").p);
    assert_true(health_tell("READY=1"));
    manager_heard("READY=1");
    assert_true(health_tell_reloading());
    manager_heard("RELOADING=1\nMONOTONIC_USEC=");
}

TEST_WITH(an_abstract_socket_is_reached, setup, teardown)
{
    char name[64];
    snprintf(name, sizeof name, "@koikoi-test-%d", (int)getpid());
    manager_listens(name);
    assert_true(health_tell("STOPPING=1"));
    manager_heard("STOPPING=1");
}

TEST_WITH(without_a_manager_nothing_is_sent, setup, teardown)
{
    assert_false(health_tell("READY=1"));
    setenv("NOTIFY_SOCKET", scratch_file("absent").p, 1);
    assert_false(health_tell("READY=1"));
    setenv("NOTIFY_SOCKET", "vsock:2:1234", 1);
    assert_false(health_tell("READY=1"));
}

TEST_WITH(the_watchdog_is_fed_twice_as_often_as_it_bites, setup, teardown)
{
    char pid[24];
    assert_int_equal(health_watchdog_ms(), 0);
    setenv("WATCHDOG_USEC", "30000000", 1);
    assert_int_equal(health_watchdog_ms(), 15000);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    setenv("WATCHDOG_PID", pid, 1);
    assert_int_equal(health_watchdog_ms(), 15000);
    setenv("WATCHDOG_PID", "1", 1); /* it watches another process */
    assert_int_equal(health_watchdog_ms(), 0);
    unsetenv("WATCHDOG_PID");
    setenv("WATCHDOG_USEC", "soon", 1);
    assert_int_equal(health_watchdog_ms(), 0);
}
