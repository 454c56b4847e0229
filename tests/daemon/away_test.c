/* The daemon did not run for hours: each chat with a running match is told once whose turn it is,
 * no clock ran meanwhile, and that also if it dies at any call of the database while it is
 * telling. */
#include "shell/life.h"

#include <cjson/cJSON.h>

#include "log.h"
#include "session.h"

enum { HOUR = 3600 * 1000, CHATS = 3 };
static const char *const chats[CHATS] = {"tea", "den", "lair"};

static void live(int64_t ms)
{
    struct life *l = life_open(STR(""), DB_FAILS, 0, 0);
    assert_non_null(l);
    life_turns(l, ms);
    life_close(l);
}

/* One life; a match as it is at its end. */
static struct session live_to(int64_t ms, int64_t no)
{
    struct session is;
    struct life *l = life_open(STR(""), DB_FAILS, 0, 0);
    assert_non_null(l);
    life_turns(l, ms);
    life_session(life_store(l), no, &is);
    life_close(l);
    return is;
}

/* A match in the first two chats, and no more than a challenge in the third. Match 1 as it is
 * then. */
static struct session begin(void)
{
    struct session first;
    struct life *l = life_open(STR(""), DB_FAILS, 0, 0);
    assert_non_null(l);
    for (int i = 0; i < CHATS; i++) {
        peer_types(life_peer, chats[i], "ann",
                   "/challenge @bo standard 3 clock=4h table_four=keep");
        life_turns(l, 1000);
        if (i < CHATS - 1)
            peer_types(life_peer, chats[i], "bo", "/accept");
        life_turns(l, 1000);
    }
    life_session(life_store(l), 1, &first);
    life_close(l);
    return first;
}

/* How often that was said there; `again`: also what may have been said before the daemon died. */
static int times(const char *chat, const char *part, bool again)
{
    int n = 0;
    for (int i = 0; i < peer_count(life_peer); i++) {
        struct peer_request r = peer_request(life_peer, i);
        cJSON *o = cJSON_Parse(r.body);
        const cJSON *id = cJSON_GetObjectItemCaseSensitive(o, "chat_id");
        const cJSON *text = cJSON_GetObjectItemCaseSensitive(o, "text");
        bool known = !cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(o, "unknown"));
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

static void a_long_stop_is_told_once_and_no_clock_ran(void **state)
{
    (void)state;
    struct session was = begin(), is;
    life_sleeps(9 * HOUR);
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

static void a_short_stop_is_not_worth_a_word(void **state)
{
    (void)state;
    struct session was = begin(), is;
    life_sleeps(HOUR / 4);
    is = live_to(1000, 1);
    assert_int_equal(is.due, was.due);
    assert_int_equal(said("tea", "I was away"), 0);
}

/* However long it idles: what runs is not away. */
static void who_idles_is_not_away(void **state)
{
    (void)state;
    (void)begin();
    live(3 * HOUR);
    live(1000);
    assert_int_equal(said("tea", "I was away"), 0);
}

static void dying_while_telling(enum db_fault fault)
{
    bool died = true;
    int n = 1;
    for (; died; n++) {
        if (n > 1)
            life_end(), life_begin();
        struct session was = begin(), is;
        life_sleeps(9 * HOUR);
        died = life_dies(STR(""), fault, n);
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

static void dying_before_a_call_while_telling(void **state)
{
    (void)state;
    dying_while_telling(DB_DIES);
}

static void dying_after_a_call_while_telling(void **state)
{
    (void)state;
    dying_while_telling(DB_DIES_AFTER);
}

#define T(name) cmocka_unit_test_setup_teardown(name, life_test_begins, life_test_ends)

int main(void)
{
    log_open(LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(a_long_stop_is_told_once_and_no_clock_ran),
        T(a_short_stop_is_not_worth_a_word),
        T(who_idles_is_not_away),
        T(dying_before_a_call_while_telling),
        T(dying_after_a_call_while_telling),
    };
    return cmocka_run_group_tests_name("away", tests, NULL, NULL);
}
