/* What watches the daemon from outside: `koikoi health` is answered by a loop that turns, and by it
 * alone. What it asks no more when it stops. What the service manager hears: daemon/stop_test.c. */
#include "engine/test.h"
#include "fixture/loop_fixture.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inbox_results.h"
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
    const char *question;
    bool answered, absent;
    char said[HEALTH_ANSWER];
    struct err why;
    atomic_bool over;
};

static void *ask(void *arg)
{
    struct health_asking *q = arg;
    struct arena *a = arena_open(1 << 20);
    struct str said = STR("");
    q->answered = health_ask(scratch_file(HEALTH_SOCKET).p, q->ms, q->question, a, &said,
                             &q->absent, &q->why);
    snprintf(q->said, sizeof q->said, "%.*s", STR_ARG(said));
    arena_close(a);
    q->over = true;
    return NULL;
}

/* Asks while the loop turns. */
static struct health_asking asked(const char *question)
{
    struct health_asking q = {.ms = 60000, .question = question};
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
        struct health_asking q = asked("health");
        assert_true(q.answered);
        assert_string_equal(q.said, "");
    }
    assert_int_equal(scratch_mode(HEALTH_SOCKET), 0600);
}

/* A cleaner of old files took it away. */
TEST_WITH(a_socket_that_was_removed_is_made_anew, setup, loop_fixture_teardown)
{
    OK(loop_turn(loop_fixture, 5, &err));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(unlink(scratch_file(HEALTH_SOCKET).p), 0);
        loop_fixture->supervised.look_at = 0; /* the time between two looks is over */
        OK(loop_turn(loop_fixture, 5, &err));
        struct health_asking q = asked("health");
        assert_false(q.absent);
        assert_true(q.answered);
        assert_int_equal(scratch_mode(HEALTH_SOCKET), 0600);
    }
}

/* The host moved its folder away, and back. */
TEST_WITH(a_socket_without_a_folder_is_made_when_that_is_back, setup, loop_fixture_teardown)
{
    char there[PATH_MAX], away[PATH_MAX];
    snprintf(there, sizeof there, "%s", scratch_file("state").p);
    snprintf(away, sizeof away, "%s", scratch_file("away").p);
    assert_int_equal(mkdir(there, 0700), 0);
    loop_fixture_config.state_dir = str_of(there);
    OK(loop_turn(loop_fixture, 5, &err));
    assert_int_equal(unlink(scratch_file(HEALTH_SOCKET).p), 0);
    assert_int_equal(rename(there, away), 0);
    for (int i = 0; i < 3; i++) {
        loop_fixture->supervised.look_at = 0;
        OK(loop_turn(loop_fixture, 5, &err));
        assert_null(loop_fixture->supervised.health);
    }
    assert_int_equal(rename(away, there), 0);
    loop_fixture->supervised.look_at = 0;
    OK(loop_turn(loop_fixture, 5, &err));
    assert_non_null(loop_fixture->supervised.health);
    assert_int_equal(scratch_mode("state/" HEALTH_SOCKET), 0600);
}

TEST_WITH(a_fault_is_named, setup, loop_fixture_teardown)
{
    peer_rule(loop_fixture_peer, (struct peer_rule){.method = "getUpdates", .status = 500});
    while (peer_polls(loop_fixture_peer) == 0 || http_running(loop_fixture->http) > 0)
        OK(loop_turn(loop_fixture, 5, &err));
    struct health_asking q = asked("health");
    assert_false(q.answered);
    assert_string_equal(q.why.text, "no network answers");
    q = asked("status");
    assert_true(q.answered);
    assert_non_null(strstr(q.said, "health    no network answers\n"));
    assert_non_null(strstr(q.said, "account   wire: down"));
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
    (void)asked("health");
    OK(loop_turn(loop_fixture, 5, &err));
    struct quarantined_rows rows = store_quarantined(beside, a, 0, 9);
    assert_int_equal(rows.n, 0);
    store_close(beside);
    arena_close(a);
}

/* ---- koikoi status, forget, recount ---- */

TEST_WITH(a_status_says_what_runs_and_what_failed_last, setup, loop_fixture_teardown)
{
    while (peer_polls(loop_fixture_peer) == 0)
        OK(loop_turn(loop_fixture, 5, &err));
    log_line(LOG_ERROR, "disk_failed", "why", "on purpose", NULL);
    struct health_asking q = asked("status");
    assert_true(q.answered);
    static const char *const parts[] = {
        "koikoi    " KOIKOI_VERSION, ", schema ",
        "\nhealth    ok\n",          "\nstore     ",
        "\naccount   wire: up",      "\nmatches   0 run",
        "\nmessages  0 wait",        "disk_failed why=\"on purpose\""};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(q.said, parts[i]))
            fail_msg("expected %s in:\n%s", parts[i], q.said);
}

/* The host need not stop the daemon to forget somebody. */
TEST_WITH(a_person_is_forgotten_by_the_running_daemon, setup, loop_fixture_teardown)
{
    struct arena *a = arena_open(1 << 20);
    peer_types(loop_fixture_peer, "tea", "ann", "/ping");
    while (peer_count(loop_fixture_peer) == 0)
        OK(loop_turn(loop_fixture, 5, &err));
    assert_true(store_person_by_network_id(loop_fixture->store, a, 1, STR("ann")) != NULL);
    struct health_asking q = asked("forget ann");
    assert_true(q.answered);
    assert_non_null(strstr(q.said, "forgot ann"));
    assert_null(store_person_by_network_id(loop_fixture->store, a, 1, STR("ann")));
    q = asked("forget ann");
    assert_false(q.answered);
    assert_non_null(strstr(q.why.text, "there is no such person"));
    q = asked("recount");
    assert_true(q.answered);
    assert_string_equal(q.said, "counted 0 results of matches anew\n");
    arena_close(a);
}

