/* The outbox against a network that misbehaves: what was accepted arrives, once, in order, at its
 * pace. */
#include "fixture/outbox_peer.h"

#include "log.h"

#include <sys/mman.h>
#include <unistd.h>

static struct err err;

static struct outgoing post(const char *chat, const char *slot, const char *text)
{
    return (struct outgoing){.kind = OUT_POST,
                             .where = TO_CHAT,
                             .chat = str_of(chat),
                             .slot = str_of(slot),
                             .text = str_of(text)};
}

#define BODY(i, part) assert_non_null(strstr(peer_request(peer, i).body, part))

PEER_TEST(uncommitted_message_is_not_sent)
{
    struct outgoing out = post("c1", "board", "never happened"), kept = post("c1", "board", "kept");
    pace(1);
    say(post("c1", "", "first"));
    go();
    say(kept); /* waits for its pace */
    store_begin(outbox_fixture_store);
    outbox_push(outbox_fixture, &account, &out);
    store_rollback(outbox_fixture_store);
    outbox_abandon(outbox_fixture);
    later(600000);
    assert_int_equal(peer_count(peer), 2);
    BODY(1, "kept"); /* what it would have replaced is back */
}

PEER_TEST(rollback_to_a_savepoint_keeps_the_rest)
{
    struct outgoing one = post("c1", "", "one"), two = post("c1", "", "two"),
                    three = post("c1", "", "three");
    store_begin(outbox_fixture_store);
    outbox_push(outbox_fixture, &account, &one);
    int mark = outbox_savepoint(outbox_fixture);
    store_savepoint(outbox_fixture_store);
    outbox_push(outbox_fixture, &account, &two);
    store_rollback_to(outbox_fixture_store);
    outbox_rollback(outbox_fixture, mark);
    outbox_push(outbox_fixture, &account, &three);
    OK(store_commit(outbox_fixture_store, &err));
    outbox_commit(outbox_fixture);
    go();
    assert_int_equal(peer_count(peer), 2);
    BODY(0, "one");
    BODY(1, "three");
    assert_int_equal(stored_rows(), 0);
}

/* A board that takes the place of another answers what that one answered, and has kept those people
 * waiting; what a clock brought answers nothing. */
PEER_TEST(the_delay_counts_from_the_first_that_was_replaced)
{
    quiet_for_a_minute(2, 2);
    const struct outbox_counts *c = outbox_counts(outbox_fixture, 0);
    say(post("c1", "board", "board 1"));
    go();
    say(post("c1", "", "ping"));
    go();
    assert_int_equal(c->sent, 2);
    assert_int_equal(c->delay.n, 0);
    outbox_heard(outbox_fixture, outbox_fixture_now);
    say(post("c1", "board", "board 2"));
    outbox_fixture_now += 3000;
    outbox_heard(outbox_fixture, outbox_fixture_now);
    say(post("c1", "board", "board 3"));
    outbox_heard(outbox_fixture, 0);
    say(post("c1", "board", "board 4"));
    int64_t at = outbox_fixture_now;
    while (c->sent == 2)
        later(1000);
    assert_int_equal(peer_asked(peer, "editMessageText", "board 4"), 1);
    assert_int_equal(c->delay.n, 1);
    assert_true(c->delay.sum_ms >= outbox_fixture_now - at + 2000);
    assert_true(c->delay.sum_ms <= outbox_fixture_now - at + 3000);
}

/* Neither does what only tidies up, though somebody has just asked for something. */
PEER_TEST(the_delay_counts_nothing_that_takes_away)
{
    const struct outbox_counts *c = outbox_counts(outbox_fixture, 0);
    static const enum out_kind kinds[] = {OUT_POST, OUT_CLOSE, OUT_POST, OUT_ERASE};
    outbox_heard(outbox_fixture, outbox_fixture_now);
    for (int i = 0; i < 4; i++) {
        struct outgoing out = post("c1", "offer", "an offer");
        out.kind = kinds[i];
        say(out);
        go();
        assert_int_equal(c->sent, i + 1);
        assert_int_equal(c->delay.n, i / 2 + 1);
    }
}

