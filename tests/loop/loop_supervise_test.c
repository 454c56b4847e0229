/* What watches the daemon from outside: `koikoi health` is answered by a loop that turns, and by it
 * alone. What the service manager hears: daemon/stop_test.c. */
#include "engine/test.h"
#include "fixture/loop_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "loop_internal.h"
#include "store_quarantine.h"
#include "update.h"

static struct err err;

FIXTURE(setup)
{
    loop_fixture_begin(&(struct loop_fixture_options){.stands_still = true});
    loop_fixture_config.state_dir = scratch_file(".");
    loop_fixture_start();
    return 0;
}

/* ---- koikoi health ---- */

struct health_asking {
    int ms;
    bool answered;
    char line[HEALTH_LINE];
    struct err why;
    atomic_bool over;
};

static void *ask(void *arg)
{
    struct health_asking *q = arg;
    q->answered = health_ask(scratch_file(HEALTH_SOCKET).p, q->ms, q->line, &q->why);
    q->over = true;
    return NULL;
}

/* Asks while the loop turns. */
static struct health_asking asked(void)
{
    struct health_asking q = {.ms = 60000};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask, &q), 0);
    while (!q.over)
        OK(loop_turn(loop_fixture, 5, &err));
    pthread_join(thread, NULL);
    return q;
}

TEST_WITH(a_turning_loop_answers, setup, loop_fixture_teardown)
{
    for (int i = 0; i < 3; i++) {
        struct health_asking q = asked();
        assert_true(q.answered);
        assert_string_equal(q.line, "ok");
    }
    assert_int_equal(scratch_mode(HEALTH_SOCKET), 0600);
}

TEST_WITH(a_fault_is_named, setup, loop_fixture_teardown)
{
    peer_rule(loop_fixture_peer, (struct peer_rule){.method = "getUpdates", .status = 500});
    while (peer_polls(loop_fixture_peer) == 0 || http_running(loop_fixture->http) > 0)
        OK(loop_turn(loop_fixture, 5, &err));
    struct health_asking q = asked();
    assert_true(q.answered);
    assert_string_equal(q.line, "no network answers");
}

/* A command of the host's that wants work from the daemon asks so. */
TEST_WITH(whoever_asks_wakes_what_waits_in_quarantine, setup, loop_fixture_teardown)
{
    struct store *beside;
    struct update u = {.text = STR("talk"), .chat = STR("tea"), .from.id = STR("ann")};
    struct arena *a = arena_open(1 << 20);
    while (peer_polls(loop_fixture_peer) == 0)
        OK(loop_turn(loop_fixture, 5, &err));
    OK(store_open_beside(scratch_store(), &beside, &err));
    store_quarantine(beside, 1, 1, STR("raw"), update_pack(&u, a), STR("why"));
    assert_true(store_want_again(beside, 1));
    (void)asked();
    OK(loop_turn(loop_fixture, 5, &err));
    struct quarantined_rows rows = store_quarantined(beside, a, 0, 9);
    assert_int_equal(rows.n, 0);
    store_close(beside);
    arena_close(a);
}

TEST_WITH(a_loop_that_hangs_does_not, setup, loop_fixture_teardown)
{
    struct health_asking q = {.ms = 50};
    ask(&q);
    assert_false(q.answered);
    assert_non_null(strstr(q.why.text, "does not answer"));
}

TEST_WITH(a_stopped_daemon_leaves_no_socket, setup, loop_fixture_teardown)
{
    struct health_asking q = {.ms = 50};
    loop_close(loop_fixture);
    loop_fixture = NULL;
    assert_int_equal(scratch_mode(HEALTH_SOCKET), -1);
    ask(&q);
    assert_false(q.answered);
    assert_non_null(strstr(q.why.text, "no daemon at"));
}

TEST_WITH(a_socket_left_behind_is_replaced, setup, loop_fixture_teardown)
{
    struct health *left;
    OK(health_open(scratch_file(HEALTH_SOCKET).p, &left, &err)); /* as one that was killed */
    loop_fixture_restart();
    struct health_asking q = asked();
    assert_true(q.answered);
    close(health_fd(left));
    free(left);
}
