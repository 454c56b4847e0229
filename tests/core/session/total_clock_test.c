/* A clock for the whole match: what a move costs its player, and what it does not. */
#include "engine/test.h"
#include "season.h"
#include "session.h"

#define HOUR_MS ((int64_t)3600 * 1000)
#define DAY_MS  (24 * HOUR_MS)

static int64_t noon(void)
{
    return date_ms(2026, 5, 4, 0) + 12 * HOUR_MS;
}

static struct session match_at(int turn)
{
    struct session s = {.phase = SESSION_PLAYING,
                        .players = 2,
                        .time.total_ms = 10 * 60000,
                        .time.gain_ms = 20000,
                        .moved = noon()};
    s.match.stage = MATCH_PLAYING;
    s.match.round.turn = (uint8_t)turn;
    s.player[0].time_left = s.player[1].time_left = s.time.total_ms;
    return s;
}

TEST(a_turn_costs_its_time_and_adds_its_gain)
{
    struct session was = match_at(0), is = match_at(1);
    assert_int_equal(session_deadline(&was), was.moved + 10 * 60000);
    session_spend(&is, &was, was.moved + 50000);
    assert_int_equal(is.player[0].time_left, 10 * 60000 - 50000 + 20000);
    assert_int_equal(is.player[1].time_left, 10 * 60000);
}

TEST(a_decision_within_a_turn_adds_nothing)
{
    struct session was = match_at(0), is = match_at(0);
    session_spend(&is, &was, was.moved + 50000);
    assert_int_equal(is.player[0].time_left, 10 * 60000 - 50000);
}

TEST(time_does_not_fall_below_zero)
{
    struct session was = match_at(0), is = match_at(1);
    session_spend(&is, &was, was.moved + HOUR_MS);
    assert_int_equal(is.player[0].time_left, 20000);
}

TEST(the_computer_and_the_pause_between_rounds_cost_nothing)
{
    struct session was = match_at(0), is = match_at(1);
    was.player[0].computer = is.player[0].computer = true;
    session_spend(&is, &was, was.moved + 50000);
    assert_int_equal(is.player[0].time_left, 10 * 60000);
    assert_int_equal(session_deadline(&was), 0);
    was = is = match_at(0);
    was.match.stage = MATCH_READY;
    session_spend(&is, &was, was.moved + 50000);
    assert_int_equal(is.player[0].time_left, 10 * 60000);
}

TEST(a_vacation_costs_no_time_of_the_match)
{
    struct session was = match_at(0), is;
    was.player[0].absence.vacation_from = was.moved + 60000;
    was.player[0].absence.vacation_until = was.moved + DAY_MS;
    is = was;
    is.match.round.turn = 1;
    session_spend(&is, &was, was.moved + DAY_MS + 60000);
    assert_int_equal(is.player[0].time_left, 8 * 60000 + 20000);
}