PEER_TEST(outcomes_are_counted_by_their_kind)
{
    const struct outbox_counts *c = outbox_counts(outbox_fixture, 0);
    peer_rule(peer, (struct peer_rule){"sendMessage", "one", 1, .status = 429});
    peer_rule(peer, (struct peer_rule){"sendMessage", "two", 2, .status = 503});
    peer_rule(peer, (struct peer_rule){"sendMessage", "three", 1, .status = 403});
    say(post("c1", "", "one"));
    say(post("c2", "", "two"));
    say(post("c3", "", "three"));
    say(post("c4", "", "four"));
    later(60000);
    assert_int_equal(c->sent, 3);
    assert_int_equal(c->later, 3);
    assert_int_equal(c->limited, 1);
    assert_int_equal(c->never, 1);
    assert_int_equal(c->in_part, 0);
}

/* Rows of a lane that are stored as attempted, and so need no mark before they go. */
static int marked(const char *lane)
{
    struct out_rows rows =
        store_outbox(outbox_fixture_store, outbox_fixture_turn, account.id, str_of(lane), 0, 100);
    int n = 0;
    for (int i = 0; i < rows.n; i++)
        n += rows.at[i].attempted;
    return n;
}

/* As many as the window of their lane takes, a person's or a group's. */
PEER_TEST(what_goes_at_once_is_marked_as_it_is_stored)
{
    enum { CHAT = 3, PERSON = 6, ALL = 9 };
    quiet_for_a_minute(CHAT, PERSON);
    store_begin(outbox_fixture_store);
    for (int i = 0; i < ALL; i++) {
        struct outgoing group = post("c1", "", "line"), direct = group;
        direct.where = TO_DIRECT;
        direct.chat = STR("");
        direct.to = STR("bo");
        outbox_push(outbox_fixture, &account, &group);
        outbox_push(outbox_fixture, &account, &direct);
    }
    OK(store_commit(outbox_fixture_store, &err));
    outbox_commit(outbox_fixture);
    assert_int_equal(marked("c1"), CHAT);
    assert_int_equal(marked("@bo"), PERSON);
}

/* A board as the core makes it: a head, what happened, the field. `news`: each line with \n
 * first. */
static struct outgoing board_with_news(const char *head, const char *news, const char *field)
{
    struct outgoing out = post("c1", "board", "");
    size_t n = strlen(head);
    out.text = arena_print(outbox_fixture_turn, "%s%s%s", head, news, field);
    out.news = (struct str){out.text.p + n, strlen(news)};
    return out;
}

PEER_TEST(a_chat_keeps_its_pace_and_others_do_not_wait)
{
    pace(20);
    char text[32];
    for (int i = 0; i < 60; i++) {
        snprintf(text, sizeof text, "line %d.", i);
        say(post("c1", "", text));
    }
    say(post("c2", "", "quick"));
    int64_t start = outbox_fixture_now;
    later(240000);
    assert_int_equal(peer_asked(peer, "sendMessage", "line"), 60);
    for (int i = 0, k = 0; i < peer_count(peer); i++) {
        struct peer_request r = peer_request(peer, i);
        if (strstr(r.body, "quick")) {
            assert_int_equal(r.at, start);
            continue;
        }
        snprintf(text, sizeof text, "line %d.", k++);
        assert_non_null(strstr(r.body, text)); /* in order */
        int within = 0;
        for (int j = 0; j <= i; j++)
            within += peer_request(peer, j).at > r.at - 60000 &&
                      strstr(peer_request(peer, j).body, "line");
        assert_true(within <= 20); /* never more in any minute */
    }
}

PEER_TEST(repeat_after_a_refused_connection_does_not_carry_maybe_sent)
{
    wire.root = STR("http://127.0.0.1:1/bot");
    say(post("c1", "", "hello"));
    go();
    assert_int_equal(peer_count(peer), 0);
    wire.root = peer_root(peer);
    later(10000);
    assert_int_equal(peer_count(peer), 1);
    BODY(0, "hello");
    assert_null(strstr(peer_request(peer, 0).body, "maybe_sent"));
}

