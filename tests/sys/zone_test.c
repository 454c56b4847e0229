/* Time zones by name and by offset. Expectations are those of the law, not of the C library. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include <stdlib.h>
#include <time.h>

#include "zone.h"

enum { HOUR = 3600 };

static int64_t utc(int year, int month, int day, int hour, int minute)
{
    struct tm t = {.tm_year = year - 1900,
                   .tm_mon = month - 1,
                   .tm_mday = day,
                   .tm_hour = hour,
                   .tm_min = minute};
    return (int64_t)timegm(&t);
}

#define NOT_READ INT32_MIN

static int32_t by_name(const char *zone, int64_t unix_s)
{
    int32_t offset = NOT_READ;
    bool good = zone_offset(str_of(zone), unix_s * 1000, &offset);
    assert_int_equal(good, offset != NOT_READ);
    return offset;
}

/* ---- the law ---- */

/* Each change to the second; of years that a file lists and of those that only its rule knows. */
TEST(changes_come_at_their_second)
{
    static const struct {
        const char *zone;
        int year, month, day, hour, minute; /* UTC */
        double before, after;               /* hours */
    } rows[] = {
        /* last Sundays of March and October, 01:00 UTC */
        {"Europe/Warsaw", 2026, 3, 29, 1, 0, 1, 2},
        {"Europe/Warsaw", 2026, 10, 25, 1, 0, 2, 1},
        {"Europe/Warsaw", 2037, 10, 25, 1, 0, 2, 1},
        {"Europe/Warsaw", 2096, 3, 25, 1, 0, 1, 2},
        /* second Sunday of March, first of November, 02:00 by the clock */
        {"America/New_York", 2026, 3, 8, 7, 0, -5, -4},
        {"America/New_York", 2026, 11, 1, 6, 0, -4, -5},
        {"America/New_York", 2060, 3, 14, 7, 0, -5, -4},
        {"America/St_Johns", 2026, 3, 8, 5, 30, -3.5, -2.5},
        /* summer lies across the new year */
        {"Australia/Sydney", 2026, 4, 4, 16, 0, 11, 10},
        {"Australia/Sydney", 2026, 10, 3, 16, 0, 10, 11},
        {"Australia/Sydney", 2060, 4, 3, 16, 0, 11, 10},
        {"Australia/Lord_Howe", 2026, 4, 4, 15, 0, 11, 10.5}, /* half an hour */
        {"Pacific/Chatham", 2026, 4, 4, 14, 0, 13.75, 12.75},
        /* as the law has it, winter time is the one that differs from the standard */
        {"Europe/Dublin", 2026, 3, 29, 1, 0, 0, 1},
        {"Europe/Dublin", 2060, 10, 31, 1, 0, 1, 0},
        {"America/Nuuk", 2026, 3, 29, 1, 0, -2, -1}, /* on the evening before */
        {"Antarctica/Troll", 2026, 3, 29, 1, 0, 0, 2},
        /* changed by law */
        {"Europe/Moscow", 2011, 3, 26, 23, 0, 3, 4},
        {"Europe/Moscow", 2014, 10, 25, 22, 0, 4, 3},
        {"America/Sao_Paulo", 2019, 2, 17, 2, 0, -2, -3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t at = utc(rows[i].year, rows[i].month, rows[i].day, rows[i].hour, rows[i].minute);
        int32_t before = by_name(rows[i].zone, at - 1), after = by_name(rows[i].zone, at);
        if (before != (int32_t)(rows[i].before * HOUR) || after != (int32_t)(rows[i].after * HOUR))
            fail_msg("%s, %d-%d: %d then %d", rows[i].zone, rows[i].year, rows[i].month, before,
                     after);
    }
}

TEST(summers_and_winters)
{
    static const struct {
        const char *zone;
        double january, july; /* hours east, of 2026 and of 2060 */
    } rows[] = {{"Europe/Warsaw", 1, 2},
                {"Europe/Dublin", 0, 1},
                {"Europe/Moscow", 3, 3},
                {"America/New_York", -5, -4},
                {"America/Nuuk", -2, -1},
                {"America/Argentina/Buenos_Aires", -3, -3},
                {"Australia/Sydney", 11, 10},
                {"Asia/Tehran", 3.5, 3.5},
                {"Asia/Kathmandu", 5.75, 5.75},
                {"Asia/Tokyo", 9, 9},
                {"Pacific/Kiritimati", 14, 14},
                {"Etc/GMT+12", -12, -12},
                {"UTC", 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int year = 2026; year <= 2060; year += 34) {
            int32_t january = by_name(rows[i].zone, utc(year, 1, 15, 12, 0)),
                    july = by_name(rows[i].zone, utc(year, 7, 15, 12, 0));
            if (january != (int32_t)(rows[i].january * HOUR) ||
                july != (int32_t)(rows[i].july * HOUR))
                fail_msg("%s, %d: %d and %d", rows[i].zone, year, january, july);
        }
}

/* Times in the terminal are in it. */
/* People type them as they like. */
TEST(case_of_letters_does_not_count)
{
    static const char *const rows[][2] = {
        {"europe/warsaw", "Europe/Warsaw"},
        {"AMERICA/PORT-AU-PRINCE", "America/Port-au-Prince"},
        {"america/argentina/buenos_aires", "America/Argentina/Buenos_Aires"},
        {"GMT+3", "UTC+3"},
        {"gmt-10:30", "UTC-10:30"},
        {"gmt", "UTC"},
        {"Warsaw", "Europe/Warsaw"},
        {"new_york", "America/New_York"}};
    int64_t now = utc(2026, 7, 1, 12, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_not_equal(by_name(rows[i][1], now), NOT_READ);
        assert_int_equal(by_name(rows[i][0], now), by_name(rows[i][1], now));
    }
    static const char *const none[] = {"europe",
                                       "europe/",
                                       "/europe/warsaw",
                                       "europe//warsaw",
                                       "../zoneinfo/europe/warsaw",
                                       "europe/nowhere",
                                       "nowhere",
                                       "argentina"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(by_name(none[i], now), NOT_READ);
}

TEST(the_zone_of_the_system_stays)
{
    static const struct {
        const char *machine;
        int32_t offset;
    } rows[] = {
        {"Asia/Tokyo", 9 * HOUR}, {":Asia/Kathmandu", 5 * HOUR + 2700}, {"XYZ+3", -3 * HOUR}};
    time_t t = 1800000000;
    struct tm local;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setenv("TZ", rows[i].machine, 1);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(by_name("Europe/Warsaw", 0), HOUR);
            assert_int_equal(by_name("Nowhere/Atlantis", 0), NOT_READ);
            assert_int_equal(by_name("+3", 0), 3 * HOUR);
            assert_non_null(localtime_r(&t, &local));
            assert_int_equal(local.tm_gmtoff, rows[i].offset);
            assert_string_equal(getenv("TZ"), rows[i].machine);
        }
    }
    unsetenv("TZ");
    tzset();
    assert_non_null(localtime_r(&t, &local));
    long before = local.tm_gmtoff;
    assert_int_equal(by_name("Asia/Tokyo", 0), 9 * HOUR);
    assert_non_null(localtime_r(&t, &local));
    assert_int_equal(local.tm_gmtoff, before);
}

/* ---- names ---- */

TEST(no_clock_is_more_than_fourteen_hours_away)
{
    assert_int_equal(by_name("+14", 0), 14 * HOUR);
    assert_int_equal(by_name("-14:00", 0), -14 * HOUR);
    assert_int_equal(by_name("+14:01", 0), NOT_READ);
    assert_int_equal(by_name("+15", 0), NOT_READ);
    assert_int_equal(by_name("-24", 0), NOT_READ);
    assert_int_equal(by_name("Asia/Manila", utc(1800, 1, 1, 0, 0)), NOT_READ); /* -15:56 */
}

TEST(fixed_offsets_are_read)
{
    assert_int_equal(by_name("", 0), 0);
    assert_int_equal(by_name("UTC", 0), 0);
    assert_int_equal(by_name("utc", 0), 0);
    assert_int_equal(by_name("+03:00", 0), 3 * HOUR);
    assert_int_equal(by_name("-5", 0), -5 * HOUR);
    assert_int_equal(by_name("UTC+2", 0), 2 * HOUR);
    assert_int_equal(by_name("-03:30", 0), -3 * HOUR - 1800);
    static const char *const bad[] = {"3",     "+",   "+003",  "+3:5",
                                      "+3:60", "+-3", "+3:-5", "+3:00:00"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (by_name(bad[i], 0) != NOT_READ)
            fail_msg("read: \"%s\"", bad[i]);
}

TEST(a_name_cannot_leave_the_folder)
{
    static const char *const bad[] = {
        "../../../etc/passwd", "Europe/../../../etc/passwd",
        "/etc/localtime",      "Europe",
        "Nowhere/Atlantis",    "Europe/Warsaw\n",
        "right/Europe/Warsaw", "AaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaA",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (by_name(bad[i], 0) != NOT_READ)
            fail_msg("read: \"%s\"", bad[i]);
}

TEST(a_cache_gives_the_same_answers_and_reads_a_file_once_a_minute)
{
    static const char *const zones[] = {
        "Europe/Warsaw", "America/St_Johns", "Asia/Gaza", "+03:00", "", "Nowhere/Atlantis"};
    enum { ZONES = sizeof zones / sizeof *zones, MINUTES = 120, TIMES = 3 };
    struct cache *cache = cache_open(16, 4096);
    int64_t from = utc(2026, 3, 29, 0, 0); /* Warsaw changes at 01:00 */
    for (int64_t s = from; s < from + MINUTES * 60; s += 60 / TIMES)
        for (int z = 0; z < ZONES; z++) {
            int32_t offset = NOT_READ;
            bool good = zone_offset_cached(cache, str_of(zones[z]), s * 1000, &offset);
            assert_int_equal(good, offset != NOT_READ);
            assert_int_equal(offset, by_name(zones[z], s));
        }
    struct cache_counts counts = cache_counts(cache);
    assert_int_equal(counts.misses, MINUTES * ZONES);
    assert_int_equal(counts.hits, MINUTES * ZONES * (TIMES - 1));
    cache_close(cache);
}

TEST(the_next_change_of_a_zone)
{
    struct cache *cache = cache_open(16, 4096);
    struct zone_change at;
    int64_t spring = utc(2026, 3, 29, 1, 0) * 1000, autumn = utc(2026, 10, 25, 1, 0) * 1000;
    for (int64_t days = 1; days < 90; days += 11) {
        assert_true(zone_change_cached(cache, STR("Europe/Warsaw"), spring - days * 86400000, &at));
        assert_true(at.offset == 3600 && at.later_offset == 7200 && at.change == spring);
    }
    assert_true(zone_change_cached(cache, STR("Europe/Warsaw"), spring - 1, &at));
    assert_int_equal(at.change, spring);
    assert_true(zone_change_cached(cache, STR("Europe/Warsaw"), spring, &at));
    assert_true(at.offset == 7200 && at.change == 0); /* the next one is 210 days away */
    assert_true(zone_change_cached(cache, STR("Europe/Warsaw"), autumn - 86400000, &at));
    assert_true(at.offset == 7200 && at.later_offset == 3600 && at.change == autumn);
    assert_true(zone_change_cached(cache, STR("+03:00"), spring, &at));
    assert_true(at.offset == 10800 && at.change == 0);
    assert_false(zone_change_cached(cache, STR("Nowhere/Atlantis"), spring, &at));
    cache_close(cache);
}
