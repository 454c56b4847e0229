/* A group that becomes a supergroup whose chat is known already, found out by a message that the
 * network refuses: matches of both chats go on in one, and every checksum holds, which the end of
 * each test looks at; also if the daemon dies at any database call on the way. */
#include "fixture/daemon_run.h"
#include "stride.h"

#include "session.h"
#include "store.h"

enum { MATCHES = 2 };
static const struct {
    const char *chat, *first, *second;
} tables[MATCHES] = {{"tea", "ann", "bo"}, {"big", "cy", "di"}};

static void begin(void)
{
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    assert_non_null(l);
    for (int i = 0; i < MATCHES; i++) {
        char challenge[64];
        snprintf(challenge, sizeof challenge, "/challenge @%s first_dealer=challenger",
                 tables[i].second);
        peer_types(daemon_run_peer, tables[i].chat, tables[i].first, challenge);
        daemon_run_for(l, 1000);
        peer_types(daemon_run_peer, tables[i].chat, tables[i].second, "/accept");
        daemon_run_for(l, 1000);
    }
    daemon_run_close(l);
}

static void tea_is_big(void)
{
    static const char *const methods[] = {"sendMessage", "editMessageText"};
    for (int i = 0; i < 2; i++)
        peer_rule(daemon_run_peer,
                  (struct peer_rule){
                      methods[i], "\"chat_id\":\"tea\"", 0, .status = 400,
                      .body = "{\"ok\":false,\"parameters\":{\"migrate_to_chat_id\":\"big\"}}"});
    peer_types(daemon_run_peer, "tea", "ann", "/score");
}

/* One move more in each match, typed in the chat that is left. */
static void play_on(void)
{
    struct session before[MATCHES], after;
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    assert_non_null(l);
    daemon_run_for(l, DAEMON_RUN_MS);
    for (int i = 0; i < MATCHES; i++) {
        daemon_run_session(daemon_run_store(l), i + 1, &before[i]);
        assert_string_equal(before[i].venue[0].chat_key, i ? "big" : "tea");
        peer_types(daemon_run_peer, "big",
                   session_turn(&before[i]) ? tables[i].second : tables[i].first, "/play 1");
    }
    daemon_run_for(l, DAEMON_RUN_MS);
    for (int i = 0; i < MATCHES; i++) {
        daemon_run_session(daemon_run_store(l), i + 1, &after);
        assert_int_equal(after.version, before[i].version + 1);
        assert_string_equal(after.venue[0].chat_key, "big");
        assert_int_equal(after.venue[0].chat, 1);
    }
    daemon_run_close(l);
}

DAEMON_TEST(matches_of_both_chats_go_on)
{
    begin();
    tea_is_big();
    play_on();
}

DAEMON_TEST(a_death_on_the_way_changes_nothing)
{
    bool died = true;
    int n = 1;
    for (; died; n += stride(19, 1)) {
        if (n > 1)
            daemon_run_end(), daemon_run_begin();
        begin();
        tea_is_big();
        died = daemon_run_dies(STR(""), DB_DIES, n);
        play_on();
    }
    assert_true(n > 10);
}