PEER_TEST(after_a_crash_only_rows_in_flight_carry_maybe_sent)
{
    pace(1);
    say(post("c1", "", "one"));
    say(post("c1", "", "two")); /* held back by the pace: never tried */
    outbox_pump(outbox_fixture, outbox_fixture_turn);
    while (peer_count(peer) == 0) /* sent; nobody hears the answer */
        http_wait(outbox_fixture_http, NULL, 0, 100);
    restart();
    later(600000);
    assert_int_equal(peer_asked(peer, "sendMessage", "two"), 1);
    for (int i = 0; i < peer_count(peer); i++) {
        struct peer_request r = peer_request(peer, i);
        if (strstr(r.body, "two"))
            assert_null(strstr(r.body, "maybe_sent"));
        else if (i > 0)
            assert_non_null(strstr(r.body, "maybe_sent"));
    }
}

/* A refusal takes the mark off; the next attempt needs it again before it goes. */
PEER_TEST(crash_in_the_second_attempt_is_known_too)
{
    peer_rule(peer, (struct peer_rule){"sendMessage", "one", 1, .status = 429});
    say(post("c1", "", "one"));
    go();
    assert_int_equal(peer_count(peer), 1);
    outbox_fixture_now += 60000;
    for (int i = 0; i < 1000 && peer_count(peer) < 2; i++) {
        outbox_pump(outbox_fixture, outbox_fixture_turn);
        if (http_running(outbox_fixture_http))
            http_wait(outbox_fixture_http, NULL, 0, 10); /* the answer is not heard */
        else if (outbox_unsettled(outbox_fixture))
            settle();
    }
    assert_int_equal(peer_count(peer), 2);
    assert_null(strstr(peer_request(peer, 1).body, "maybe_sent"));
    restart();
    later(60000);
    assert_int_equal(peer_count(peer), 3);
    assert_non_null(strstr(peer_request(peer, 2).body, "\"maybe_sent\":true"));
}

static struct outgoing to_bo(const char *text)
{
    return (struct outgoing){
        .kind = OUT_POST, .where = TO_DIRECT, .to = STR("bo"), .text = str_of(text)};
}

