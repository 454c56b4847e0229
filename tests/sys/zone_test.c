/* Time zones from both kinds of zone files: "fat" with every change up to 2037, and "slim" with a
 * rule for later years. The C library reads the same files as a second opinion. */
#include "fixture/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "zone.h"
#include "zone_rule.h"

enum { HOUR = 3600, DAY = 24 * HOUR };

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

static int32_t by_rule(const char *rule, int64_t unix_s)
{
    int32_t offset = NOT_READ;
    bool good = zone_rule_offset(str_of(rule), unix_s, &offset);
    assert_int_equal(good, offset != NOT_READ);
    return offset;
}

static int32_t by_name(const char *zone, int64_t unix_s)
{
    int32_t offset = NOT_READ;
    bool good = zone_offset(str_of(zone), unix_s * 1000, &offset);
    assert_int_equal(good, offset != NOT_READ);
    return offset;
}

/* The C library's answer; zone is ":/a/path", a name or a rule. */
static int32_t by_libc(const char *zone, int64_t unix_s)
{
    struct tm local;
    time_t t = (time_t)unix_s;
    setenv("TZ", zone, 1);
    tzset();
    assert_non_null(localtime_r(&t, &local));
    return (int32_t)local.tm_gmtoff;
}

/* ---- rules ---- */

static void rules_without_daylight_saving_are_constant(void **state)
{
    (void)state;
    assert_int_equal(by_rule("UTC0", 0), 0);
    assert_int_equal(by_rule("<+0330>-3:30", utc(2026, 1, 1, 0, 0)), 3 * HOUR + 1800);
    assert_int_equal(by_rule("<-03>3", utc(2026, 7, 1, 0, 0)), -3 * HOUR);
    assert_int_equal(by_rule("IST-5:30", utc(2050, 7, 1, 0, 0)), 5 * HOUR + 1800);
    assert_int_equal(by_rule("<+0545>-05:45", 0), 5 * HOUR + 2700);
    assert_int_equal(by_rule("LMT-1:24:30", 0), HOUR + 24 * 60 + 30);
    assert_int_equal(by_rule("EAST+6", 0), -6 * HOUR);
}

