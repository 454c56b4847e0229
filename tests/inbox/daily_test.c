/* When a chat gets what comes daily: the hour of its zone, under daylight saving too. */
#include "engine/test.h"
#include "inbox_features.h"

#include <time.h>

/* Unix ms of a date and time in UTC. */
static int64_t utc(int year, int month, int day, int hour, int minute)
{
    struct tm t = {.tm_year = year - 1900,
                   .tm_mon = month - 1,
                   .tm_mday = day,
                   .tm_hour = hour,
                   .tm_min = minute};
    return (int64_t)timegm(&t) * 1000;
}

static int64_t day_of(int year, int month, int day)
{
    return utc(year, month, day, 0, 0) / (24 * 3600 * (int64_t)1000);
}

static struct chat_settings daily(const char *zone, int hour, int minute)
{
    struct chat_settings c;
    chat_settings_default(&c);
    NAME_PUT(c.zone, str_of(zone));
    c.duel = (uint16_t)(hour * 60 + minute + 1);
    return c;
}

static void next_is(const struct chat_settings *c, int64_t now, int64_t next)
{
    assert_int_equal(day_calendar_at(c, c->duel, now).next, next);
}

TEST(nine_o_clock_in_warsaw_moves_with_daylight_saving)
{
    const struct chat_settings c = daily("Europe/Warsaw", 9, 0);
    /* summer time begins on 28 March 2027 and ends on 31 October */
    next_is(&c, utc(2027, 3, 26, 8, 0), utc(2027, 3, 27, 8, 0));
    next_is(&c, utc(2027, 3, 27, 8, 0), utc(2027, 3, 28, 7, 0));
    next_is(&c, utc(2027, 10, 30, 7, 0), utc(2027, 10, 31, 8, 0));
    next_is(&c, utc(2027, 10, 31, 7, 59), utc(2027, 10, 31, 8, 0));
}

TEST(each_day_has_one_time_also_when_the_clock_is_changed)
{
    static const char *const zones[] = {"UTC",        "Europe/Warsaw",       "America/New_York",
                                        "Asia/Tokyo", "Australia/Lord_Howe", "Pacific/Apia",
                                        "-05:30"};
    static const int minutes[] = {0, 90, 150, 9 * 60, 23 * 60 + 59};
    for (size_t z = 0; z < sizeof zones / sizeof *zones; z++)
        for (size_t m = 0; m < sizeof minutes / sizeof *minutes; m++) {
            const struct chat_settings c = daily(zones[z], minutes[m] / 60, minutes[m] % 60);
            int64_t now = utc(2027, 1, 1, 0, 0), before = 0, posts = 0;
            struct day_calendar calendar = day_calendar_at(&c, c.duel, now);
            while (calendar.next < utc(2028, 1, 1, 0, 0)) {
                now = calendar.next;
                calendar = day_calendar_at(&c, c.duel, now);
                assert_true(calendar.next > now);
                assert_true(calendar.today > before);
                assert_true(before == 0 || calendar.today == before + 1);
                assert_true(calendar.passed);
                before = calendar.today;
                posts++;
            }
            assert_in_range(posts, 364, 366); /* the first may be that very moment */
        }
}

TEST(a_chat_that_wants_none_has_a_day_and_no_time)
{
    struct chat_settings c = daily("Asia/Tokyo", 9, 0);
    c.duel = 0;
    struct day_calendar calendar = day_calendar_at(&c, c.duel, utc(2026, 11, 21, 16, 0));
    assert_int_equal(calendar.today, day_of(2026, 11, 22));
    assert_int_equal(calendar.next, 0);
    assert_false(calendar.passed);
}

TEST(a_time_of_today_has_passed_or_not)
{
    const struct chat_settings c = daily("UTC", 9, 0);
    struct day_calendar calendar = day_calendar_at(&c, c.duel, utc(2026, 11, 21, 8, 59));
    assert_false(calendar.passed);
    assert_int_equal(calendar.next, utc(2026, 11, 21, 9, 0));
    calendar = day_calendar_at(&c, c.duel, utc(2026, 11, 21, 9, 0));
    assert_true(calendar.passed);
    assert_int_equal(calendar.next, utc(2026, 11, 22, 9, 0));
}