PEER_TEST(a_sequence_of_calls_goes_on_where_it_was_after_a_restart)
{
    struct sender bo = {.id = STR("bo"), .name = STR("Bo")};
    struct person p = store_person(outbox_fixture_store, outbox_fixture_turn, account.id, &bo);
    peer_rule(peer, (struct peer_rule){"sendMessage", "secret", 1, .status = 503});
    say(to_bo("secret"));
    go();
    assert_int_equal(peer_asked(peer, "openDirect", NULL), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", NULL), 1);
    bool found = false;
    found = GOT(p, store_person_by_network_id(outbox_fixture_store, outbox_fixture_turn, account.id,
                                              STR("bo")));
    assert_true(found && str_is(p.direct_chat, STR("d101")));
    restart();
    later(10000);
    assert_int_equal(peer_asked(peer, "openDirect", NULL), 1); /* not opened twice */
    assert_int_equal(peer_asked(peer, "sendMessage", "\"chat_id\":\"d101\""), 2);
    say(to_bo("second"));
    go();
    assert_int_equal(peer_asked(peer, "openDirect", NULL), 1); /* it is known now */
    assert_int_equal(peer_asked(peer, "sendMessage", "second"), 1);
}

PEER_TEST(a_chat_that_moved_gets_everything_under_its_new_key_in_order)
{
    struct chat before = store_chat(outbox_fixture_store, outbox_fixture_turn, account.id,
                                    STR("c1"), STR("Tea room"), false);
    say(post("c1", "board", "board 1"));
    go();
    peer_rule(peer, (struct peer_rule){
                        "editMessageText", "\"chat_id\":\"c1\"", 0, .status = 400,
                        .body = "{\"ok\":false,\"parameters\":{\"migrate_to_chat_id\":\"c2\"}}"});
    say(post("c1", "board", "board 2"));
    say(post("c1", "", "ping"));
    say(post("c1", "", "pong"));
    go();
    int n = peer_count(peer);
    assert_int_equal(n, 5);
    BODY(2, "board 2");
    BODY(2, "\"c2\"");
    assert_string_equal(peer_request(peer, 2).method, "sendMessage");
    BODY(3, "ping");
    BODY(3, "\"c2\"");
    BODY(4, "pong");
    struct chat after = store_chat(outbox_fixture_store, outbox_fixture_turn, account.id, STR("c2"),
                                   STR(""), false);
    assert_int_equal(after.id, before.id);
}

static void say_and_pump(struct outgoing out)
{
    say(out);
    outbox_pump(outbox_fixture, outbox_fixture_turn);
}

static void c1_is_now_c2(void)
{
    peer_rule(peer, (struct peer_rule){
                        "sendMessage", "\"chat_id\":\"c1\"", 0, .status = 400,
                        .body = "{\"ok\":false,\"parameters\":{\"migrate_to_chat_id\":\"c2\"}}"});
}

static struct outgoing aside(const char *chat, const char *text)
{
    struct outgoing out = post(chat, "", text);
    out.aside = true;
    return out;
}

static void answered(void)
{
    while (!outbox_unsettled(outbox_fixture))
        outbox_fixture_replies();
}

/* Receipts wait a little, so that one commit does for many; not where the next thing to say waits
 * for them and nothing more is on its way. */
PEER_TEST(receipts_are_settled_together_unless_a_row_waits)
{
    say_and_pump(post("c1", "", "alone"));
    answered();
    assert_false(outbox_wants_settling(outbox_fixture));
    assert_true(outbox_next(outbox_fixture) > outbox_fixture_now &&
                outbox_next(outbox_fixture) <= outbox_fixture_now + 10);
    outbox_fixture_now = outbox_next(outbox_fixture);
    assert_true(outbox_wants_settling(outbox_fixture));
    settle();
    assert_false(outbox_wants_settling(outbox_fixture));
    say(post("c1", "", "first"));
    say_and_pump(post("c1", "", "second"));
    answered();
    assert_int_equal(peer_count(peer), 2);
    assert_true(outbox_wants_settling(outbox_fixture));
    assert_true(outbox_next(outbox_fixture) == outbox_fixture_now);
    settle();
    outbox_pump(outbox_fixture, outbox_fixture_turn);
    answered();
    assert_int_equal(peer_count(peer), 3);
    assert_false(outbox_wants_settling(outbox_fixture)); /* nobody is behind the second */
    settle();
    outbox_fixture_now += 100000;
    assert_false(outbox_wants_settling(outbox_fixture));
}

/* Two matches in one group have more boards than its window has room for: none waits for most of a
 * minute, and the newest is what waits. */
PEER_TEST(boards_share_a_window_that_is_nearly_full)
{
    enum { EVERY_MS = 2000, MOST_WAIT_MS = 12000, PACE = 20 };
    char text[32];
    quiet_for_a_minute(PACE, 0);
    int64_t begun = outbox_fixture_now, said[2] = {0};
    int sent = peer_count(peer);
    for (int i = 0; outbox_fixture_now < begun + 300000; i++) {
        snprintf(text, sizeof text, "board %d of %d", i, i % 2);
        say(post("c1", i % 2 ? "board:1" : "board:2", text));
        later(EVERY_MS);
        for (int n = peer_count(peer); sent < n; sent++) {
            struct peer_request r = peer_request(peer, sent);
            int which = strstr(r.body, "of 1") != NULL;
            assert_true(said[which] == 0 || r.at - said[which] <= MOST_WAIT_MS);
            said[which] = r.at;
        }
    }
    assert_in_range(peer_count(peer), 90, 6 * PACE);
}

/* Two matches in one group at its limit: what happened in either stands in the group within four
 * seconds, in its own board or at the foot of the other's. */
PEER_TEST(boards_of_two_matches_tell_what_happened_in_both)
{
    enum { EVERY_MS = 2000, MOST_WAIT_MS = 4000, TURNS = 150 };
    int64_t at[TURNS];
    int sent, told = 0, own = 0;
    quiet_for_a_minute(18, 0);
    sent = peer_count(peer);
    for (int i = 0; i < TURNS; i++) {
        struct str head = arena_print(outbox_fixture_turn, "Match %d", i % 2),
                   news = arena_print(outbox_fixture_turn, "\nmove %d.", i);
        struct outgoing board = board_with_news(head.p, news.p, "\nField");
        board.slot = i % 2 ? STR("board:1") : STR("board:2");
        at[i] = outbox_fixture_now;
        say(board);
        later(EVERY_MS);
    }
    later(60000);
    for (int i = 0; i < TURNS; i++) {
        struct str mine = arena_print(outbox_fixture_turn, "Match %d\\n", i % 2),
                   move = arena_print(outbox_fixture_turn, "move %d.", i);
        int k = sent;
        while (k < peer_count(peer) && !strstr(peer_request(peer, k).body, move.p))
            k++;
        assert_true(k < peer_count(peer));
        assert_in_range(peer_request(peer, k).at - at[i], 0, MOST_WAIT_MS);
        assert_non_null(strstr(peer_request(peer, k).body, mine.p));
        told++;
        own += strstr(peer_request(peer, k).body, mine.p) <
               strstr(peer_request(peer, k).body, "Field");
    }
    assert_int_equal(told, TURNS);
    assert_in_range(own, TURNS / 3, TURNS - 1);
}

static void ask_and_ask(void)
{
    char slot[32];
    for (int i = 0; i < 100; i++) {
        struct outgoing pong = aside("c1", "pong");
        snprintf(slot, sizeof slot, "answer:%d:ann", i % 16);
        pong.slot = str_of(slot);
        say(pong);
    }
}

/* Somebody asks and asks; the match beside it does not notice. */
PEER_TEST(answers_to_questions_leave_room_for_a_match)
{
    quiet_for_a_minute(18, 0);
    ask_and_ask();
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "pong"), 6); /* a third of a window */
    for (int i = 0; i < 12; i++) {
        say(post("c1", "", "board"));
        go();
        assert_int_equal(peer_asked(peer, "sendMessage", "board"), i + 1); /* at once */
    }
    later(10 * 60000);
    for (int minute = 0; minute < 10; minute++) { /* a busy chat: a board every four seconds */
        int pongs = peer_asked(peer, "sendMessage", "pong");
        ask_and_ask();
        for (int i = 0; i < 15; i++) {
            later(4001);
            int edits = peer_asked(peer, "editMessageText", "board");
            say(post("c1", "board", "board"));
            go();
            if (minute > 0)
                assert_int_equal(peer_asked(peer, "editMessageText", "board"), edits + 1);
        }
        if (minute > 0) /* while it is still quiet they go as there is room */
            assert_in_range(peer_asked(peer, "sendMessage", "pong") - pongs, 1, 3);
    }
}