/* Each change to the second. */
static void changes_come_at_their_second(void **state)
{
    static const struct {
        const char *rule;
        int year, month, day, hour, minute; /* UTC */
        int32_t before, after;
    } rows[] = {
        /* Warsaw: last Sundays of March and October, 01:00 UTC */
        {"CET-1CEST,M3.5.0,M10.5.0/3", 2026, 3, 29, 1, 0, HOUR, 2 * HOUR},
        {"CET-1CEST,M3.5.0,M10.5.0/3", 2026, 10, 25, 1, 0, 2 * HOUR, HOUR},
        {"CET-1CEST,M3.5.0,M10.5.0/3", 2096, 3, 25, 1, 0, HOUR, 2 * HOUR},
        /* New York: second Sunday of March, first of November, 02:00 by the clock */
        {"EST5EDT,M3.2.0,M11.1.0", 2026, 3, 8, 7, 0, -5 * HOUR, -4 * HOUR},
        {"EST5EDT,M3.2.0,M11.1.0", 2026, 11, 1, 6, 0, -4 * HOUR, -5 * HOUR},
        /* Sydney: summer lies across the new year */
        {"AEST-10AEDT,M10.1.0,M4.1.0/3", 2026, 4, 4, 16, 0, 11 * HOUR, 10 * HOUR},
        {"AEST-10AEDT,M10.1.0,M4.1.0/3", 2026, 10, 3, 16, 0, 10 * HOUR, 11 * HOUR},
        /* Lord Howe: half an hour */
        {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2026, 4, 4, 15, 0, 11 * HOUR, 10 * HOUR + 1800},
        /* Dublin, as the law has it: winter time is the one that differs from the standard */
        {"IST-1GMT0,M10.5.0,M3.5.0/1", 2026, 3, 29, 1, 0, 0, HOUR},
        {"IST-1GMT0,M10.5.0,M3.5.0/1", 2026, 10, 25, 1, 0, HOUR, 0},
        /* Nuuk: on the evening before */
        {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2026, 3, 29, 1, 0, -2 * HOUR, -1 * HOUR},
        {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2026, 10, 25, 1, 0, -1 * HOUR, -2 * HOUR},
        /* Gaza: a Saturday that is reckoned from a Thursday, 50 hours on */
        {"EET-2EEST,M3.4.4/50,M10.4.4/50", 2026, 3, 28, 0, 0, 2 * HOUR, 3 * HOUR},
        {"EET-2EEST,M3.4.4/50,M10.4.4/50", 2026, 10, 23, 23, 0, 3 * HOUR, 2 * HOUR},
        /* Days of the year: J60 is 1 March in every year, 59 is 29 February in a leap year */
        {"AAA0BBB,J60/0,J300/0", 2028, 3, 1, 0, 0, 0, HOUR},
        {"AAA0BBB,J60/0,J300/0", 2027, 3, 1, 0, 0, 0, HOUR},
        {"AAA0BBB,J59/0,J300/0", 2028, 2, 28, 0, 0, 0, HOUR},
        {"AAA0BBB,59/0,300/0", 2028, 2, 29, 0, 0, 0, HOUR},
        {"AAA0BBB,59/0,300/0", 2027, 3, 1, 0, 0, 0, HOUR},
        {"AAA0BBB,0/0,300/0", 2027, 1, 1, 0, 0, 0, HOUR},
        {"AAA0BBB,J1/0,J365/0", 2028, 12, 30, 23, 0, HOUR, 0},
        /* Times that lead into the year before and after */
        {"AAA0BBB,0/-1,100/0", 2026, 12, 31, 23, 0, 0, HOUR},
        {"AAA0BBB,100/0,J365/49", 2027, 1, 2, 0, 0, HOUR, 0},
        {"AAA3BBB1,J100/2:30:15,J200", 2026, 4, 10, 5, 30, -3 * HOUR, -3 * HOUR},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t at = utc(rows[i].year, rows[i].month, rows[i].day, rows[i].hour, rows[i].minute);
        int32_t before = by_rule(rows[i].rule, at - 1), after = by_rule(rows[i].rule, at);
        if (before != rows[i].before || after != rows[i].after)
            fail_msg("%s, %d-%d: %d then %d, not %d then %d", rows[i].rule, rows[i].year,
                     rows[i].month, before, after, rows[i].before, rows[i].after);
    }
    int64_t at = utc(2026, 4, 10, 5, 30) + 15;
    assert_int_equal(by_rule("AAA3BBB1,J100/2:30:15,J200", at - 1), -3 * HOUR);
    assert_int_equal(by_rule("AAA3BBB1,J100/2:30:15,J200", at), -1 * HOUR);
}

static void daylight_saving_may_last_all_year(void **state)
{
    (void)state;
    for (int64_t t = utc(2025, 12, 30, 0, 0); t < utc(2029, 1, 3, 0, 0); t += 1800) {
        assert_int_equal(by_rule("EST5EDT,0/0,J365/25", t), -4 * HOUR);
        assert_int_equal(by_rule("XXX3EDT4,0/0,J365/23", t), -4 * HOUR);
    }
}

static void malformed_rules_are_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "CET",
        "CE-1",
        "C3T-1",
        "<CET-1",
        "<>0",
        "CET-25",
        "CET-1:60",
        "CET-1:",
        "CET-1:00:60",
        "CET--1",
        "CET-1 ",
        "CET-1CEST",
        "CET-1CEST,",
        "CET-1CEST,M3.5.0",
        "CET-1CEST,M3.5.0,",
        "CET-1CEST,M3.5.0,M10.5.0,",
        "CET-1CEST,M0.5.0,M10.5.0",
        "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M3.0.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0",
        "CET-1CEST,M3.5,M10.5.0",
        "CET-1CEST,J0,J60",
        "CET-1CEST,J366,J60",
        "CET-1CEST,366,60",
        "CET-1CEST,M3.5.0/168,M10.5.0",
        "CET-1CEST,M3.5.0/,M10.5.0",
        "CET-1CEST,M3.5.0/2x,M10.5.0",
        "CET-1CE,M3.5.0,M10.5.0",
        "CET-99999999999999999999",
        "CET-1CEST,99999999999999999999,1",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (by_rule(bad[i], 0) != NOT_READ)
            fail_msg("read: \"%s\"", bad[i]);
}

