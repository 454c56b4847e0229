/* What is in quarantine is tried again: it is handled once, whenever the daemon fails or dies
 * meanwhile, and nothing is left of it. */
#include "fixture/daemon_run.h"
#include "stride.h"

#include "store.h"
#include "store_quarantine.h"
#include "update.h"

enum {
    ENDLESS = 3000,
    UPDATE_ROW = 1,
    MATCH_ROW = 2,
    ASIDE_MS = 90 * 60 * 1000,
    SLACK_MS = 5 * 60 * 1000
};

static struct err err;
static int64_t due; /* of the match, when it was set aside */

FIXTURE(setup)
{
    return !daemon_run_setup();
}

FIXTURE(teardown)
{
    daemon_run_teardown();
    return 0;
}

/* A match that runs, with a clock. */
static void play(void)
{
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    struct session s;
    assert_non_null(l);
    peer_types(daemon_run_peer, "tea", "bo", "/ping");
    peer_types(daemon_run_peer, "tea", "ann", "/challenge @bo standard 3 clock=1d");
    peer_types(daemon_run_peer, "tea", "bo", "/accept");
    daemon_run_for(l, 5000);
    daemon_run_session(daemon_run_store(l), 1, &s);
    assert_int_equal(s.phase, SESSION_PLAYING);
    due = s.due;
    daemon_run_close(l);
}

/* An update and the match, which is sound, come into quarantine while no daemon runs. */
static void quarantine(void)
{
    struct store *store;
    const struct update u = {.kind = UPDATE_TEXT,
                             .id = STR("77777"),
                             .chat = STR("den"),
                             .from = {.id = STR("cy"), .name = STR("Cy")},
                             .text = STR("/ping keptz")};
    arena_reset(daemon_run_arena);
    OK(store_open(scratch_store(), &store, &err));
    store_begin(store);
    store_quarantine(store, 1, daemon_run_wall(), STR("raw"), update_pack(&u, daemon_run_arena),
                     STR("why"));
    (void)store_quarantine_session(store, daemon_run_arena, 1, daemon_run_wall(), STR("why"));
    OK(store_commit(store, &err));
    store_close(store);
}

/* As another process does it, whether a daemon has the store open or not. */
static void want(int64_t row)
{
    struct store *beside;
    OK(store_open_beside(scratch_store(), &beside, &err));
    bool found = store_want_again(beside, row);
    assert_true(found);
    store_close(beside);
}

static void begin_story(void)
{
    daemon_run_begin();
    play();
    quarantine();
    daemon_run_pause(ASIDE_MS);
    want(UPDATE_ROW);
    want(MATCH_ROW);
}

static struct quarantined_rows left(void)
{
    struct store *store;
    arena_reset(daemon_run_arena);
    OK(store_open_to_read(scratch_store(), &store, &err));
    struct quarantined_rows rows = store_quarantined(store, daemon_run_arena, 0, 10);
    store_close(store);
    return rows;
}

static int said(const char *text, bool again)
{
    int n = 0;
    for (int k = 0; k < peer_count(daemon_run_peer); k++) {
        struct peer_request r = peer_request(daemon_run_peer, k);
        n += strstr(r.body, text) && !strstr(r.body, "\"maybe_sent\":true") == !again;
    }
    return n;
}

static void check(int n, const char *how)
{
    static const char *const texts[] = {"pong keptz", "read match #1 again"};
    for (int i = 0; i < 2; i++)
        if (said(texts[i], false) > 1 || said(texts[i], false) + said(texts[i], true) < 1)
            fail_msg("%s %d: \"%s\" said %d times, and %d times again", how, n, texts[i],
                     said(texts[i], false), said(texts[i], true));
    if (left().n > 0)
        fail_msg("%s %d: %d rows are left", how, n, left().n);
    struct store *store;
    struct session s;
    OK(store_open(scratch_store(), &store, &err));
    daemon_run_session(store, 1, &s);
    store_close(store);
    assert_int_equal(s.phase, SESSION_PLAYING);
    assert_in_range(s.due, due + ASIDE_MS, due + ASIDE_MS + SLACK_MS); /* no clock ran */
}

TEST_WITH(both_are_handled_and_leave, setup, teardown)
{
    int ignored;
    begin_story();
    assert_true(daemon_run_whole(STR(""), DB_FAILS, 0, 0, &ignored));
    check(0, "run");
    assert_int_equal(said("pong keptz", false), 1);
    assert_int_equal(said("read match #1 again", false), 1);
    daemon_run_end();
}

TEST_WITH(one_failing_call, setup, teardown)
{
    int calls = 0, ignored, n = 1;
    for (; n < ENDLESS && n <= calls + 1; n += stride(31, 1)) {
        begin_story();
        if (!daemon_run_whole(STR(""), DB_FAILS, n, 1, &calls)) {
            calls = n + stride(31, 1); /* too early to start: the next start works */
            assert_true(daemon_run_whole(STR(""), DB_FAILS, 0, 0, &ignored));
        }
        check(n, "call failing:");
        daemon_run_end();
    }
    assert_in_range(n, 50, ENDLESS - 1);
}

static void dying_at_each_call(enum db_fault fault)
{
    int ignored, n = 1;
    for (bool died = true; died && n < ENDLESS; n += stride(31, 1)) {
        begin_story();
        died = daemon_run_dies(STR(""), fault, n);
        assert_true(daemon_run_whole(STR(""), DB_FAILS, 0, 0, &ignored));
        check(n, "dead at call");
        daemon_run_end();
    }
    assert_in_range(n, 50, ENDLESS - 1);
}

TEST_WITH(dying_before_a_call, setup, teardown)
{
    dying_at_each_call(DB_DIES);
}

TEST_WITH(dying_after_a_call, setup, teardown)
{
    dying_at_each_call(DB_DIES_AFTER);
}

/* Whatever the damage was, it is there still. */
TEST_WITH(a_match_that_is_damaged_still_comes_back, setup, teardown)
{
    static const char *const damages[][2] = {
        {"UPDATE session SET people = '1 1'", "the checksum does not hold"},
        {"UPDATE session SET line = 'x'", "cannot be read"},
        {"UPDATE record SET lines = 'x'", "a checksum of its record does not hold"},
        {"DELETE FROM session", "is not in the store"}};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        int ignored;
        daemon_run_begin();
        play();
        quarantine();
        scratch_store_damaged();
        scratch_store_sql(damages[i][0]);
        want(MATCH_ROW);
        assert_true(daemon_run_whole(STR(""), DB_FAILS, 0, 0, &ignored));
        struct quarantined_rows rows = left();
        assert_int_equal(rows.n, 2);
        assert_false(rows.at[1].again);
        if (!strstr(arena_str(daemon_run_arena, rows.at[1].why).p, damages[i][1]))
            fail_msg("expected \"%s\", got \"%.*s\"", damages[i][1], STR_ARG(rows.at[1].why));
        assert_int_equal(said("read match", false), 0);
        daemon_run_end();
    }
}

TEST_WITH(a_running_daemon_takes_it_with_its_next_event, setup, teardown)
{
    daemon_run_begin();
    play();
    quarantine();
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    assert_non_null(l);
    daemon_run_for(l, 5000);
    want(UPDATE_ROW);
    peer_types(daemon_run_peer, "tea", "ann", "/ping other");
    daemon_run_for(l, 5000);
    daemon_run_close(l);
    assert_int_equal(said("pong keptz", false), 1);
    assert_int_equal(left().n, 1);
    daemon_run_end();
}
