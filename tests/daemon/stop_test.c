/* Shutdown: after the first signal the daemon finishes the messages it has begun to send, after the
 * second it ends at once; neither loses anything. The service manager hears of its start and its
 * end, and in between that it is alive. */
#include "fixture/daemon_run.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire_adapter.h"

static struct err err;

static bool reload(void *arg, struct arena *a, struct config *ret, struct err *why)
{
    (void)arg, (void)a, (void)ret;
    return err_set(why, "the configuration has a fault");
}

/* The daemon as in production, on the machine's clock and with its signals. */
static int run(void)
{
    struct wire wire = {.root = peer_root(daemon_run_peer), .limits = wire_adapter.limits};
    struct account account = wire_account(&wire);
    struct config config = {.store = scratch_store(),
                            .threads = 1,
                            .rules = STR("sensei"),
                            .language = STR("en"),
                            .n_accounts = 1,
                            .accounts = &account};
    struct loop *loop;
    const struct loop_parts parts = {
        .config = &config, .process = arena_open(1 << 24), .reload = reload};
    if (!loop_open(&parts, &loop, &err) || !loop_run(loop, &err))
        return 1;
    loop_close(loop);
    return 0;
}

/* Sends these signals once a message is under way, whose answer does not come. */
static int status_after(int first, int second)
{
    int status, start[2];
    char go;
    assert_int_equal(pipe(start), 0);
    pid_t pid = fork();
    if (pid == 0)
        _exit(read(start[0], &go, 1) == 1 ? run() : 2);
    peer_rule(daemon_run_peer, (struct peer_rule){.method = "sendMessage",
                                                  .times = 1,
                                                  .fault = second ? PEER_IS_SILENT : PEER_ANSWERS,
                                                  .pid = pid,
                                                  .signal = {first, second}});
    peer_types(daemon_run_peer, "tea", "ann", "/ping one");
    assert_int_equal(write(start[1], "", 1), 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    scratch_store_give_back();
    close(start[0]);
    close(start[1]);
    return status;
}

static int done(const char *text)
{
    int n = 0;
    for (int i = 0; i < peer_count(daemon_run_peer); i++)
        n += peer_request(daemon_run_peer, i).done &&
             strstr(peer_request(daemon_run_peer, i).body, text);
    return n;
}

static void told_once_it_finishes(int signal)
{
    int calls, status = status_after(signal, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(done("pong one"), 1);
    assert_true(daemon_run_whole(STR(""), DB_FAILS, 0, 0, &calls));
    assert_int_equal(done("pong one"), 1);
}

DAEMON_TEST(told_to_terminate_it_finishes)
{
    told_once_it_finishes(SIGTERM);
}

DAEMON_TEST(interrupted_it_finishes)
{
    told_once_it_finishes(SIGINT);
}

/* SIGHUP reads the configuration again, and ends nothing. */
DAEMON_TEST(hung_up_on_it_goes_on)
{
    int status = status_after(SIGHUP, SIGTERM);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* A socket as systemd has it. */
static int manager_open(void)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", scratch_file("manager").p);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&at, sizeof at), 0);
    setenv("NOTIFY_SOCKET", at.sun_path, 1);
    return fd;
}

DAEMON_TEST(the_service_manager_hears_of_it)
{
    char heard[4096] = "", one[64];
    int manager = manager_open();
    setenv("WATCHDOG_USEC", "20000000", 1);
    int status = status_after(SIGTERM, 0);
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    for (ssize_t n; (n = recv(manager, one, sizeof one, 0)) > 0;)
        snprintf(heard + strlen(heard), sizeof heard - strlen(heard), "%.*s ", (int)n, one);
    close(manager);
    const char *alive = strstr(heard, "WATCHDOG=1"), *stopping = strstr(heard, "STOPPING=1");
    assert_true(str_starts(str_of(heard), STR("READY=1 ")));
    assert_non_null(alive);
    assert_non_null(stopping);
    assert_true(alive < stopping);
    assert_null(strstr(stopping + 1, "STOPPING=1"));
}

/* The first signal makes it wait for an answer that does not come; the second ends it. The next
 * daemon sends the message. */
DAEMON_TEST(told_twice_it_ends_at_once_and_nothing_is_lost)
{
    int calls, status = status_after(SIGTERM, SIGINT);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(done("pong one"), 0);
    assert_true(daemon_run_whole(STR(""), DB_FAILS, 0, 0, &calls));
    assert_int_equal(done("pong one"), 1);
}