static void boards(int n)
{
    for (int i = 0; i < n; i++) {
        say(post("c1", "board", "board"));
        go();
    }
}

/* Questions in a chat whose window the boards of a match fill: what is answered late is announced, once
 * for all that wait. A board, and what nobody has just asked for, is not. */
PEER_TEST(a_late_answer_is_announced_at_once)
{
    quiet_for_a_minute(18, 0);
    boards(8);
    outbox_heard(outbox_fixture, clock_mono(&outbox_fixture_clock));
    say(aside("c1", "pong 1"));
    go();
    say(aside("c1", "pong 2"));
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "pong"), 2);
    assert_int_equal(peer_asked(peer, "sendChatAction", "c1"), 0);
    say(aside("c1", "pong 3"));
    say(aside("c1", "pong 4"));
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "pong"), 2);
    assert_int_equal(peer_asked(peer, "sendChatAction", "c1"), 1);
    int announced = 1;
    for (int ms = 0; ms < 70000 && peer_asked(peer, "sendMessage", "pong 4") == 0; ms += 1000) {
        later(1000);
        int now = peer_asked(peer, "sendChatAction", "c1");
        assert_in_range(now - announced, 0, 1);
        announced = now;
        /* a client shows it for five seconds */
        if (peer_asked(peer, "sendMessage", "pong 4") == 0 && announced < 10)
            assert_in_range(announced, ms / 5000 + 1, ms / 4000 + 2);
    }
    assert_int_equal(peer_asked(peer, "sendMessage", "pong 4"), 1);
    assert_true(announced > 1);
    later(70000);
    assert_in_range(peer_asked(peer, "sendChatAction", ""), announced, announced + 1);
    announced = peer_asked(peer, "sendChatAction", "");
    outbox_heard(outbox_fixture, 0);
    boards(8);
    for (int i = 0; i < 4; i++)
        say(aside("c1", "news"));
    go();
    assert_int_equal(peer_asked(peer, "sendChatAction", ""), announced);
}

