/* Forgetting: names leave matches and records in small steps, and a process that dies between two
 * of them takes nothing back. And before it: what is kept of a person is listed. */
#include "fixture/session_fixture.h"
#include "fixture/store_fixture.h"

#include "inbox_features.h"
#include "store_forget.h"
#include "store_played.h"

#include <string.h>

enum { MATCHES = 20, OTHERS = 2500, STEP_MOST = 8, STEPS_MOST = 1000 };

static struct err err;
static int64_t ann, bo;

static int setup(void **state)
{
    if (session_fixture_setup(state) || store_fixture_setup(state))
        return 1;
    ann = store_fixture_person(1, "Ann").id;
    bo = store_fixture_person(1, "Bo").id;
    return 0;
}

static int teardown(void **state)
{
    return store_fixture_teardown(state) + session_fixture_teardown(state);
}

/* A match of two that is over, with its record. */
static void played(int64_t one, const char *name, int64_t other)
{
    static char bytes[SESSION_LINE];
    struct session s = session_fixture_match(session_fixture_rules("standard"), 2);
    struct session_row row = {
        .version = 1, .live = true, .n_people = 2, .person = {one, other}, .line = STR("new")};
    s.phase = SESSION_OVER;
    s.end = END_ABANDONED;
    s.player[0].person = one;
    s.player[1].person = other;
    NAME_PUT(s.player[0].name, str_of(name));
    row.id = store_new_session(store_fixture, &row);
    struct buf line = {bytes, 0, sizeof bytes, false};
    row.version = 2;
    row.live = false;
    row.line = session_write(&s, &line);
    assert_null(session_read(row.line, &session_fixture_rulesets, &s));
    store_save(store_fixture, &row, 1);
    char record[128];
    snprintf(record, sizeof record,
             "{\"t\":\"match\",\"players\":[\"%s\",\"Bo\"]}\n{\"t\":\"deal\"}\n", name);
    store_append_record(store_fixture, row.id, str_of(record));
}

static void played_often(int n)
{
    store_begin(store_fixture);
    for (int i = 0; i < n; i++)
        played(ann, "Ann", bo);
    OK(store_commit(store_fixture, &err));
}

static bool holds(struct str text, const char *name)
{
    return memmem(text.p, text.n, name, strlen(name)) != NULL;
}

/* Of the matches up to `last`: how many still hold that name, in the session or the record. */
static int hold(int64_t last, const char *name)
{
    int n = 0;
    for (int64_t id = 1; id <= last; id++) {
        struct arena *a = arena_open(1 << 20);
        struct session_row row;
        bool found = GOT(row, store_session(store_fixture, a, id));
        struct str record = store_record(store_fixture, a, id);
        assert_true(found && !row.damaged && record.n > 0);
        assert_int_equal(holds(row.line, name), holds(record, name));
        n += holds(row.line, name);
        arena_close(a);
    }
    return n;
}

static void forget(int64_t who)
{
    store_begin(store_fixture);
    int live = forget_person(store_fixture, who, STR("somebody"));
    OK(store_commit(store_fixture, &err));
    assert_int_equal(live, 0);
}

static bool step(void)
{
    store_begin(store_fixture);
    bool more = forget_step(store_fixture, &session_fixture_rulesets);
    OK(store_commit(store_fixture, &err));
    return more;
}

static int steps_to_the_end(void)
{
    int n = 0;
    while (step() && n < STEPS_MOST)
        n++;
    assert_true(n < STEPS_MOST);
    return n;
}

TEST_WITH(a_step_takes_the_name_out_of_a_few_matches, setup, teardown)
{
    played_often(MATCHES);
    forget(ann);
    assert_int_equal(hold(MATCHES, "Ann"), MATCHES);
    for (int before = MATCHES, now; before > 0; before = now) {
        assert_true(step());
        now = hold(MATCHES, "Ann");
        assert_true(now < before && before - now <= STEP_MOST);
    }
    assert_true(steps_to_the_end() > 0);
    assert_int_equal(hold(MATCHES, "somebody"), MATCHES);
    assert_int_equal(hold(MATCHES, "Bo"), MATCHES);
    assert_false(step());
}

/* The second step is lost with its process. */
TEST_WITH(a_new_process_goes_on_where_the_last_one_was, setup, teardown)
{
    played_often(MATCHES);
    forget(ann);
    assert_true(step());
    int left = hold(MATCHES, "Ann");
    store_begin(store_fixture);
    (void)forget_step(store_fixture, &session_fixture_rulesets);
    assert_false(store_failed(store_fixture));
    store_rollback(store_fixture);
    store_fixture_reopen();
    assert_int_equal(hold(MATCHES, "Ann"), left);
    steps_to_the_end();
    assert_int_equal(hold(MATCHES, "Ann"), 0);
}