/* ---- files ---- */

static const char *const zones_source =
    "Rule EU 1981 max - Mar lastSun 1:00u 1:00 S\n"
    "Rule EU 1996 max - Oct lastSun 1:00u 0 -\n"
    "Rule US 2007 max - Mar Sun>=8 2:00 1:00 D\n"
    "Rule US 2007 max - Nov Sun>=1 2:00 0 S\n"
    "Rule AN 2008 max - Apr Sun>=1 2:00s 0 S\n"
    "Rule AN 2008 max - Oct Sun>=1 2:00s 1:00 D\n"
    "Rule IE 1981 max - Mar lastSun 1:00u 0 -\n"
    "Rule IE 1996 max - Oct lastSun 1:00u -1:00 -\n"
    "Rule GL 2023 only - Oct lastSun 1:00u 0 -\n"
    "Rule GL 2024 max - Mar lastSun 1:00u 1:00 -\n"
    "Rule GL 2024 max - Oct lastSun 1:00u 0 -\n"
    "Zone Warsaw 1:00 EU CE%sT\n"
    "Zone New_York -5:00 US E%sT\n"
    "Zone Sydney 10:00 AN AE%sT\n"
    "Zone Dublin 1:00 IE IST/GMT\n"
    "Zone Nuuk -3:00 - -03 2023 Mar 26 1:00u\n -2:00 - -02 2023 Oct 29 1:00u\n -2:00 GL -02/-01\n"
    "Zone Tehran 3:30 - +0330\n"
    "Zone Moscow 3:00 - MSK 2011 Mar 27 2:00s\n 4:00 - MSK 2014 Oct 26 2:00s\n 3:00 - MSK\n";
static const char *const made[] = {"Warsaw", "New_York", "Sydney", "Dublin",
                                   "Nuuk",   "Tehran",   "Moscow"};
enum { N_MADE = sizeof made / sizeof *made };

/* The path of a zone in a folder of the scratch folder. */
static const char *zone_path(const char *form, const char *zone)
{
    char name[64];
    snprintf(name, sizeof name, "%s/%s", form, zone);
    return scratch_file(name).p;
}

