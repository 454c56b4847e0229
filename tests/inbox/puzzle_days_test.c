/* Days of puzzles: the time of the next one under daylight saving, and runs of days. */
#include "fixture/store_fixture.h"
#include "inbox_features.h"
#include "store_puzzle.h"

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
    c.puzzle = (uint16_t)(hour * 60 + minute + 1);
    return c;
}

static void next_is(const struct chat_settings *c, int64_t now, int64_t next)
{
    assert_int_equal(day_calendar_at(c, c->puzzle, now).next, next);
}

/* ---- the calendar ---- */

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
            struct day_calendar calendar = day_calendar_at(&c, c.puzzle, now);
            while (calendar.next < utc(2028, 1, 1, 0, 0)) {
                now = calendar.next;
                calendar = day_calendar_at(&c, c.puzzle, now);
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

TEST(a_chat_without_puzzles_has_a_day_and_no_time)
{
    struct chat_settings c = daily("Asia/Tokyo", 9, 0);
    c.puzzle = 0;
    struct day_calendar calendar = day_calendar_at(&c, c.puzzle, utc(2026, 11, 21, 16, 0));
    assert_int_equal(calendar.today, day_of(2026, 11, 22));
    assert_int_equal(calendar.next, 0);
    assert_false(calendar.passed);
}

TEST(a_time_of_today_has_passed_or_not)
{
    const struct chat_settings c = daily("UTC", 9, 0);
    struct day_calendar calendar = day_calendar_at(&c, c.puzzle, utc(2026, 11, 21, 8, 59));
    assert_false(calendar.passed);
    assert_int_equal(calendar.next, utc(2026, 11, 21, 9, 0));
    calendar = day_calendar_at(&c, c.puzzle, utc(2026, 11, 21, 9, 0));
    assert_true(calendar.passed);
    assert_int_equal(calendar.next, utc(2026, 11, 22, 9, 0));
}

/* ---- runs of days ---- */

static int64_t newcomer(const char *id)
{
    const struct sender who = {.id = str_of(id), .name = str_of(id)};
    struct person p = store_person(store_fixture, store_fixture_arena, 1, &who);
    return p.id;
}

static void answers(int64_t handle, int64_t day, bool solved)
{
    const struct puzzle_answer a = {
        .day = day, .handle = handle, .answer = 1, .at = day * 1000 + handle, .solved = solved};
    store_add_puzzle_answer(store_fixture, &a);
}

static struct puzzle_record record_before(int64_t who, int64_t day)
{
    return puzzle_record_load(store_fixture, store_fixture_arena, who, day);
}

static void record_is(struct puzzle_record r, int64_t answered, int64_t solved, int64_t run,
                      int64_t longest)
{
    assert_int_equal(r.answered, answered);
    assert_int_equal(r.solved, solved);
    assert_int_equal(r.run, run);
    assert_int_equal(r.longest, longest);
}

STORE_TEST(a_run_counts_days_in_a_row_without_the_open_one)
{
    int64_t ann = newcomer("ann");
    record_is(record_before(ann, 100), 0, 0, 0, 0);
    for (int64_t day = 90; day <= 94; day++)
        answers(ann, day, true);
    answers(ann, 95, false);
    answers(ann, 97, true);
    answers(ann, 98, true);
    answers(ann, 99, true);
    record_is(record_before(ann, 99), 8, 7, 2, 5); /* 99 is open: it gives nothing away */
    record_is(record_before(ann, 100), 9, 8, 3, 5);
    record_is(record_before(ann, 101), 9, 8, 0, 5); /* 100 was missed */
    record_is(record_before(ann, 96), 6, 5, 0, 5);  /* 95 was wrong */
    record_is(record_before(ann, 95), 5, 5, 5, 5);
}

STORE_TEST(linked_handles_are_one_person_and_the_first_answer_counts)
{
    int64_t bo = newcomer("bo"), other = newcomer("bo-elsewhere");
    answers(bo, 50, true);
    answers(other, 51, true);
    store_link(store_fixture, bo, other);
    record_is(record_before(bo, 52), 2, 2, 2, 2);
    answers(bo, 52, true);
    answers(other, 52, false); /* later */
    record_is(record_before(bo, 53), 3, 3, 3, 3);
}

STORE_TEST(an_answer_is_one_a_day)
{
    const struct puzzle_answer again = {.day = 7, .answer = 2, .at = 8};
    struct puzzle_answer a = again;
    a.handle = newcomer("cy");
    answers(a.handle, 7, true);
    store_add_puzzle_answer(store_fixture, &a);
    store_fixture_fails("");
}