/* A match of a chat, as it is stored at its end. */
static void ended(int64_t chat, int64_t ann, int64_t bo)
{
    struct arena *a = arena_open(1 << 20);
    struct played rows[2];
    for (int i = 0; i < 2; i++)
        rows[i] = (struct played){.chat = chat,
                                  .session = chat,
                                  .seat = i,
                                  .person = i ? bo : ann,
                                  .at = chat,
                                  .tally.won = i == 0,
                                  .tally.lost = i == 1,
                                  .season = STR("2026-Q4"),
                                  .rules = STR("sensei"),
                                  .accuracy = NO_ACCURACY};
    store_begin(loop_fixture->store);
    (void)results_add(loop_fixture->store, a, rows, 2);
    OK(store_commit(loop_fixture->store, &err));
    arena_close(a);
}

/* A turn counts one chat. As long as nobody has been answered, another chat is there to be counted: a
 * loop that did not hear would never come to the end. */
TEST_WITH(who_plays_is_heard_while_all_is_counted_anew, setup, loop_fixture_teardown)
{
    enum { MANY = 900, CHATS = 5, TURN_MS = 5 };
    struct health_asking q = {.ms = 600000, .question = "recount"};
    const struct recounting *r = &loop_fixture->recounting;
    struct arena *a = arena_open(1 << 20);
    int64_t who[2], chats = MANY;
    for (int i = 0; i < 2; i++) {
        struct sender s = {.id = i ? STR("bo") : STR("ann"), .name = STR("x")};
        who[i] = store_person(loop_fixture->store, a, 1, &s).id;
    }
    for (int i = 0; i < CHATS; i++)
        ended(++chats, who[0], who[1]);
    while (peer_polls(loop_fixture_peer) == 0)
        OK(loop_turn(loop_fixture, 5, &err));
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask, &q), 0);
    while (!r->on)
        OK(loop_turn(loop_fixture, 5, &err));
    int answered = peer_count(loop_fixture_peer);
    peer_types(loop_fixture_peer, "tea", "ann", "/ping");
    while (peer_count(loop_fixture_peer) == answered) {
        int64_t before = r->matches;
        ended(++chats, who[0], who[1]);
        loop_fixture_now += TURN_MS;
        OK(loop_turn(loop_fixture, 5, &err));
        assert_true(r->on);
        assert_in_range(r->matches, before, before + 1);
    }
    while (!q.over)
        OK(loop_turn(loop_fixture, 5, &err));
    pthread_join(thread, NULL);
    assert_true(q.answered);
    char said[64];
    snprintf(said, sizeof said, "counted %d results of matches anew\n", (int)(chats - MANY));
    assert_string_equal(q.said, said);
    arena_close(a);
}

TEST_WITH(a_question_that_is_unknown_is_refused, setup, loop_fixture_teardown)
{
    struct health_asking q = asked("dance");
    assert_false(q.answered);
    assert_non_null(strstr(q.why.text, "does not know this question"));
}

TEST_WITH(a_change_waits_for_a_store_that_fails, setup, loop_fixture_teardown)
{
    while (peer_polls(loop_fixture_peer) == 0)
        OK(loop_turn(loop_fixture, 5, &err));
    loop_fixture->waiting.retry_at = INT64_MAX;
    struct health_asking q = asked("recount");
    assert_false(q.answered);
    assert_non_null(strstr(q.why.text, "the store takes nothing now"));
}

TEST_WITH(a_loop_that_hangs_does_not, setup, loop_fixture_teardown)
{
    struct health_asking q = {.ms = 50, .question = "health"};
    ask(&q);
    assert_false(q.answered);
    assert_non_null(strstr(q.why.text, "does not answer"));
}

/* A network answers one poll at a time: that of the next start waits for no end of this one's. */
TEST_WITH(a_daemon_that_stops_takes_its_polls_back, setup, loop_fixture_teardown)
{
    const struct poller *p = &loop_fixture->polling.at[0];
    peer_rule(loop_fixture_peer,
              (struct peer_rule){.method = "getUpdates", .fault = PEER_IS_SILENT});
    for (int i = 0; i < 1000 && !p->in_flight; i++)
        OK(loop_turn(loop_fixture, 5, &err));
    assert_true(p->in_flight);
    loop_stop(loop_fixture);
    for (int i = 0; i < 3; i++) {
        assert_false(p->in_flight);
        OK(loop_turn(loop_fixture, 5, &err));
    }
}

TEST_WITH(a_stopped_daemon_leaves_no_socket, setup, loop_fixture_teardown)
{
    struct health_asking q = {.ms = 50, .question = "health"};
    loop_close(loop_fixture);
    loop_fixture = NULL;
    assert_int_equal(scratch_mode(HEALTH_SOCKET), -1);
    ask(&q);
    assert_false(q.answered);
    assert_true(q.absent);
    assert_non_null(strstr(q.why.text, "no daemon at"));
}

TEST_WITH(a_socket_left_behind_is_replaced, setup, loop_fixture_teardown)
{
    struct health *left;
    OK(health_open(scratch_file(HEALTH_SOCKET).p, &left, &err)); /* as one that was killed */
    loop_fixture_restart();
    struct health_asking q = asked("health");
    assert_true(q.answered);
    close(health_fd(left));
    free(left);
}
