/* Downtime: after hours without the daemon each chat with a running match gets one message that
 * names the player to move, and no clock ran meanwhile; also if the daemon dies at any database
 * call while it sends these. */
#include "fixture/daemon_run.h"
#include "stride.h"

#include <cjson/cJSON.h>

#include "session.h"

enum { HOUR = 3600 * 1000, CHATS = 3 };
static const char *const chats[CHATS] = {"tea", "den", "lair"};

static void live(int64_t ms)
{
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    assert_non_null(l);
    daemon_run_for(l, ms);
    daemon_run_close(l);
}

/* One run of the daemon. Returns a match as it is at the end. */
static struct session live_to(int64_t ms, int64_t no)
{
    struct session is;
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    assert_non_null(l);
    daemon_run_for(l, ms);
    daemon_run_session(daemon_run_store(l), no, &is);
    daemon_run_close(l);
    return is;
}

/* Matches in the first two chats and a challenge in the third. Returns match 1. */
static struct session begin(void)
{
    struct session first;
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    assert_non_null(l);
    for (int i = 0; i < CHATS; i++) {
        peer_types(daemon_run_peer, chats[i], "ann",
                   "/challenge @bo standard 3 clock=4h table_four=keep");
        daemon_run_for(l, 1000);
        if (i < CHATS - 1)
            peer_types(daemon_run_peer, chats[i], "bo", "/accept");
        daemon_run_for(l, 1000);
    }
    daemon_run_session(daemon_run_store(l), 1, &first);
    daemon_run_close(l);
    return first;
}

/* Number of those messages in the chat. `again`: counts also repeats that follow a crash. */
static int times(const char *chat, const char *part, bool again)
{
    int n = 0;
    for (int i = 0; i < peer_count(daemon_run_peer); i++) {
        struct peer_request r = peer_request(daemon_run_peer, i);
        cJSON *o = cJSON_Parse(r.body);
        const cJSON *id = cJSON_GetObjectItemCaseSensitive(o, "chat_id");
        const cJSON *text = cJSON_GetObjectItemCaseSensitive(o, "text");
        bool known = !cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(o, "maybe_sent"));
        n += cJSON_IsString(id) && strcmp(id->valuestring, chat) == 0 && cJSON_IsString(text) &&
             strstr(text->valuestring, part) != NULL && (known || again);
        cJSON_Delete(o);
    }
    return n;
}

static int said(const char *chat, const char *part)
{
    return times(chat, part, false);
}

DAEMON_TEST(a_long_stop_is_announced_once_and_moves_deadlines)
{
    struct session was = begin(), is;
    daemon_run_pause(9 * HOUR);
    live(1000);
    is = live_to(1000, 1);
    assert_int_equal(is.due - was.due, is.moved - was.moved);
    assert_in_range(is.due - was.due, 9 * HOUR, 9 * HOUR + 10 * 60 * 1000);
    for (int i = 0; i < CHATS; i++) {
        assert_int_equal(said(chats[i], "I was away for 9 hours"), i < CHATS - 1);
        assert_int_equal(said(chats[i], "runs out"), 0);
        assert_int_equal(said(chats[i], "time is up"), 0);
        assert_int_equal(said(chats[i], "expired"), 0);
    }
    is = live_to(0, 3); /* nor has a challenge expired */
    assert_int_equal(is.phase, SESSION_OFFERED);
    live(4 * HOUR); /* from here on it runs again */
    assert_int_equal(said("tea", "time is up"), 1);
    assert_int_equal(said("tea", "I was away"), 1);
}

DAEMON_TEST(a_short_stop_is_not_announced)
{
    struct session was = begin(), is;
    daemon_run_pause(HOUR / 4);
    is = live_to(1000, 1);
    assert_int_equal(session_deadline(&is), session_deadline(&was));
    assert_int_equal(said("tea", "I was away"), 0);
}

/* A running daemon is not away, however long it idles. */
DAEMON_TEST(an_idle_daemon_was_not_away)
{
    (void)begin();
    live(3 * HOUR);
    live(1000);
    assert_int_equal(said("tea", "I was away"), 0);
}

/* The daemon dies at some call while it sends the messages, in more chats than it handles at once,
 * and stays down for another nine hours: both stops count. */
DAEMON_TEST(a_stop_while_telling_of_a_stop_counts_too)
{
    enum { ROOMS = 60, FIRST = 40 };
    char chat[16], person[16];
    bool died = true;
    int n = FIRST;
    for (; died; n += stride(241, 20)) {
        if (n > FIRST)
            daemon_run_end(), daemon_run_begin();
        struct session was = begin(), is;
        struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
        for (int i = 0; i < ROOMS; i++) {
            snprintf(chat, sizeof chat, "room%d", i);
            snprintf(person, sizeof person, "p%d", i);
            peer_types(daemon_run_peer, chat, person, "/challenge open standard 3");
        }
        daemon_run_for(l, 5000);
        daemon_run_close(l);
        daemon_run_pause(9 * HOUR);
        died = daemon_run_dies(STR(""), DB_DIES, n);
        daemon_run_pause(9 * HOUR);
        is = live_to(2000, 1);
        assert_in_range(is.due - was.due, 18 * HOUR - DAEMON_RUN_MS, /* the run between */
                        18 * HOUR + 10 * 60 * 1000);
        is = live_to(2000, CHATS + ROOMS);
        assert_int_equal(is.phase, SESSION_OFFERED);
        assert_int_equal(said("tea", "runs out"), 0);
    }
    assert_true(n > 4 * FIRST);
}

static void dying_while_telling(enum db_fault fault)
{
    bool died = true;
    int n = 1;
    for (; died; n += stride(23, 1)) {
        if (n > 1)
            daemon_run_end(), daemon_run_begin();
        struct session was = begin(), is;
        daemon_run_pause(9 * HOUR);
        died = daemon_run_dies(STR(""), fault, n);
        is = live_to(1000, 1);
        assert_in_range(is.due - was.due, 9 * HOUR, 9 * HOUR + 10 * 60 * 1000);
        for (int i = 0; i < CHATS - 1; i++) {
            assert_in_range(said(chats[i], "I was away for 9 hours"), 0, 1);
            assert_true(times(chats[i], "I was away for 9 hours", true) > 0);
        }
        for (int i = 0; i < CHATS; i++)
            assert_int_equal(said(chats[i], "runs out"), 0);
    }
    assert_true(n > 30);
}

DAEMON_TEST(dying_before_a_call_while_telling)
{
    dying_while_telling(DB_DIES);
}

DAEMON_TEST(dying_after_a_call_while_telling)
{
    dying_while_telling(DB_DIES_AFTER);
}
