/* How the daemon stops: told once it says what it has begun to say, told twice it ends at once;
 * nothing is lost either way. */
#include "shell/life.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "log.h"
#include "wire_adapter.h"

static struct err err;

/* The daemon as it runs outside of tests, on the machine's clock and with its signals. */
static int run(void)
{
    struct wire wire = {.root = peer_root(life_peer), .limits = wire_adapter.limits};
    struct account account = wire_account(&wire);
    struct config config = {.store = scratch_file("store.db"),
                            .threads = 1,
                            .rules = STR("sensei"),
                            .language = STR("en"),
                            .n_accounts = 1,
                            .accounts = &account};
    struct loop *loop;
    const struct loop_parts parts = {.config = &config, .process = arena_open(1 << 24)};
    if (!loop_open(&parts, &loop, &err) || !loop_run(loop, &err))
        return 1;
    loop_close(loop);
    return 0;
}

/* It is sent these signals when it has begun to say something, and gets no answer. */
static int status_after(int first, int second)
{
    int status, start[2];
    char go;
    assert_int_equal(pipe(start), 0);
    pid_t pid = fork();
    if (pid == 0)
        _exit(read(start[0], &go, 1) == 1 ? run() : 2);
    peer_rule(life_peer, (struct peer_rule){.method = "sendMessage",
                                            .times = 1,
                                            .fault = second ? PEER_IS_SILENT : PEER_ANSWERS,
                                            .pid = pid,
                                            .signal = {first, second}});
    peer_types(life_peer, "tea", "ann", "/ping one");
    assert_int_equal(write(start[1], "", 1), 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    close(start[0]);
    close(start[1]);
    return status;
}

static int done(const char *text)
{
    int n = 0;
    for (int i = 0; i < peer_count(life_peer); i++)
        n += peer_request(life_peer, i).done && strstr(peer_request(life_peer, i).body, text);
    return n;
}

static void told_once_it_finishes(int signal)
{
    int calls, status = status_after(signal, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(done("pong one"), 1);
    assert_true(life_run(STR(""), DB_FAILS, 0, 0, &calls));
    assert_int_equal(done("pong one"), 1);
}

static void told_to_terminate_it_finishes(void **state)
{
    (void)state;
    told_once_it_finishes(SIGTERM);
}

static void interrupted_it_finishes(void **state)
{
    (void)state;
    told_once_it_finishes(SIGINT);
}

/* It would wait for its answer, which does not come; told again it does not. What it was saying is
 * said by the next one. */
static void told_twice_it_ends_at_once_and_nothing_is_lost(void **state)
{
    int calls, status = status_after(SIGTERM, SIGINT);
    (void)state;
    assert_true(WIFSIGNALED(status));
    assert_int_equal(done("pong one"), 0);
    assert_true(life_run(STR(""), DB_FAILS, 0, 0, &calls));
    assert_int_equal(done("pong one"), 1);
}

#define T(name) cmocka_unit_test_setup_teardown(name, life_test_begins, life_test_ends)

int main(void)
{
    log_open(LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(told_to_terminate_it_finishes),
        T(interrupted_it_finishes),
        T(told_twice_it_ends_at_once_and_nothing_is_lost),
    };
    return cmocka_run_group_tests_name("stopping", tests, NULL, NULL);
}