/* More at once than one lane has room for in memory, and nothing holds them up. */
static void say_a_crowd(int n)
{
    char text[32];
    store_begin(outbox_fixture_store);
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "n%d.", i);
        struct outgoing out = post("c1", "", text);
        outbox_push(outbox_fixture, &account, &out);
    }
    OK(store_commit(outbox_fixture_store, &err));
    outbox_commit(outbox_fixture);
}

static void crowd_has_arrived(int n)
{
    char text[32];
    assert_int_equal(peer_count(peer), n);
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "n%d.", i);
        BODY(i, text);
    }
    assert_int_equal(stored_rows(), 0);
}

PEER_TEST(a_crowd_said_at_once_into_one_chat_goes_out_in_order)
{
    pace(0);
    say_a_crowd(100);
    go();
    crowd_has_arrived(100);
}

PEER_TEST(a_crowd_survives_the_process)
{
    pace(0);
    say_a_crowd(100);
    restart();
    later(1000);
    crowd_has_arrived(100);
}

/* What is said under the new key in the very transaction that finds out about it. */
PEER_TEST(what_is_said_while_a_chat_moves_arrives_behind_what_moves)
{
    struct outgoing late = post("c2", "", "late");
    pace(0);
    c1_is_now_c2();
    say_and_pump(post("c1", "", "one"));
    say(post("c1", "", "two"));
    while (http_running(outbox_fixture_http))
        outbox_fixture_replies();
    store_begin(outbox_fixture_store);
    outbox_settle(outbox_fixture, outbox_peer_never, NULL, outbox_fixture_turn);
    outbox_push(outbox_fixture, &account, &late);
    OK(store_commit(outbox_fixture_store, &err));
    outbox_commit(outbox_fixture);
    go();
    assert_int_equal(peer_count(peer), 4);
    BODY(1, "one");
    BODY(2, "two");
    BODY(3, "late");
    assert_int_equal(stored_rows(), 0);
}

PEER_TEST(a_long_queue_is_kept_in_the_database_and_goes_out_in_order)
{
    enum { N = 200 };
    char text[32];
    peer_rule(peer, (struct peer_rule){"sendMessage", "n0.", 1, .status = 503});
    for (int i = 0; i < N; i++) {
        snprintf(text, sizeof text, "n%d.", i);
        say(post("c1", i == 150 ? "board" : "", text));
    }
    go();
    assert_int_equal(peer_count(peer), 1);
    say(post("c1", "board", "newer")); /* replaces one that is only in the database */
    later(2000);
    assert_int_equal(peer_count(peer), N + 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "n150."), 0);
    for (int i = 1, k = 0; i < N + 1; i++, k++) {
        if (k == 150)
            k++;
        snprintf(text, sizeof text, k < N ? "n%d." : "newer", k);
        BODY(i, text);
    }
}

PEER_TEST(nothing_is_lost_when_far_more_waits_than_memory_holds)
{
    enum { CHATS = 700, EACH = 30 };
    char chat[16], text[32];
    wire.limits.in_flight = 200;
    restart();
    peer_rule(
        peer,
        (struct peer_rule){
            "sendMessage", NULL, 1, .status = 429,
            .body = "{\"ok\":false,\"parameters\":{\"retry_after\":10,\"everywhere\":true}}"});
    say(post("first", "", "x"));
    go();
    store_begin(outbox_fixture_store);
    for (int i = 0; i < CHATS * EACH; i++) {
        snprintf(chat, sizeof chat, "c%d", i % CHATS);
        snprintf(text, sizeof text, "n%d.", i / CHATS);
        struct outgoing out = post(chat, "", text);
        outbox_push(outbox_fixture, &account, &out);
    }
    OK(store_commit(outbox_fixture_store, &err));
    outbox_commit(outbox_fixture);
    assert_true(outbox_waiting(outbox_fixture) <= 16384 + 4096);
    assert_int_equal(stored_rows(), CHATS * EACH + 1);
    go();
    assert_int_equal(peer_count(peer), 1);
    later(12000);
    int next[CHATS] = {0};
    assert_int_equal(peer_count(peer), CHATS * EACH + 2);
    for (int i = 1, room; i < CHATS * EACH + 2; i++) {
        struct peer_request r = peer_request(peer, i);
        if (strstr(r.body, "\"first\""))
            continue;
        assert_int_equal(sscanf(strstr(r.body, "\"chat_id\":\"c"), "\"chat_id\":\"c%d", &room), 1);
        snprintf(text, sizeof text, "\"n%d.\"", next[room]++);
        assert_non_null(strstr(r.body, text));
        assert_null(strstr(r.body, "maybe_sent"));
    }
    for (int i = 0; i < CHATS; i++)
        assert_int_equal(next[i], EACH);
    assert_int_equal(stored_rows(), 0);
    assert_int_equal(outbox_waiting(outbox_fixture), 0);
}