/* Matches of others are passed over in stretches, too. */
TEST_WITH(a_step_looks_at_a_stretch_of_all_matches, setup, teardown)
{
    store_begin(store_fixture);
    for (int i = 0; i < OTHERS; i++)
        played(bo, "Cy", bo);
    played(ann, "Ann", bo);
    OK(store_commit(store_fixture, &err));
    forget(ann);
    assert_true(step() && step());
    assert_int_equal(hold(OTHERS + 1, "Ann"), 1);
    steps_to_the_end();
    assert_int_equal(hold(OTHERS + 1, "Ann"), 0);
    assert_int_equal(hold(OTHERS + 1, "Cy"), OTHERS);
}

TEST_WITH(every_handle_of_a_person_leaves_its_matches, setup, teardown)
{
    int64_t other = store_fixture_person(2, "Anna").id;
    store_begin(store_fixture);
    for (int i = 0; i < MATCHES; i++)
        played(i % 2 ? ann : other, i % 2 ? "Ann" : "Anna", bo);
    store_link(store_fixture, ann, other);
    OK(store_commit(store_fixture, &err));
    forget(ann);
    steps_to_the_end();
    assert_int_equal(hold(MATCHES, "Ann"), 0);
    assert_int_equal(hold(MATCHES, "somebody"), MATCHES);
}

/* Whoever writes again meanwhile is somebody else, whose matches stay. */
TEST_WITH(who_comes_again_is_not_forgotten_again, setup, teardown)
{
    played_often(MATCHES);
    forget(ann);
    int64_t again = store_fixture_person(1, "Ann").id;
    assert_true(again != ann);
    played(again, "Ann", bo);
    steps_to_the_end();
    assert_int_equal(hold(MATCHES + 1, "Ann"), 1);
}

/* ---- what is kept ---- */

static void result(int session, int seat)
{
    const struct played p = {.session = session,
                             .seat = seat,
                             .person = ann,
                             .rated = ann,
                             .season = STR("2026q4"),
                             .rules = STR("standard"),
                             .best_hand = STR("three-lights")};
    store_add_played(store_fixture, &p, 1);
}

static void results(int n)
{
    store_begin(store_fixture);
    for (int i = 1; i <= n; i++)
        result(i, 0);
    OK(store_commit(store_fixture, &err));
}

static int lines_with(struct str text, const char *what)
{
    int n = 0;
    while (text.n > 0)
        n += holds(str_cut(text, '\n', &text), what);
    return n;
}

/* In an arena of the size that an event has. */
static struct str listing(void)
{
    static struct arena *a;
    arena_close(a);
    a = arena_open(32 << 20);
    return forget_listing(store_fixture, a, ann);
}

TEST_WITH(a_listing_has_every_match, setup, teardown)
{
    results(1234);
    struct str all = listing();
    assert_int_equal(lines_with(all, "\"t\":\"match\""), 1234);
    assert_int_equal(lines_with(all, "\"no\":1,"), 1);
    assert_int_equal(lines_with(all, "left_out"), 0);
}

/* Who linked both handles of a match afterwards held both seats. Matches are read by the hundred;
 * one of these stands wherever such a page may end. */
TEST_WITH(a_listing_has_both_seats_of_a_match, setup, teardown)
{
    results(1234);
    for (int i = 700; i < 800; i++)
        result(i, 1);
    struct str all = listing();
    assert_int_equal(lines_with(all, "\"t\":\"match\""), 1334);
    assert_int_equal(lines_with(all, "\"seat\":1,"), 100);
    assert_int_equal(lines_with(all, "\"no\":735,"), 2);
}

/* Years of play, or a day of a program: an event has room for so many, and no more. */
TEST_WITH(a_listing_says_what_it_leaves_out, setup, teardown)
{
    char last[64];
    results(40000);
    struct str all = listing();
    int n = lines_with(all, "\"t\":\"match\"");
    assert_in_range(n, 10000, 39999);
    snprintf(last, sizeof last, "{\"t\":\"left_out\",\"from_no\":%d}", 40000 - n);
    assert_int_equal(lines_with(all, last), 1);
    assert_true(all.p[all.n - 1] == '\n');
}
