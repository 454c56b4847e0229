/* The public beacon over a real socket: its round is mixed into the deal. A server that is dead,
 * slow, or gives something else than that round delays a deal by 10 s at most. */
#include "engine/test.h"
#include "fixture/loop_fixture.h"

#include "fake/fake_beacon.h"

static struct err err;
static struct fake_beacon beacon;

FIXTURE(setup)
{
    loop_fixture_begin(&(struct loop_fixture_options){0});
    loop_fixture_now = 1795262400000;
    beacon = (struct fake_beacon){.way = FAKE_BEACON_GOOD, .now = &loop_fixture_now};
    beacon.serve = serve_open(0, fake_beacon_serve, fake_beacon_round, &beacon);
    loop_fixture_config.rules = STR("standard");
    loop_fixture_config.beacon =
        arena_print(loop_fixture_process, "http://127.0.0.1:%d/", serve_port(beacon.serve));
    loop_fixture_start();
    return 0;
}

static int teardown(void **state)
{
    loop_fixture_teardown(state);
    serve_close(beacon.serve);
    return 0;
}

/* Runs while a transfer hangs: the clock goes on all the same. */
static void step(int64_t ms)
{
    for (int64_t end = loop_fixture_now + ms; loop_fixture_now < end; loop_fixture_now += 50) {
        loop_fixture_until = loop_fixture_now;
        OK(loop_turn(loop_fixture, 5, &err));
    }
}

/* A match of two is agreed upon, an hour after its challenge. */
static void begin_match(enum fake_beacon_way way)
{
    loop_fixture_run(1000); /* the chain is read */
    peer_types(loop_fixture_peer, "tea", "ann", "/challenge standard 3");
    loop_fixture_run(60 * 60 * 1000);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "of the public beacon"), 1);
    beacon.way = way;
    peer_types(loop_fixture_peer, "tea", "bo", "/accept");
}

static bool dealt(void)
{
    return peer_asked(loop_fixture_peer, "sendMessage", "(8 in hand)") > 0;
}

TEST_WITH(the_round_is_mixed_in, setup, teardown)
{
    char value[FAKE_BEACON_VALUE];
    begin_match(FAKE_BEACON_GOOD);
    loop_fixture_run(1500);
    assert_true(dealt());
    assert_int_equal(beacon.asked, 1);
    /* sealed 1 s after the start: the start is 2 s behind round 598420467 */
    fake_beacon_value(598420469, value);
    peer_types(loop_fixture_peer, "tea", "bo", "/verify");
    loop_fixture_run(3000);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", value), 1);
}

static void does_without(enum fake_beacon_way way)
{
    begin_match(way);
    loop_fixture_run(9000);
    assert_false(dealt());
    loop_fixture_run(3000);
    assert_true(dealt());
    assert_in_range(beacon.asked, 1, 10); /* every 2 s, and libcurl's own second attempts */
    peer_types(loop_fixture_peer, "tea", "bo", "/verify");
    loop_fixture_run(3000);
    assert_int_equal(
        peer_asked(loop_fixture_peer, "sendMessage", "of the public beacon is missing"), 1);
}

TEST_WITH(a_dead_server_delays_by_ten_seconds, setup, teardown)
{
    does_without(FAKE_BEACON_DEAD);
}

TEST_WITH(a_lie_is_no_value, setup, teardown)
{
    does_without(FAKE_BEACON_LIES);
}

TEST_WITH(another_round_is_no_value, setup, teardown)
{
    does_without(FAKE_BEACON_OTHER);
}

TEST_WITH(nonsense_is_no_value, setup, teardown)
{
    does_without(FAKE_BEACON_ODD);
}

/* The transfer is under way when the wait ends; what comes later changes nothing. */
TEST_WITH(a_slow_server_delays_by_ten_seconds, setup, teardown)
{
    begin_match(FAKE_BEACON_SLOW);
    step(9000);
    assert_in_range(beacon.asked, 1, 2);
    assert_false(dealt());
    step(4000);
    assert_true(dealt());
    beacon.way = FAKE_BEACON_GOOD;
    serve_wake(beacon.serve);
    loop_fixture_run(5000);
    peer_types(loop_fixture_peer, "tea", "bo", "/verify");
    loop_fixture_run(3000);
    assert_int_equal(
        peer_asked(loop_fixture_peer, "sendMessage", "of the public beacon is missing"), 1);
}

/* A daemon that ends while a deal waits goes on waiting, and asks again, when it is back. */
TEST_WITH(a_restart_asks_again, setup, teardown)
{
    begin_match(FAKE_BEACON_DEAD);
    loop_fixture_run(3000);
    assert_false(dealt());
    beacon.way = FAKE_BEACON_GOOD;
    loop_fixture_restart();
    loop_fixture_run(4000);
    assert_true(dealt());
    peer_types(loop_fixture_peer, "tea", "bo", "/verify");
    loop_fixture_run(3000);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "\\nmixed with round"), 1);
}