static void make_zones(const char *form)
{
    int status;
    scratch_write("zones", zones_source);
    pid_t pid = fork();
    if (pid == 0) {
        const char *source = scratch_file("zones").p, *folder = scratch_file(form).p;
        execl("/usr/sbin/zic", "zic", "-b", form, "-d", folder, source, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static int32_t by_file(const char *path, int64_t unix_s)
{
    struct str bytes;
    struct err err;
    int32_t offset = NOT_READ;
    OK(file_read(path, 1 << 20, &bytes, &err));
    bool good = zone_file_offset(bytes, unix_s, &offset);
    assert_int_equal(good, offset != NOT_READ);
    file_free(bytes);
    return offset;
}

static int scratch_setup(void **state)
{
    (void)state;
    return !scratch_open();
}

static int scratch_teardown(void **state)
{
    (void)state;
    scratch_close();
    return 0;
}

static void slim_and_fat_files_agree_with_the_law(void **state)
{
    static const struct {
        const char *zone;
        double january, july; /* hours east, of 2026 and of 2060 */
    } rows[] = {{"Warsaw", 1, 2}, {"New_York", -5, -4}, {"Sydney", 11, 10}, {"Dublin", 0, 1},
                {"Nuuk", -2, -1}, {"Tehran", 3.5, 3.5}, {"Moscow", 3, 3}};
    static const char *const forms[] = {"slim", "fat"};
    (void)state;
    for (int f = 0; f < 2; f++) {
        make_zones(forms[f]);
        for (int i = 0; i < N_MADE; i++)
            for (int year = 2026; year <= 2060; year += 34) {
                const char *path = zone_path(forms[f], rows[i].zone);
                assert_int_equal(by_file(path, utc(year, 1, 15, 12, 0)), rows[i].january * HOUR);
                assert_int_equal(by_file(path, utc(year, 7, 15, 12, 0)), rows[i].july * HOUR);
            }
        const char *moscow = zone_path(forms[f], "Moscow"), *nuuk = zone_path(forms[f], "Nuuk");
        assert_int_equal(by_file(moscow, utc(2012, 1, 1, 0, 0)), 4 * HOUR);
        assert_int_equal(by_file(moscow, utc(2014, 10, 25, 21, 59)), 4 * HOUR);
        assert_int_equal(by_file(moscow, utc(2014, 10, 25, 22, 0)), 3 * HOUR);
        assert_int_equal(by_file(nuuk, utc(2022, 7, 1, 0, 0)), -3 * HOUR);
    }
}

static void slim_and_fat_files_agree_with_the_c_library(void **state)
{
    static const char *const forms[] = {"slim", "fat"};
    (void)state;
    for (int f = 0; f < 2; f++) {
        make_zones(forms[f]);
        for (int i = 0; i < N_MADE; i++) {
            char zone[600], path[512];
            snprintf(path, sizeof path, "%s", zone_path(forms[f], made[i]));
            snprintf(zone, sizeof zone, ":%s", path);
            for (int64_t t = utc(1990, 1, 1, 0, 0); t < utc(2080, 1, 1, 0, 0); t += 7 * HOUR * 5)
                if (by_file(path, t) != by_libc(zone, t))
                    fail_msg("%s, %lld: %d, not %d", zone, (long long)t, by_file(path, t),
                             by_libc(zone, t));
        }
    }
    unsetenv("TZ");
}

static void the_zones_of_the_machine_agree_with_the_c_library(void **state)
{
    static const char *const zones[] = {
        "Europe/Warsaw",      "Europe/Dublin",
        "America/New_York",   "America/Sao_Paulo",
        "America/Nuuk",       "America/St_Johns",
        "Australia/Sydney",   "Australia/Lord_Howe",
        "Asia/Tokyo",         "Asia/Kathmandu",
        "Asia/Gaza",          "Asia/Jerusalem",
        "Africa/Casablanca",  "Africa/Cairo",
        "Pacific/Kiritimati", "Pacific/Chatham",
        "Antarctica/Troll",   "America/Argentina/Buenos_Aires",
        "Etc/GMT+12",         "UTC",
    };
    (void)state;
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
        for (int64_t t = utc(1996, 1, 1, 0, 0); t < utc(2060, 1, 1, 0, 0); t += 41 * HOUR)
            if (by_name(zones[i], t) != by_libc(zones[i], t))
                fail_msg("%s, %lld: %d, not %d", zones[i], (long long)t, by_name(zones[i], t),
                         by_libc(zones[i], t));
    unsetenv("TZ");
}

/* A file of one kind of time and no change, with this offset and this footer. */
static int32_t by_bytes(int32_t offset, const char *footer, size_t cut)
{
    char bytes[400] = {0};
    size_t n = 0;
    for (int block = 0; block < 2; block++) {
        static const unsigned char counts[24] = {[19] = 1, [23] = 4};
        memcpy(bytes + n, "TZif2", 5);
        memcpy(bytes + n + 20, counts, sizeof counts);
        n += 44;
        for (int i = 0; i < 4; i++)
            bytes[n + (size_t)i] = (char)((uint32_t)offset >> (24 - 8 * i));
        n += 6;
        memcpy(bytes + n, "ABC", 4);
        n += 4;
    }
    memcpy(bytes + n, footer, strlen(footer));
    n += strlen(footer) - cut;
    int32_t ret = NOT_READ;
    bool good = zone_file_offset((struct str){bytes, n}, utc(2026, 1, 1, 0, 0), &ret);
    assert_int_equal(good, ret != NOT_READ);
    return ret;
}

static void the_footer_wins_after_the_last_change(void **state)
{
    (void)state;
    assert_int_equal(by_bytes(HOUR, "\n\n", 0), HOUR);
    assert_int_equal(by_bytes(HOUR, "\nABC-2\n", 0), 2 * HOUR);
}

static void a_damaged_file_is_an_unknown_zone(void **state)
{
    (void)state;
    assert_int_equal(by_bytes(HOUR, "", 0), NOT_READ);
    assert_int_equal(by_bytes(HOUR, "\n", 0), NOT_READ);
    assert_int_equal(by_bytes(HOUR, "ABC-2\n", 0), NOT_READ);
    assert_int_equal(by_bytes(HOUR, "\nABC-2", 0), NOT_READ);
    assert_int_equal(by_bytes(HOUR, "\nwhat?\n", 0), NOT_READ);
    for (size_t cut = 1; cut < 110; cut++)
        assert_int_equal(by_bytes(HOUR, "\n\n", cut), NOT_READ);
}

static void no_clock_is_more_than_fourteen_hours_away(void **state)
{
    (void)state;
    assert_int_equal(by_bytes(14 * HOUR, "\n\n", 0), 14 * HOUR);
    assert_int_equal(by_bytes(-14 * HOUR, "\n\n", 0), -14 * HOUR);
    assert_int_equal(by_bytes(14 * HOUR + 1, "\n\n", 0), NOT_READ);
    assert_int_equal(by_bytes(-14 * HOUR - 1, "\n\n", 0), NOT_READ);
    assert_int_equal(by_bytes(0, "\nABC-14\n", 0), 14 * HOUR);
    assert_int_equal(by_bytes(0, "\nABC-15\n", 0), NOT_READ);
    assert_int_equal(by_bytes(0, "\nABC15\n", 0), NOT_READ);
    assert_int_equal(by_name("+14", 0), 14 * HOUR);
    assert_int_equal(by_name("-14:00", 0), -14 * HOUR);
    assert_int_equal(by_name("+14:01", 0), NOT_READ);
    assert_int_equal(by_name("+15", 0), NOT_READ);
    assert_int_equal(by_name("-24", 0), NOT_READ);
}

/* ---- names ---- */

static void fixed_offsets_are_read(void **state)
{
    (void)state;
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

static void a_name_cannot_leave_the_folder(void **state)
{
    static const char *const bad[] = {
        "../../../etc/passwd",
        "Europe/../../../etc/passwd",
        "/etc/localtime",
        "Europe",
        "Nowhere/Atlantis",
        "Europe/Warsaw\n",
        "europe/warsaw",
        "right/Europe/Warsaw",
        "AaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaA",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (by_name(bad[i], 0) != NOT_READ)
            fail_msg("read: \"%s\"", bad[i]);
}

static void a_cache_gives_the_same_answers_and_reads_a_file_once_a_minute(void **state)
{
    static const char *const zones[] = {
        "Europe/Warsaw", "America/St_Johns", "Asia/Gaza", "+03:00", "", "Nowhere/Atlantis"};
    enum { ZONES = sizeof zones / sizeof *zones, MINUTES = 120, TIMES = 3 };
    struct cache *cache = cache_open(16, 4096);
    int64_t from = utc(2026, 3, 29, 0, 0); /* Warsaw changes at 01:00 */
    (void)state;
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

static void the_next_change_of_a_zone(void **state)
{
    struct cache *cache = cache_open(16, 4096);
    struct zone_change at;
    int64_t spring = utc(2026, 3, 29, 1, 0) * 1000, autumn = utc(2026, 10, 25, 1, 0) * 1000;
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_without_daylight_saving_are_constant),
        cmocka_unit_test(changes_come_at_their_second),
        cmocka_unit_test(daylight_saving_may_last_all_year),
        cmocka_unit_test(malformed_rules_are_refused),
        cmocka_unit_test_setup_teardown(slim_and_fat_files_agree_with_the_law, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(slim_and_fat_files_agree_with_the_c_library, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test(the_zones_of_the_machine_agree_with_the_c_library),
        cmocka_unit_test(the_footer_wins_after_the_last_change),
        cmocka_unit_test(a_damaged_file_is_an_unknown_zone),
        cmocka_unit_test(no_clock_is_more_than_fourteen_hours_away),
        cmocka_unit_test(fixed_offsets_are_read),
        cmocka_unit_test(a_name_cannot_leave_the_folder),
        cmocka_unit_test(a_cache_gives_the_same_answers_and_reads_a_file_once_a_minute),
        cmocka_unit_test(the_next_change_of_a_zone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