/* The answer to a first call is understood by what was asked, though the private chat is known by
 * then. */
PEER_TEST(receipt_is_read_by_the_message_as_it_was_sent)
{
    struct sender bo = {.id = STR("bo"), .name = STR("Bo")};
    struct person p = store_person(outbox_fixture_store, outbox_fixture_turn, account.id, &bo);
    say(to_bo("secret"));
    outbox_pump(outbox_fixture, outbox_fixture_turn);
    outbox_pump(outbox_fixture, outbox_fixture_turn);
    store_set_direct(outbox_fixture_store, &p, STR("d7"),
                     true); /* he has written in the meantime */
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "secret"), 1);
    assert_int_equal(stored_rows(), 0);
}

/* What is logged while it runs, at LOG_DEBUG. */
static void logged(void (*what)(void), char *ret, size_t size)
{
    int file = memfd_create("log", 0), was = dup(STDERR_FILENO);
    fflush(stderr);
    assert_true(file >= 0 && was >= 0 && dup2(file, STDERR_FILENO) >= 0);
    log_open(LOG_DEBUG);
    what();
    log_open(LOG_NOTHING);
    fflush(stderr);
    dup2(was, STDERR_FILENO);
    close(was);
    ssize_t n = pread(file, ret, size - 1, 0);
    close(file);
    assert_true(n >= 0);
    ret[n] = '\0';
}

static void live_through_everything(void)
{
    peer_rule(peer, (struct peer_rule){"sendMessage", "TEXT one", 1, .status = 502});
    struct outgoing of_a_match = post("c1", "", "TEXT one");
    of_a_match.match = 7;
    say(of_a_match);
    later(1000);
    peer_rule(peer, (struct peer_rule){"sendMessage", "TEXT refused", 1, .status = 400,
                                       .body = "{\"ok\":false,\"description\":\"no such chat\"}"});
    say(post("c2", "", "TEXT refused"));
    say(post("c2", "board", "TEXT old"));
    say(post("c2", "board", "TEXT new"));
    later(1000);
}

/* "Why did this message come twice?" is answered by the log, which tells no text. */
PEER_TEST(the_log_tells_what_happened_to_each_row)
{
    static const char *const lines[] = {
        "info send_later account=wire chat=c1 match=7 row=1 tries=0 waited_ms=0 maybe_sent=yes "
        "why=\"status 502\"\n",
        "debug sent_again account=wire chat=c1 match=7 row=1 tries=1 waited_ms=250 "
        "maybe_sent=yes\n",
        "info send_never account=wire chat=c2 match=0 row=2 tries=0 waited_ms=0 maybe_sent=no "
        "why=\"no such chat\"\n",
        "debug replaced account=wire chat=c2 match=0 row=3 tries=0 waited_ms=0 maybe_sent=no\n",
        "debug sent account=wire chat=c2 match=0 row=4 tries=0 waited_ms=0 maybe_sent=no\n"};
    static char text[1 << 16];
    logged(live_through_everything, text, sizeof text);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_non_null(strstr(text, lines[i]));
    }
    assert_null(strstr(text, "TEXT"));
    assert_null(strstr(text, peer_root(peer).p));
    int n = 0;
    for (const char *at = text; (at = strstr(at, "account=wire")); at++)
        n++;
    assert_int_equal(n, 5);
}

static void about_match(const char *chat, const char *to, int64_t match, const char *learners)
{
    struct outgoing out = post(chat, "", "your move");
    out.where = *to ? TO_DIRECT : TO_CHAT;
    out.to = str_of(to);
    out.learners = str_of(learners);
    out.match = match;
    say(out);
}

