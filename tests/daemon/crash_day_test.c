/* Crash test of what comes to private chats by itself and what strangers share: the puzzle of the
 * day that is due, an answer to it, two searches for an opponent that meet, and an announcement of
 * the operator. The database fails, or the daemon dies, one call or request later each time; in
 * each case the chat gets its puzzle once, the answer counts once, the two play one match, and each
 * of them reads the announcement once.
 */
#include "fixture/daemon_run.h"
#include "stride.h"

#include "store_puzzle.h"
#include "store_seek.h"

enum { DAY = 10 /* since 1970-01-01: day 0 has no puzzle */, ENDLESS = 3000 };
static const int64_t MINUTE_MS = 60 * 1000, DAY_MS = 24 * 3600 * (int64_t)1000;

FIXTURE(setup)
{
    return daemon_run_setup() ? 0 : 1;
}

FIXTURE(teardown)
{
    daemon_run_teardown();
    return 0;
}

/* Ann's chat wants a puzzle at half past. */
static void want_puzzle(void)
{
    int ignored;
    peer_types(daemon_run_peer, "@ann", "ann", "/settings puzzle=0:30");
    assert_true(daemon_run_whole(STR(""), DB_FAILS, 0, 0, &ignored));
}

/* What was wanted is due, and updates wait. */
static void begin_story(void)
{
    daemon_run_begin();
    daemon_run_pause(DAY * DAY_MS);
    want_puzzle();
    daemon_run_pause(20 * MINUTE_MS);
    peer_hands_out(daemon_run_peer, 1);
    peer_types(daemon_run_peer, "@ann", "ann", "/seek standard 3");
    peer_types(daemon_run_peer, "@bo", "bo", "/puzzle 2");
    peer_types(daemon_run_peer, "@bo", "bo", "/seek standard 3");
    peer_types(daemon_run_peer, "@ann", "ann", "/announce Tea at five");
}

/* ---- what must stand ---- */

#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s %d: %s", how, n, #condition);                                             \
    } while (0)

struct shown {
    const char *chat, *text;
};
static const struct shown shown[] = {
    {"@ann", "Puzzle of the day"},
    {"@bo", "Your answer: "},
    {"@ann", "ann and bo have found each"},
    {"@bo", "ann and bo have found each"},
    {"@ann", "the match begins"},
    {"@bo", "the match begins"},
    {"@ann", "On its way. Chats: 2"},
    {"@ann", "bot: Tea at five"},
    {"@bo", "bot: Tea at five"},
};

/* Each was sent; twice only if the network may have lost the first, and then marked. */
static void check_chats(const char *how, int n)
{
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char chat[32];
        int fresh = 0, again = 0;
        snprintf(chat, sizeof chat, "\"%s\"", shown[i].chat);
        for (int k = 0; k < peer_count(daemon_run_peer); k++) {
            struct peer_request r = peer_request(daemon_run_peer, k);
            if (strcmp(r.method, "sendMessage") == 0 && strstr(r.body, chat) &&
                strstr(r.body, shown[i].text))
                ++*(strstr(r.body, "\"maybe_sent\":true") ? &again : &fresh);
        }
        if (fresh > 1 || fresh + again < 1)
            fail_msg("%s %d: %s read “%s” %d times, %d times again", how, n, shown[i].chat,
                     shown[i].text, fresh, again);
    }
    HOLDS(peer_asked(daemon_run_peer, "sendMessage", "answered already") == 0);
    HOLDS(peer_asked(daemon_run_peer, "sendMessage", "looking already") == 0);
}

static void check_puzzle(const char *how, int n, struct store *store)
{
    struct chat ann = store_chat(store, daemon_run_arena, 1, STR("@ann"), STR(""), true);
    struct daily_post post = store_daily_post(store, &puzzle_posts, ann.id);
    HOLDS(post.day == DAY && post.due == (DAY + 1) * DAY_MS + 30 * MINUTE_MS);
    HOLDS(store_puzzle_count(store, DAY).answered == 1);
}

static void check_store(const char *how, int n, struct store *store)
{
    struct ids seeks;
    arena_reset(daemon_run_arena);
    check_puzzle(how, n, store);
    struct session_rows live = store_live_sessions(store, daemon_run_arena, 0, 10);
    HOLDS(live.n == 1 && live.at[0].n_people == 2 && live.at[0].n_chats == 2);
    for (int i = 0; i < live.at[0].n_people; i++) {
        seeks = store_seeks_of(store, daemon_run_arena, live.at[0].person[i]);
        HOLDS(seeks.n == 0);
    }
    struct out_rows left = store_outbox(store, daemon_run_arena, 0, STR(""), 0, 100);
    HOLDS(left.n == 0);
}

/* The end of a disturbed run: another one completes it. */
static void check(const char *how, int n)
{
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    assert_non_null(l);
    daemon_run_for(l, DAEMON_RUN_MS);
    check_store(how, n, daemon_run_store(l));
    daemon_run_close(l);
    check_chats(how, n);
    daemon_run_end();
}

/* ---- the tests ---- */

TEST_WITH(undisturbed, setup, teardown)
{
    begin_story();
    check("undisturbed", 0);
}

TEST_WITH(the_database_fails, setup, teardown)
{
    int calls = 1, n = 1;
    for (; n <= calls && n < ENDLESS; n += stride(97, 1)) {
        begin_story();
        if (!daemon_run_whole(STR(""), DB_FAILS, n, 1, &calls))
            calls = n + stride(97, 1); /* it could not start: later points tell */
        check("call failing", n);
    }
    assert_in_range(n, 100, ENDLESS);
}

static void dying_at_each_call(enum db_fault fault, const char *how)
{
    int n = 1;
    for (bool died = true; died && n < ENDLESS; n += stride(97, 1)) {
        begin_story();
        died = daemon_run_dies(STR(""), fault, n);
        check(how, n);
    }
    assert_in_range(n, 100, ENDLESS);
}

TEST_WITH(dying_before_a_call_of_the_database, setup, teardown)
{
    dying_at_each_call(DB_DIES, "dead before call");
}

TEST_WITH(dying_after_a_call_of_the_database, setup, teardown)
{
    dying_at_each_call(DB_DIES_AFTER, "dead after call");
}

static void killed_at_each_request(bool after, const char *how)
{
    int n = 1;
    for (bool killed = true; killed && n < ENDLESS; n += stride(23, 1)) {
        begin_story();
        killed = daemon_run_killed_by_peer(daemon_run_peer, STR(""), n, after);
        check(how, n);
    }
    assert_in_range(n, 10, ENDLESS);
}

TEST_WITH(killed_when_a_request_is_sent, setup, teardown)
{
    killed_at_each_request(false, "killed before request");
}

TEST_WITH(killed_when_a_request_is_answered, setup, teardown)
{
    killed_at_each_request(true, "killed after request");
}
