/* What the log tells of a match: each update that was received, its beginning and its end, once,
 * whatever call of the database fails meanwhile; and never what anybody wrote. */
#include "fixture/daemon_run.h"

#include "log.h"

#include <sys/mman.h>
#include <unistd.h>

static char text[1 << 18];

FIXTURE(setup)
{
    return !daemon_run_setup();
}

FIXTURE(teardown)
{
    log_open(LOG_NOTHING);
    daemon_run_teardown();
    return 0;
}

static void play(void)
{
    static const char *const lines[][2] = {
        {"bo", "/ping secretz"}, {"ann", "/challenge @bo standard 3"}, {"bo", "/accept"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        peer_types(daemon_run_peer, "tea", lines[i][0], lines[i][1]);
}

static void resign(void)
{
    peer_types(daemon_run_peer, "tea", "bo", "/resign");
    peer_types(daemon_run_peer, "tea", "bo", "/resign");
}

/* A run in which a call of the database fails. One that cannot start is started again. */
static int run(int first)
{
    int calls = 0, ignored;
    if (!daemon_run_whole(STR(""), DB_FAILS, first, 1, &calls))
        assert_true(daemon_run_whole(STR(""), DB_FAILS, 0, 0, &ignored));
    return calls;
}

/* Two runs. *ret_calls: 0 if one could not start, else the calls of the shorter one. */
static void logged(enum log_level level, int first, int *ret_calls)
{
    int file = memfd_create("log", 0), was = dup(STDERR_FILENO);
    fflush(stderr);
    assert_true(file >= 0 && was >= 0 && dup2(file, STDERR_FILENO) >= 0);
    log_open(level);
    play();
    int one = run(first);
    resign();
    int two = run(first);
    log_open(LOG_NOTHING);
    fflush(stderr);
    dup2(was, STDERR_FILENO);
    close(was);
    ssize_t n = pread(file, text, sizeof text - 1, 0);
    close(file);
    assert_in_range(n, 1, sizeof text - 2);
    text[n] = '\0';
    *ret_calls = one < two ? one : two;
}

static int count(const char *word)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        n++;
    return n;
}

TEST_WITH(a_match_is_told_from_its_beginning_to_its_end, setup, teardown)
{
    int ignored;
    daemon_run_begin();
    logged(LOG_DEBUG, 0, &ignored);
    assert_int_equal(count(" info match_begun "), 1);
    assert_int_equal(count(" info match_ended "), 1);
    assert_int_equal(count(" match=1 rules=standard\n"), 1);
    assert_int_equal(count(" match=1 how=played\n"), 1);
    assert_int_equal(count(" debug received "), 5);
    assert_true(count(" debug sent ") > 0);
    assert_int_equal(count("waited_ms="), count(" row="));
    assert_int_equal(count("secretz"), 0);
    daemon_run_end();
}

TEST_WITH(at_info_it_is_begin_and_end, setup, teardown)
{
    int ignored;
    daemon_run_begin();
    logged(LOG_INFO, 0, &ignored);
    assert_int_equal(count(" match_begun "), 1);
    assert_int_equal(count(" match_ended "), 1);
    assert_int_equal(count(" debug "), 0);
    daemon_run_end();
}

/* What is undone is told when it is done. */
TEST_WITH(once_whatever_fails, setup, teardown)
{
    enum { STEP = 7, ENDLESS = 3000 };
    int calls = 0, points = 0;
    for (int n = 1; n < ENDLESS && (n <= calls || calls == 0); n += STEP, points++) {
        daemon_run_begin();
        logged(LOG_DEBUG, n, &calls);
        assert_int_equal(count(" match_begun "), 1);
        assert_int_equal(count(" match_ended "), 1);
        assert_int_equal(count(" received "), 5);
        daemon_run_end();
    }
    assert_in_range(points, 10, 1000);
}
