/* Absence: quiet hours at both changes of the clocks and vacations, and what they do to the
 * time for a move. */
#include "engine/test.h"
#include "absence.h"
#include "season.h"

#define HOUR_MS ((int64_t)3600 * 1000)
#define DAY_MS  (24 * HOUR_MS)

enum { EAST = 3600, FAR_EAST = 7200 };

static int64_t utc(int month, int day, int hour, int minute)
{
    return date_ms(2026, month, day, 0) + hour * HOUR_MS + minute * (int64_t)60000;
}

/* Warsaw: clocks go forward on 29 March, back on 25 October, both at 01:00 UTC. */
static struct absence spring(int from, int to)
{
    return (struct absence){.quiet_from = (uint16_t)(60 * from),
                            .quiet_to = (uint16_t)(60 * to),
                            .offset = EAST,
                            .later_offset = FAR_EAST,
                            .change = utc(3, 29, 1, 0)};
}

static struct absence autumn(int from, int to)
{
    struct absence a = spring(from, to);
    a.offset = FAR_EAST;
    a.later_offset = EAST;
    a.change = utc(10, 25, 1, 0);
    return a;
}

TEST(quiet_hours_end_by_the_clock_on_the_wall)
{
    struct absence a = spring(22, 8), b = autumn(22, 8);
    assert_int_equal(absence_quiet_end(&a, utc(3, 27, 20, 59)), 0);
    assert_int_equal(absence_quiet_end(&a, utc(3, 27, 21, 0)), utc(3, 28, 7, 0));
    assert_int_equal(absence_quiet_end(&a, utc(3, 28, 6, 59)), utc(3, 28, 7, 0));
    assert_int_equal(absence_quiet_end(&a, utc(3, 28, 7, 0)), 0);
    assert_int_equal(absence_quiet_end(&a, utc(3, 28, 21, 0)), utc(3, 29, 6, 0));
    assert_int_equal(absence_quiet_end(&a, utc(3, 29, 1, 0)), utc(3, 29, 6, 0));
    assert_int_equal(absence_quiet_end(&a, utc(3, 29, 6, 0)), 0);
    assert_int_equal(absence_quiet_end(&a, utc(3, 29, 20, 0)), utc(3, 30, 6, 0));
    assert_int_equal(absence_quiet_end(&b, utc(10, 24, 20, 0)), utc(10, 25, 7, 0));
    assert_int_equal(absence_quiet_end(&b, utc(10, 25, 6, 59)), utc(10, 25, 7, 0));
    assert_int_equal(absence_quiet_end(&b, utc(10, 25, 7, 0)), 0);
}

/* 02:00 to 03:00 does not exist on 29 March and comes twice on 25 October. */
TEST(quiet_hours_that_a_change_cuts_or_repeats)
{
    struct absence skipped = spring(1, 2), repeated = autumn(22, 2);
    skipped.quiet_to = 2 * 60 + 30;
    assert_int_equal(absence_quiet_end(&skipped, utc(3, 29, 0, 30)), utc(3, 29, 1, 0));
    assert_int_equal(absence_quiet_end(&skipped, utc(3, 29, 1, 0)), 0);
    assert_int_equal(absence_quiet_end(&repeated, utc(10, 24, 23, 59)), utc(10, 25, 0, 0));
    assert_int_equal(absence_quiet_end(&repeated, utc(10, 25, 0, 0)), 0);
}

TEST(quiet_hours_by_day)
{
    struct absence a = {.quiet_from = 9 * 60, .quiet_to = 17 * 60};
    assert_int_equal(absence_quiet_end(&a, utc(5, 4, 8, 59)), 0);
    assert_int_equal(absence_quiet_end(&a, utc(5, 4, 9, 0)), utc(5, 4, 17, 0));
    assert_int_equal(absence_quiet_end(&a, utc(5, 4, 17, 0)), 0);
    assert_int_equal(absence_quiet_end(&(struct absence){0}, utc(5, 4, 0, 0)), 0);
}

/* At every minute around a change: an end is later, is not quiet itself, and all before it is. */
TEST(an_end_of_quiet_hours_is_an_end)
{
    struct absence each[] = {spring(22, 8), autumn(22, 8), spring(0, 3), autumn(1, 4)};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        for (int64_t at = each[i].change - DAY_MS; at < each[i].change + DAY_MS; at += 60000) {
            int64_t end = absence_quiet_end(&each[i], at);
            if (end == 0)
                continue;
            assert_true(end > at && end - at <= 11 * HOUR_MS);
            assert_int_equal(absence_quiet_end(&each[i], end), 0);
            assert_int_equal(absence_quiet_end(&each[i], end - 1), end);
            assert_int_equal(absence_ring_at(&each[i], at), end);
            int64_t before = absence_before_quiet(&each[i], end);
            assert_true(before < end && absence_quiet_end(&each[i], before) == 0);
        }
}

TEST(a_deadline_in_quiet_hours_moves_to_their_end)
{
    struct absence a = spring(22, 8);
    assert_int_equal(absence_deadline(&a, utc(3, 28, 19, 0), HOUR_MS), utc(3, 28, 20, 0));
    assert_int_equal(absence_deadline(&a, utc(3, 28, 19, 0), 3 * HOUR_MS), utc(3, 29, 6, 0));
    assert_int_equal(absence_deadline(&a, utc(3, 28, 19, 0), 12 * HOUR_MS), utc(3, 29, 7, 0));
}

TEST(a_vacation_does_not_count)
{
    struct absence a = {.vacation_from = utc(7, 2, 0, 0), .vacation_until = utc(7, 12, 0, 0)};
    assert_int_equal(absence_deadline(&a, utc(7, 1, 0, 0), 12 * HOUR_MS), utc(7, 1, 12, 0));
    assert_int_equal(absence_deadline(&a, utc(7, 1, 12, 0), DAY_MS), utc(7, 12, 12, 0));
    assert_int_equal(absence_deadline(&a, utc(7, 5, 0, 0), DAY_MS), utc(7, 13, 0, 0));
    assert_int_equal(absence_deadline(&a, utc(7, 12, 0, 0), DAY_MS), utc(7, 13, 0, 0));
    assert_int_equal(absence_spent(&a, utc(7, 1, 0, 0), utc(7, 1, 6, 0)), 6 * HOUR_MS);
    assert_int_equal(absence_spent(&a, utc(7, 1, 0, 0), utc(7, 4, 0, 0)), DAY_MS);
    assert_int_equal(absence_spent(&a, utc(7, 1, 0, 0), utc(7, 14, 0, 0)), 3 * DAY_MS);
    assert_int_equal(absence_spent(&a, utc(7, 4, 0, 0), utc(7, 5, 0, 0)), 0);
    assert_true(absence_on_vacation(&a, utc(7, 2, 0, 0)));
    assert_false(absence_on_vacation(&a, utc(7, 12, 0, 0)));
}