static enum outbox_wait waits(const char *place, int64_t match)
{
    return outbox_waits(outbox_fixture, &account, str_of(place), match);
}

/* After a minute it is known what has not been told. */
PEER_TEST(what_an_outage_holds_back_is_known)
{
    peer_rule(peer, (struct peer_rule){.status = 500});
    about_match("c1", "", 7, "");
    about_match("", "bo", 8, "");
    go();
    assert_int_equal(waits("c1", 7), WAITS_NOT);
    later(61 * 1000);
    assert_int_equal(waits("c1", 7), WAITS);
    assert_int_equal(waits("c1", 8), WAITS_NOT);
    assert_int_equal(waits("@bo", 8), WAITS);
    restart();
    assert_int_equal(waits("c1", 7), WAITS);
    peer_no_rules(peer);
    later(600 * 1000);
    assert_int_equal(waits("c1", 7), WAITS_NOT);
    assert_int_equal(waits("@bo", 8), WAITS_NOT);
}

PEER_TEST(what_a_pause_holds_back_has_been_passed_on)
{
    peer_rule(peer, (struct peer_rule){.contains = "your move",
                                       .times = 1,
                                       .status = 429,
                                       .header = "Retry-After: 4000"});
    about_match("c1", "", 7, "bo\n");
    go();
    later(61 * 1000);
    assert_int_equal(waits("c1", 7), WAITS_PASSED_ON);
    assert_int_equal(waits("@bo", 7), WAITS_NOT);
    later(4100 * 1000);
    assert_int_equal(waits("c1", 7), WAITS_NOT);
}

/* A death between two steps of passing on, at each of them. */
PEER_TEST(a_death_while_a_pause_is_passed_on_loses_and_doubles_nothing)
{
    enum { N = 150 };
    char text[32];
    for (int steps = 1; steps < 7; steps++) {
        char chat[8], learner[8], said[64];
        snprintf(chat, sizeof chat, "c%d", steps);
        snprintf(learner, sizeof learner, "p%d\n", steps);
        peer_rule(peer, (struct peer_rule){.contains = "hold it",
                                           .times = 1,
                                           .status = 429,
                                           .header = "Retry-After: 4000"});
        say(post(chat, "", "hold it"));
        for (int i = 0; i < N; i++) {
            snprintf(text, sizeof text, "turn %d.", i);
            struct outgoing out = post(chat, "", text);
            out.learners = str_of(learner);
            say(out);
        }
        outbox_pump(outbox_fixture, outbox_fixture_turn);
        while (http_running(outbox_fixture_http))
            outbox_fixture_replies();
        for (int i = 0; i < steps; i++)
            settle();
        restart();
        go();
        snprintf(said, sizeof said, "\"to\":\"p%d\"", steps);
        assert_int_equal(peer_asked(peer, "sendMessage", said), N);
        restart();
        later(4100 * 1000);
        assert_int_equal(peer_asked(peer, "sendMessage", said), N);
        assert_int_equal(stored_rows(), 0);
    }
}

/* What the database alone has may be about any match. */
PEER_TEST(a_queue_too_long_for_memory_tells_nobody_in_time)
{
    peer_rule(peer, (struct peer_rule){.status = 500});
    for (int i = 0; i < 60; i++)
        about_match("c1", "", 100 + i, "");
    go();
    assert_int_equal(waits("c1", 159), WAITS_NOT);
    later(61 * 1000);
    assert_int_equal(waits("c1", 101), WAITS);
    assert_int_equal(waits("c1", 159), WAITS);
    peer_no_rules(peer);
    later(600 * 1000);
    assert_int_equal(waits("c1", 159), WAITS_NOT);
}

PEER_TEST(nor_if_a_pause_holds_it_but_in_private)
{
    peer_rule(peer, (struct peer_rule){.contains = "your move",
                                       .times = 1,
                                       .status = 429,
                                       .header = "Retry-After: 4000"});
    for (int i = 0; i < 60; i++)
        about_match("c1", "", 100 + i, "bo\n");
    go();
    later(61 * 1000);
    assert_int_equal(waits("c1", 159), WAITS_PASSED_ON);
    assert_int_equal(peer_asked(peer, "sendMessage", "\"to\":\"bo\""), 60);
}
