/* The daemon fails or dies at every single use of the database or the network, and starts again:
 * every command is answered, and an answer comes twice only if the network may or may not have got
 * the first; the repeat is marked.
 */
#include "fixture/daemon_run.h"
#include "stride.h"

enum { CHATS = 2, EACH = 3, TYPED = CHATS * EACH, ENDLESS = 3000 };

FIXTURE(setup)
{
    return !daemon_run_setup();
}

FIXTURE(teardown)
{
    daemon_run_teardown();
    return 0;
}

static void begin_story(void)
{
    char text[32], chat[16], person[16];
    daemon_run_begin();
    for (int i = 0; i < TYPED; i++) {
        snprintf(chat, sizeof chat, "c%d", i % CHATS);
        snprintf(person, sizeof person, "p%d", i);
        snprintf(text, sizeof text, "/ping no%dx", i);
        peer_types(daemon_run_peer, chat, person, text);
    }
}

static bool live(enum db_fault fault, int first, int times, int *ret_calls)
{
    return daemon_run_whole(STR(""), fault, first, times, ret_calls);
}

/* Number of answers to a ping: new ones, and those marked as perhaps sent before. */
static void count(int i, int *ret_new, int *ret_again)
{
    char text[32];
    snprintf(text, sizeof text, "pong no%dx", i);
    *ret_new = *ret_again = 0;
    for (int k = 0; k < peer_count(daemon_run_peer); k++) {
        struct peer_request r = peer_request(daemon_run_peer, k);
        if (strstr(r.body, text))
            ++*(strstr(r.body, "\"maybe_sent\":true") ? ret_again : ret_new);
    }
}

static void a_failing_database_delays_and_nothing_else(int times)
{
    int calls = 0, n = 1;
    for (; n < ENDLESS && n <= calls + 1; n += stride(31, 1)) {
        begin_story();
        if (!live(DB_FAILS, n, times, &calls)) {
            calls = n + stride(31, 1); /* too early to start: the next start works */
            int ignored;
            assert_true(live(DB_FAILS, 0, 0, &ignored));
        }
        for (int i = 0; i < TYPED; i++) {
            int new, again;
            count(i, &new, &again);
            if (new != 1 || again != 0)
                fail_msg("call %d failing: ping %d answered %d times, %d times again", n, i, new,
                         again);
        }
        daemon_run_end();
    }
    assert_in_range(n, 50, ENDLESS - 1);
}

TEST_WITH(one_failing_call, setup, teardown)
{
    a_failing_database_delays_and_nothing_else(1);
}

TEST_WITH(a_disk_that_is_full_for_a_while, setup, teardown)
{
    a_failing_database_delays_and_nothing_else(6);
}

/* After a crash every ping is answered; a second answer carries the mark of a possible repeat. */
static void check_after_death(int n, const char *how)
{
    for (int i = 0; i < TYPED; i++) {
        int new, again;
        count(i, &new, &again);
        if (new > 1 || new + again < 1)
            fail_msg("%s %d: ping %d answered %d times, %d times again", how, n, i, new, again);
    }
}

static void dying_at_each_call_of_the_database(enum db_fault fault)
{
    int ignored, n = 1;
    for (bool died = true; died && n < ENDLESS; n += stride(31, 1)) {
        begin_story();
        died = daemon_run_dies(STR(""), fault, n);
        assert_true(live(DB_FAILS, 0, 0, &ignored));
        check_after_death(n, "dead at call");
        daemon_run_end();
    }
    assert_in_range(n, 50, ENDLESS - 1);
}

TEST_WITH(dying_before_a_call, setup, teardown)
{
    dying_at_each_call_of_the_database(DB_DIES);
}

TEST_WITH(dying_after_a_call, setup, teardown)
{
    dying_at_each_call_of_the_database(DB_DIES_AFTER);
}

static void dying_at_each_request(bool after)
{
    int ignored, n = 1, died = 0;
    for (bool killed = true; killed && n <= 40; n += stride(3, 1)) {
        begin_story();
        killed = daemon_run_killed_by_peer(daemon_run_peer, STR(""), n, after);
        died += killed;
        assert_true(live(DB_FAILS, 0, 0, &ignored));
        check_after_death(n, "killed at request");
        daemon_run_end();
    }
    assert_in_range(died, TYPED / stride(3, 1), 40);
}

TEST_WITH(killed_when_a_request_is_sent, setup, teardown)
{
    dying_at_each_request(false);
}

TEST_WITH(killed_when_a_request_is_answered, setup, teardown)
{
    dying_at_each_request(true);
}
