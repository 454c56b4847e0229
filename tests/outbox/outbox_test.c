/* The outbox against a network that misbehaves: what was accepted arrives, once, in order, at its
 * pace. */
#include "fixture/outbox_fixture.h"

#include "log.h"
#include "peer.h"
#include "wire_adapter.h"

#include <sys/mman.h>
#include <unistd.h>

static const int64_t HOUR = 3600 * 1000;
static struct err err;
static struct peer *peer;
static struct wire wire;
static struct account account;
static int n_never;
static enum never_why never_why;
static char never_text[256];

static void open_all(void)
{
    account = wire_account(&wire);
    account.limits = wire.limits;
    outbox_fixture_open(&account, true, false);
}

static void restart(void)
{
    outbox_fixture_close();
    open_all();
}

static int setup(void **state)
{
    (void)state;
    n_never = 0;
    if (outbox_fixture_begin() != 0)
        return 1;
    peer = peer_open(&outbox_fixture_now);
    wire = (struct wire){.root = peer_root(peer), .limits = wire_adapter.limits};
    open_all();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    outbox_fixture_close();
    peer_close(peer);
    outbox_fixture_end();
    return 0;
}

static void never(void *arg, const struct account *on, const struct outgoing *out,
                  const struct receipt *receipt)
{
    (void)arg, (void)on;
    n_never++;
    never_why = receipt->why;
    snprintf(never_text, sizeof never_text, "%.*s", STR_ARG(out->text));
}

static void settle(void)
{
    outbox_fixture_settle(never);
}

/* Does all that can happen at this moment. */
static void go(void)
{
    outbox_fixture_run(never);
}

static void later(int64_t ms)
{
    int64_t until = outbox_fixture_now + ms;
    for (;;) {
        go();
        int64_t next = outbox_next(outbox_fixture);
        if (next > until)
            break;
        outbox_fixture_now = next > outbox_fixture_now ? next : outbox_fixture_now + 1;
    }
    outbox_fixture_now = until;
}

static struct outgoing post(const char *chat, const char *slot, const char *text)
{
    return (struct outgoing){.kind = OUT_POST,
                             .where = TO_CHAT,
                             .chat = str_of(chat),
                             .slot = str_of(slot),
                             .text = str_of(text)};
}

static void say(struct outgoing out)
{
    outbox_fixture_push(&account, &out);
}

static int stored_rows(void)
{
    struct out_rows rows =
        store_outbox(outbox_fixture_store, outbox_fixture_turn, 0, STR(""), 0, 100000);
    return rows.n;
}

#define BODY(i, part) assert_non_null(strstr(peer_request(peer, i).body, part))

static void message_is_sent_once_and_its_row_deleted(void **state)
{
    (void)state;
    say(post("c1", "", "hello"));
    assert_int_equal(peer_count(peer), 0);
    go();
    assert_int_equal(peer_count(peer), 1);
    assert_string_equal(peer_request(peer, 0).method, "sendMessage");
    BODY(0, "\"hello\"");
    assert_int_equal(stored_rows(), 0);
    restart();
    later(100000);
    assert_int_equal(peer_count(peer), 1);
}

static void uncommitted_message_is_not_sent(void **state)
{
    (void)state;
    struct outgoing out = post("c1", "board", "never happened"), kept = post("c1", "board", "kept");
    wire.limits.per_chat_minute = 1;
    restart();
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

static void rollback_to_a_savepoint_keeps_the_rest(void **state)
{
    (void)state;
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

static void order_holds_though_the_first_is_refused_for_now(void **state)
{
    (void)state;
    peer_rule(peer, (struct peer_rule){"sendMessage", "one", 1, .status = 502});
    say(post("c1", "", "one"));
    say(post("c1", "", "two"));
    say(post("c2", "", "other"));
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "two"), 0);
    assert_int_equal(peer_asked(peer, "sendMessage", "other"), 1); /* nobody else waits for it */
    later(5000);
    assert_int_equal(peer_count(peer), 4);
    BODY(2, "one");
    BODY(3, "two");
}

static void newer_board_replaces_an_unsent_one(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 2;
    restart();
    say(post("c1", "board", "board 1"));
    go();
    say(post("c1", "", "ping"));
    go();
    say(post("c1", "board", "board 2"));
    say(post("c1", "board", "board 3"));
    say(post("c1", "other", "not a board"));
    say(post("c1", "board", "board 4"));
    later(600000);
    assert_int_equal(peer_asked(peer, "editMessageText", "board 2"), 0);
    assert_int_equal(peer_asked(peer, "editMessageText", "board 3"), 0);
    assert_int_equal(peer_asked(peer, "editMessageText", "board 4"), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "not a board"), 1);
    assert_int_equal(stored_rows(), 0);
}

/* A minute after the start nothing is known to have been sent. */
static void quiet_for_a_minute(int chat, int person)
{
    wire.limits.per_chat_minute = chat;
    wire.limits.per_person_minute = person;
    restart();
    later(60001);
}

/* A board that takes the place of another answers what that one answered, and has kept those people
 * waiting; what a clock brought answers nothing. */
static void the_delay_counts_from_the_first_that_was_replaced(void **state)
{
    (void)state;
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

static void a_board_tells_the_news_of_those_it_replaces(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 2;
    restart();
    say(board_with_news("Head 1", "\nBo plays.", "\nField 1"));
    go();
    say(post("c1", "", "ping"));
    go();
    say(board_with_news("Head 2", "\nAnn plays.", "\nField 2"));
    say(board_with_news("Head 3", "\nAnn plays.\nAnn draws.", "\nField 3"));
    say(board_with_news("Head 4", "\nBo lays.", "\nField 4"));
    say(board_with_news("Head 5", "", "\nField 5"));
    later(600000);
    assert_int_equal(peer_asked(peer, "editMessageText", "Head 2"), 0);
    assert_int_equal(peer_asked(peer, "editMessageText",
                                "Head 5\\nAnn plays.\\nAnn draws.\\nBo lays.\\nField 5"),
                     1);
    assert_int_equal(peer_asked(peer, "editMessageText", "Bo plays."), 0); /* it was sent */
    assert_int_equal(stored_rows(), 0);
}

static void a_board_that_is_moved_down_tells_the_news_of_an_unsent_one(void **state)
{
    (void)state;
    struct outgoing erase = post("c1", "board", "");
    erase.kind = OUT_ERASE;
    quiet_for_a_minute(1, 0);
    say(board_with_news("Head 1", "\nBo plays.", "\nField 1"));
    go();
    say(board_with_news("Head 2", "\nAnn plays.", "\nField 2"));
    say(erase);
    say(board_with_news("Head 3", "\nBo lays.", "\nField 3"));
    later(600000);
    assert_int_equal(peer_asked(peer, "deleteMessage", NULL), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "Head 3\\nAnn plays.\\nBo lays.\\nField 3"),
                     1);
    assert_int_equal(peer_asked(peer, "sendMessage", "Head 2"), 0);
    assert_int_equal(peer_asked(peer, "editMessageText", NULL), 0);
    assert_int_equal(stored_rows(), 0);
}

static void news_that_does_not_fit_gives_way_from_the_oldest(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 1;
    wire.limits.text_chars = 60;
    restart();
    say(post("c1", "", "ping"));
    go();
    for (int i = 0; i < 9; i++) {
        char news[40];
        snprintf(news, sizeof news, "\nmove number %d", i);
        say(board_with_news("Head", news, "\nField"));
    }
    later(600000);
    assert_int_equal(peer_asked(peer, "sendMessage",
                                "Head\\nmove number 6\\nmove number 7\\nmove number 8\\nField"),
                     1);
}

static void the_second_of_a_slot_edits_the_first_even_after_a_restart(void **state)
{
    (void)state;
    say(post("c1", "board", "board 1"));
    go();
    restart();
    say(post("c1", "board", "board 2"));
    say(post("c2", "board", "elsewhere"));
    go();
    assert_int_equal(peer_count(peer), 3);
    assert_int_equal(peer_asked(peer, "editMessageText", "\"message_id\":\"101\""), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "elsewhere"), 1);
}

static void replace_only_without_a_message_does_nothing(void **state)
{
    (void)state;
    struct outgoing out = post("c1", "board", "x"), erase = post("c1", "ping", "");
    out.replace_only = true;
    erase.kind = OUT_ERASE;
    say(out);
    say(erase);
    go();
    assert_int_equal(peer_count(peer), 0);
    assert_int_equal(stored_rows(), 0);
}

static struct outgoing close_of(const char *chat, const char *slot)
{
    struct outgoing out = post(chat, slot, "");
    out.kind = OUT_CLOSE;
    return out;
}

static struct outgoing named(const char *chat, const char *slot, const char *text)
{
    struct outgoing out = post(chat, slot, text);
    out.named = true;
    return out;
}

/* An offer keeps its words and loses its buttons; a second one under its name is a new message. */
static void closing_takes_the_buttons_of_a_message_alone(void **state)
{
    (void)state;
    say(named("c1", "posted:1:1", "an offer"));
    say(named("c1", "posted:1:2", "a question"));
    say(post("c1", "", "talk"));
    go();
    say(close_of("c1", "posted:1:1"));
    say(close_of("c1", "posted:9:9"));
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", NULL), 3);
    assert_int_equal(peer_asked(peer, "editMessageReplyMarkup", NULL), 1);
    assert_int_equal(peer_asked(peer, "editMessageReplyMarkup", "\"message_id\":\"101\""), 1);
    assert_int_equal(peer_asked(peer, "editMessageText", NULL), 0);
    say(close_of("c1", "posted:1:1")); /* it has none any more */
    go();
    say(named("c1", "posted:1:1", "another offer"));
    go();
    assert_int_equal(peer_asked(peer, "editMessageReplyMarkup", NULL), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "another offer"), 1);
    assert_int_equal(stored_rows(), 0);
}

/* With a chat's budget of six a minute, what a match says goes at once, and buttons are closed when
 * a third of it is enough. */
static void closing_buttons_never_delays_what_a_match_says(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 6;
    restart();
    later(60001); /* what was sent before the start */
    say(named("c1", "posted:1:1", "an offer"));
    go();
    say(close_of("c1", "posted:1:1"));
    say(post("c1", "board", "board 1"));
    say(post("c1", "", "the match begins"));
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", NULL), 3);
    assert_int_equal(peer_asked(peer, "editMessageReplyMarkup", NULL), 0);
    say(post("c1", "", "the first move"));
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "the first move"), 1);
    assert_int_equal(peer_asked(peer, "editMessageReplyMarkup", NULL), 0);
    later(60001);
    assert_int_equal(peer_asked(peer, "editMessageReplyMarkup", "101"), 1);
    assert_int_equal(stored_rows(), 0);
}

/* The challenge is answered before it could be sent: it goes out, and then loses its buttons. */
static void a_message_is_sent_before_its_buttons_are_closed(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 1;
    restart();
    later(60001);
    say(post("c1", "", "talk"));
    go();
    say(named("c1", "posted:1:1", "an offer"));
    say(close_of("c1", "posted:1:1"));
    go();
    assert_int_equal(peer_count(peer), 1);
    later(60001);
    assert_int_equal(peer_asked(peer, "sendMessage", "an offer"), 1);
    later(60001);
    assert_int_equal(peer_asked(peer, "editMessageReplyMarkup", "102"), 1);
    assert_int_equal(stored_rows(), 0);
}

static void buttons_that_cannot_be_closed_stay_and_nothing_comes_back(void **state)
{
    (void)state;
    say(named("c1", "posted:1:1", "an offer"));
    go();
    peer_rule(peer, (struct peer_rule){"editMessageReplyMarkup", NULL, 1, .status = 403});
    say(close_of("c1", "posted:1:1"));
    go();
    assert_int_equal(peer_asked(peer, "editMessageReplyMarkup", NULL), 1);
    assert_int_equal(stored_rows(), 0);
    say(close_of("c1", "posted:1:1"));
    go();
    assert_int_equal(peer_asked(peer, "editMessageReplyMarkup", NULL), 1);
}

static void an_erased_message_is_no_longer_edited(void **state)
{
    (void)state;
    struct outgoing erase = post("c1", "ping", "");
    erase.kind = OUT_ERASE;
    say(post("c1", "ping", "your move"));
    go();
    say(erase);
    go();
    say(post("c1", "ping", "your move again"));
    go();
    assert_int_equal(peer_asked(peer, "deleteMessage", "101"), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "again"), 1);
}

/* A board that is to stand at the bottom: the old one is taken away first. While both wait, a newer
 * board replaces the post alone. */
static void a_board_that_is_moved_down_is_a_new_message_once(void **state)
{
    (void)state;
    struct outgoing erase = post("c1", "board", "");
    erase.kind = OUT_ERASE;
    wire.limits.per_chat_minute = 2;
    restart();
    outbox_fixture_now += 60000;
    say(post("c1", "board", "first"));
    say(post("c1", "", "talk"));
    go();
    say(erase);
    say(post("c1", "board", "second"));
    say(post("c1", "board", "third"));
    later(120000);
    assert_int_equal(peer_asked(peer, "deleteMessage", NULL), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "second"), 0);
    assert_int_equal(peer_asked(peer, "sendMessage", "third"), 1);
    say(post("c1", "board", "fourth"));
    later(60000);
    assert_int_equal(peer_asked(peer, "editMessageText", NULL), 1);
    assert_int_equal(peer_asked(peer, "editMessageText", "fourth"), 1);
    assert_int_equal(stored_rows(), 0);
}

static void a_board_whose_message_is_gone_is_sent_anew(void **state)
{
    (void)state;
    say(post("c1", "board", "board 1"));
    go();
    peer_rule(peer, (struct peer_rule){"editMessageText", NULL, 1, .status = 400,
                                       .body = "{\"ok\":false,\"description\":\"not found\"}"});
    say(post("c1", "board", "board 2"));
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "board 2"), 1);
    say(post("c1", "board", "board 3"));
    go();
    assert_int_equal(peer_asked(peer, "editMessageText", "board 3"), 1);
    assert_int_equal(peer_asked(peer, "editMessageText", "\"message_id\":\"102\""), 1);
    assert_int_equal(n_never, 0);
}

static void a_chat_keeps_its_pace_and_others_do_not_wait(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 20;
    restart();
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

static void an_answer_to_a_press_goes_past_all_pace(void **state)
{
    (void)state;
    struct outgoing answer = {.kind = OUT_ANSWER, .press = STR("q1"), .text = STR("not your turn")};
    wire.limits.per_chat_minute = 1;
    wire.limits.account_per_second_x100 = 1;
    wire.limits.account_burst = 1;
    restart();
    for (int i = 0; i < 5; i++)
        say(post("c1", "", "talk"));
    go();
    say(answer);
    go();
    assert_int_equal(peer_asked(peer, "answerCallbackQuery", "not your turn"), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", NULL), 1);
}

static void an_answer_that_is_too_old_is_dropped(void **state)
{
    (void)state;
    struct outgoing answer = {.kind = OUT_ANSWER,
                              .press = STR("q1"),
                              .text = STR("late"),
                              .expires = outbox_fixture_now + 15000};
    peer_rule(peer, (struct peer_rule){"answerCallbackQuery", NULL, 0, .status = 500});
    int64_t begun = outbox_fixture_now;
    say(answer);
    later(60000);
    int tried = peer_count(peer);
    assert_true(tried >= 2); /* the answer would come too late from then on */
    assert_true(peer_request(peer, tried - 1).at <= begun + 15000);
    assert_int_equal(stored_rows(), 0);
    assert_int_equal(n_never, 0);
}

static void the_account_keeps_its_pace_over_all_chats(void **state)
{
    (void)state;
    wire.limits.account_per_second_x100 = 20; /* one in five seconds, ten at once */
    wire.limits.account_burst = 10;
    restart();
    char chat[16];
    for (int i = 0; i < 15; i++) {
        snprintf(chat, sizeof chat, "c%d", i);
        say(post(chat, "", "x"));
    }
    go();
    assert_int_equal(peer_count(peer), 10);
    later(4999);
    assert_int_equal(peer_count(peer), 10);
    later(1);
    assert_int_equal(peer_count(peer), 11);
    later(20000);
    assert_int_equal(peer_count(peer), 15);
}

/* Hands wait for nobody's board; but groups have a share, however many hands there are. */
static void hands_go_before_boards_and_leave_them_a_share(void **state)
{
    (void)state;
    wire.limits.account_per_second_x100 = 20;
    wire.limits.account_burst = 1;
    restart();
    char to[16];
    say(post("c0", "", "x"));
    go();
    say(post("c1", "", "a board"));
    for (int i = 0; i < 6; i++) {
        snprintf(to, sizeof to, "@p%d", i);
        say(post(to, "", "a hand"));
    }
    later(5 * 5000);
    assert_int_equal(peer_count(peer), 6);
    for (int i = 1; i < 6; i++)
        BODY(i, i == 4 ? "a board" : "a hand");
    later(2 * 5000);
    assert_int_equal(peer_asked(peer, "sendMessage", "a hand"), 6);
}

static void retry_after_holds_one_chat(void **state)
{
    (void)state;
    int64_t start = outbox_fixture_now;
    peer_rule(peer, (struct peer_rule){
                        "sendMessage", "one", 1, .status = 429, .header = "Retry-After: 35",
                        .body = "{\"ok\":false,\"parameters\":{\"retry_after\":35}}"});
    say(post("c1", "", "one"));
    say(post("c1", "", "two"));
    go();
    say(post("c2", "", "other"));
    later(35000); /* whole milliseconds: a part of one may be missing yet */
    assert_int_equal(peer_count(peer), 2);
    assert_int_equal(peer_asked(peer, "sendMessage", "other"), 1);
    restart(); /* it is remembered */
    go();
    assert_int_equal(peer_count(peer), 2);
    later(1);
    assert_int_equal(peer_count(peer), 4);
    assert_true(peer_request(peer, 2).at >= start + 35000);
    BODY(2, "one");
    assert_null(
        strstr(peer_request(peer, 2).body, "maybe_sent")); /* it was refused: nothing is in doubt */
}

static void retry_after_everywhere_holds_the_account(void **state)
{
    (void)state;
    peer_rule(
        peer,
        (struct peer_rule){
            "sendMessage", "one", 1, .status = 429,
            .body = "{\"ok\":false,\"parameters\":{\"retry_after\":10,\"everywhere\":true}}"});
    say(post("c1", "", "one"));
    go();
    say(post("c2", "", "two"));
    later(10000);
    assert_int_equal(peer_count(peer), 1);
    later(1);
    assert_int_equal(peer_count(peer), 3);
}

static void back_off_doubles_up_to_a_minute(void **state)
{
    (void)state;
    peer_rule(peer, (struct peer_rule){"sendMessage", NULL, 10, .status = 503});
    say(post("c1", "", "x"));
    int64_t start = outbox_fixture_now;
    later(3600000);
    assert_int_equal(peer_count(peer), 11);
    int64_t gaps[] = {250, 500, 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000};
    for (int i = 0; i < 10; i++)
        assert_int_equal(peer_request(peer, i + 1).at - peer_request(peer, i).at, gaps[i]);
    assert_int_equal(peer_request(peer, 0).at, start);
    assert_int_equal(stored_rows(), 0);
}

/* Each wait as long as before, however the wall clock was set during it. */
static void a_wall_clock_that_is_set_changes_no_wait(void **state)
{
    (void)state;
    static const int64_t steps[] = {-60000, 60000, -25 * HOUR, 25 * HOUR, -240 * HOUR, 240 * HOUR};
    for (int i = 0; i < 6; i++) {
        int before = peer_count(peer);
        peer_rule(peer, (struct peer_rule){"sendMessage", NULL, 1, .status = 503});
        peer_rule(peer,
                  (struct peer_rule){"sendMessage", NULL, 1, .status = 429,
                                     .body = "{\"ok\":false,\"parameters\":{\"retry_after\":35}}"});
        say(post("c1", "", "x"));
        go();
        fake_clock_wrong += steps[i];
        later(249);
        assert_int_equal(peer_count(peer), before + 1);
        later(1);
        assert_int_equal(peer_count(peer), before + 2);
        fake_clock_wrong += steps[i];
        later(35000);
        assert_int_equal(peer_count(peer), before + 2);
        later(1);
        assert_int_equal(peer_count(peer), before + 3);
        later(60000); /* the chat's pace is as it was */
    }
}

static void a_wall_clock_that_is_set_back_holds_up_no_chat_at_its_pace(void **state)
{
    (void)state;
    int64_t start = outbox_fixture_now, end;
    wire.limits.per_chat_minute = 8;
    restart();
    for (int i = 0; i < 8; i++)
        say(post("c1", "", "x"));
    go();
    assert_in_range(peer_count(peer), 1, 8);
    fake_clock_wrong = -60000;
    later(120000);
    assert_int_equal(peer_count(peer), 8);
    end = peer_request(peer, 7).at;
    assert_in_range(end - start, 0, 61000);
}

/* What the network asked for outlives the process. A clock that was set back meanwhile makes an
 * hour of it at most, one that was set forward nothing. */
static void a_stored_wait_is_never_longer_than_a_network_may_ask(void **state)
{
    (void)state;
    peer_rule(peer,
              (struct peer_rule){"sendMessage", NULL, 3, .status = 429,
                                 .body = "{\"ok\":false,\"parameters\":{\"retry_after\":999999}}"});
    say(post("c1", "", "x"));
    go();
    later(HOUR - 1);
    assert_int_equal(peer_count(peer), 1);
    later(1);
    assert_int_equal(peer_count(peer), 2);
    fake_clock_wrong = -240 * HOUR;
    restart();
    later(HOUR - 1);
    assert_int_equal(peer_count(peer), 2);
    later(1);
    assert_int_equal(peer_count(peer), 3);
    fake_clock_wrong = 0;
    restart();
    go();
    assert_int_equal(peer_count(peer), 4);
}

static void a_back_off_does_not_outlive_the_process(void **state)
{
    (void)state;
    peer_rule(peer, (struct peer_rule){"sendMessage", NULL, 9, .status = 503});
    say(post("c1", "", "x"));
    later(120000);
    int before = peer_count(peer);
    assert_int_equal(before, 9);
    fake_clock_wrong = -240 * HOUR;
    restart();
    go();
    assert_int_equal(peer_count(peer), before + 1);
    assert_int_equal(stored_rows(), 0);
}

static void repeat_after_a_lost_answer_carries_maybe_sent(void **state)
{
    (void)state;
    enum peer_fault faults[] = {PEER_HANGS_UP, PEER_CUTS, PEER_BABBLES};
    const char *texts[] = {"lost whole", "lost half", "lost in noise"};
    for (int i = 0; i < 3; i++) {
        peer_rule(peer,
                  (struct peer_rule){"sendMessage", texts[i], 1, faults[i], .but_done = true});
        say(post("c1", "", texts[i]));
        later(10000);
        assert_int_equal(peer_asked(peer, "sendMessage", texts[i]), 2);
        struct peer_request last = peer_request(peer, peer_count(peer) - 1);
        assert_non_null(strstr(last.body, "\"maybe_sent\":true"));
        assert_int_equal(stored_rows(), 0);
    }
}

/* The board may stand in the chat: a newer one waits for its id, and edits it. */
static void a_board_that_may_have_arrived_is_repeated_not_replaced(void **state)
{
    (void)state;
    peer_rule(peer,
              (struct peer_rule){"sendMessage", "board 1", 1, PEER_HANGS_UP, .but_done = true});
    say(post("c1", "board", "board 1"));
    go();
    say(post("c1", "board", "board 2"));
    later(20000);
    assert_int_equal(peer_asked(peer, "sendMessage", "board 1"), 2);
    BODY(1, "\"maybe_sent\":true");
    assert_int_equal(peer_asked(peer, "sendMessage", "board 2"), 0);
    assert_int_equal(peer_asked(peer, "editMessageText", "board 2"), 1);
}

static void repeat_after_a_server_error_carries_maybe_sent(void **state)
{
    (void)state;
    static const int statuses[] = {500, 502, 503, 504, 599};
    for (int i = 0; i < 5; i++) {
        char text[32];
        snprintf(text, sizeof text, "error %d", statuses[i]);
        peer_rule(peer, (struct peer_rule){"sendMessage", text, 1, .status = statuses[i]});
        say(post("c1", "", text));
        later(10000);
        assert_int_equal(peer_asked(peer, "sendMessage", text), 2);
        assert_null(strstr(peer_request(peer, 2 * i).body, "maybe_sent"));
        assert_non_null(strstr(peer_request(peer, 2 * i + 1).body, "\"maybe_sent\":true"));
    }
}

/* 2xx says that the message was taken, whatever stands behind it. */
static void repeat_after_an_unreadable_answer_carries_maybe_sent(void **state)
{
    (void)state;
    static const char *const bodies[] = {"", "{\"ok\":", "<html>Welcome</html>"};
    for (int i = 0; i < 3; i++) {
        char text[32];
        snprintf(text, sizeof text, "unreadable %d", i);
        peer_rule(peer,
                  (struct peer_rule){"sendMessage", text, 1, .status = 200, .body = bodies[i]});
        say(post("c1", "", text));
        later(10000);
        assert_int_equal(peer_asked(peer, "sendMessage", text), 2);
        assert_null(strstr(peer_request(peer, 2 * i).body, "maybe_sent"));
        assert_non_null(strstr(peer_request(peer, 2 * i + 1).body, "\"maybe_sent\":true"));
    }
}

/* The network answered: it did not take the message. */
static void repeat_after_a_refusal_does_not_carry_maybe_sent(void **state)
{
    (void)state;
    peer_rule(peer, (struct peer_rule){"sendMessage", "too soon", 3, .status = 429,
                                       .body = "{\"ok\":false}"});
    say(post("c1", "", "too soon"));
    later(10000);
    assert_int_equal(peer_asked(peer, "sendMessage", "too soon"), 4);
    say(post("c2", "board", "old board"));
    later(1000);
    peer_rule(peer, (struct peer_rule){"editMessageText", "new board", 1, .status = 400,
                                       .body = "{\"ok\":false,\"description\":\"not found\"}"});
    say(post("c2", "board", "new board"));
    later(1000);
    assert_int_equal(peer_asked(peer, "sendMessage", "new board"), 1);
    for (int i = 0; i < peer_count(peer); i++)
        assert_null(strstr(peer_request(peer, i).body, "maybe_sent"));
}

static void repeat_after_a_refused_connection_does_not_carry_maybe_sent(void **state)
{
    (void)state;
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

static void after_a_crash_only_rows_in_flight_carry_maybe_sent(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 1;
    restart();
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

static void newer_board_does_not_replace_one_in_flight(void **state)
{
    (void)state;
    say(post("c1", "board", "one"));
    outbox_pump(outbox_fixture, outbox_fixture_turn);
    say(post("c1", "board", "two"));
    go();
    assert_int_equal(peer_count(peer), 2);
    assert_int_equal(peer_asked(peer, "sendMessage", "one"), 1);
    assert_int_equal(peer_asked(peer, "editMessageText", "two"), 1);
    assert_int_equal(stored_rows(), 0);
}

/* A refusal takes the mark off; the next attempt needs it again before it goes. */
static void crash_in_the_second_attempt_is_known_too(void **state)
{
    (void)state;
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

static void a_sequence_of_calls_goes_on_where_it_was_after_a_restart(void **state)
{
    (void)state;
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

/* A private message about a match carries the post of its board, for a way back. */
static void private_message_knows_the_post_in_its_group(void **state)
{
    (void)state;
    struct outgoing hand = to_bo("hand");
    hand.group = STR("c1");
    hand.group_slot = STR("board:1");
    say(hand);
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "group_post"), 0); /* no board yet */
    say(post("c1", "board:1", "board"));
    go();
    struct str id = STR("");
    id = store_post(outbox_fixture_store, outbox_fixture_turn, account.id, STR("c1"),
                    STR("board:1"));
    assert_true(id.n > 0);
    char post_of_it[80];
    snprintf(post_of_it, sizeof post_of_it, "\"group_post\":\"%.*s\"", STR_ARG(id));
    say(hand);
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", post_of_it), 1);
}

/* An id of the group names another message, or none, in the private chat. */
static void private_message_answers_no_message_of_the_group(void **state)
{
    (void)state;
    struct outgoing answer = to_bo("the record"), aloud = post("c1", "", "pong");
    answer.reply_to = aloud.reply_to = STR("41");
    say(answer);
    say(aloud);
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "\"reply_to\""), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "\"pong\",\"reply_to\":\"41\""), 1);
}

static void undeliverable_message_comes_back_as_an_event(void **state)
{
    (void)state;
    peer_rule(peer, (struct peer_rule){"openDirect", NULL, 1, .status = 403});
    say(to_bo("secret"));
    go();
    assert_int_equal(n_never, 1);
    assert_int_equal(never_why, NEVER_UNREACHABLE);
    assert_string_equal(never_text, "secret");
    assert_int_equal(stored_rows(), 0);
    later(100000);
    assert_int_equal(peer_count(peer), 1);
}

static void a_chat_that_moved_gets_everything_under_its_new_key_in_order(void **state)
{
    (void)state;
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

static struct outgoing whisper(const char *press, const char *slot, const char *text)
{
    struct outgoing out = post("c1", slot, text);
    out.where = TO_WHISPER;
    out.to = STR("ann");
    out.press = str_of(press);
    return out;
}

static void c1_is_now_c2(void)
{
    peer_rule(peer, (struct peer_rule){
                        "sendMessage", "\"chat_id\":\"c1\"", 0, .status = 400,
                        .body = "{\"ok\":false,\"parameters\":{\"migrate_to_chat_id\":\"c2\"}}"});
}

/* The press it answers was made in the chat that is no more. */
static void a_whisper_in_answer_to_a_press_stays_behind_when_its_chat_moves(void **state)
{
    (void)state;
    c1_is_now_c2();
    say_and_pump(post("c1", "", "ping"));
    say(whisper("q1", "", "your hand"));
    say(post("c1", "", "pong"));
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "ping"), 2);
    assert_int_equal(peer_asked(peer, "sendMessage", "pong"), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "your hand"), 0);
    assert_int_equal(stored_rows(), 0);
    assert_int_equal(n_never, 0); /* nobody's door is closed */
}

static void a_whisper_that_finds_out_that_its_chat_moved_stays_behind(void **state)
{
    (void)state;
    c1_is_now_c2();
    say(whisper("q1", "", "your hand"));
    say(post("c1", "", "ping"));
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "your hand"), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "ping"), 1);
    assert_int_equal(stored_rows(), 0);
    assert_int_equal(n_never, 0);
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
static void receipts_are_settled_together_unless_a_row_waits(void **state)
{
    (void)state;
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

static void rows_behind_an_aside_do_not_wait(void **state)
{
    (void)state;
    say_and_pump(aside("c1", "pong 1"));
    say_and_pump(aside("c1", "pong 2"));
    say_and_pump(post("c1", "", "board"));
    assert_int_equal(http_running(outbox_fixture_http), 3);
    say_and_pump(aside("c1", "pong 3"));
    say_and_pump(post("c1", "", "last"));
    assert_int_equal(http_running(outbox_fixture_http), 3); /* the board is not yet taken */
    go();
    assert_int_equal(peer_count(peer), 5);
    for (int i = 0; i < 3; i++)
        assert_null(strstr(peer_request(peer, i).body, "last"));
    assert_int_equal(stored_rows(), 0);
}

static void a_refusal_for_a_time_holds_back_what_is_said_aside(void **state)
{
    (void)state;
    peer_rule(peer,
              (struct peer_rule){"sendMessage", "one", 1, .status = 429,
                                 .body = "{\"ok\":false,\"parameters\":{\"retry_after\":7}}"});
    say_and_pump(aside("c1", "one"));
    while (!outbox_unsettled(outbox_fixture))
        outbox_fixture_replies();
    say_and_pump(aside("c1", "pong"));
    assert_int_equal(http_running(outbox_fixture_http), 0);
    later(7000);
    assert_int_equal(peer_count(peer), 1);
    later(1);
    assert_int_equal(peer_count(peer), 3);
}

/* Fifteen seconds are not enough for all that a slow chat has before it. */
static void whisper_in_answer_to_a_press_goes_first_in_a_slow_lane(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 1;
    restart();
    say_and_pump(post("c1", "board", "one"));
    say_and_pump(post("c1", "ping", "two"));
    say_and_pump(post("c1", "", "three"));
    say_and_pump(whisper("", "news", "not asked for"));
    say_and_pump(whisper("p1", "hand", "a hand"));
    go();
    assert_int_equal(peer_count(peer), 1);
    later(60001);
    assert_int_equal(peer_count(peer), 2);
    assert_non_null(strstr(peer_request(peer, 1).body, "not asked for"));
    later(60001);
    assert_non_null(strstr(peer_request(peer, 2).body, "a hand"));
    later(60001);
    assert_non_null(strstr(peer_request(peer, 3).body, "two"));
    later(130000);
    assert_int_equal(peer_count(peer), 5);
    assert_int_equal(stored_rows(), 0);
}

/* Where nothing has to wait, what happened is told as it happened. */
static void lane_that_is_not_slow_keeps_its_order(void **state)
{
    (void)state;
    say_and_pump(post("c1", "", "one"));
    say_and_pump(post("c1", "", "two"));
    say_and_pump(whisper("p1", "hand", "a hand"));
    assert_int_equal(http_running(outbox_fixture_http), 1);
    go();
    static const char *const order[] = {"one", "two", "a hand"};
    for (int i = 0; i < 3; i++)
        assert_non_null(strstr(peer_request(peer, i).body, order[i]));
    assert_int_equal(peer_count(peer), 3);
}

static void aside_keeps_the_rate_of_its_chat(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 2; /* one at once, then one in a minute */
    restart();
    for (int i = 0; i < 3; i++)
        say(aside("c1", "pong"));
    go();
    assert_int_equal(peer_count(peer), 1);
    later(125000);
    assert_int_equal(peer_count(peer), 3);
}

static void a_quiet_chat_takes_a_whole_window_at_once(void **state)
{
    (void)state;
    quiet_for_a_minute(18, 0);
    for (int i = 0; i < 20; i++)
        say(post("c1", "", "line"));
    go();
    assert_int_equal(peer_count(peer), 18);
    later(60000);
    assert_int_equal(peer_count(peer), 18);
    later(1);
    assert_int_equal(peer_count(peer), 20);
}

/* Two matches in one group have more boards than its window has room for: none waits for most of a
 * minute, and the newest is what waits. */
static void boards_share_a_window_that_is_nearly_full(void **state)
{
    (void)state;
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
static void boards_of_two_matches_tell_what_happened_in_both(void **state)
{
    (void)state;
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

static void say_of_match(const char *head, const char *slot, const char *news)
{
    struct outgoing board = board_with_news(head, news, "\nField");
    board.slot = str_of(slot);
    say(board);
}

/* A network that knows transaction ids keeps the first: the second must not tell more than that. */
static void the_repeat_of_a_board_tells_what_its_first_attempt_told(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 20;
    restart();
    say_of_match("Match 1", "board:1", "\nAnn plays.");
    go();
    say_of_match("Match 2", "board:2", "\nBo plays.");
    later(1000);
    peer_rule(peer, (struct peer_rule){"editMessageText", "Ann draws.", 1, PEER_HANGS_UP,
                                       .but_done = true});
    say_of_match("Match 1", "board:1", "\nAnn draws.");
    for (int i = 0; i < 600 && peer_asked(peer, "editMessageText", "Ann draws.") == 0; i++)
        later(100);
    say_of_match("Match 2", "board:2", "\nBo draws.");
    later(600000);
    assert_int_equal(peer_asked(peer, "editMessageText", "Match 1\\nAnn draws.\\nField\""), 2);
    assert_int_equal(peer_asked(peer, "editMessageText", "Match 2\\nBo draws."), 1);
    assert_int_equal(stored_rows(), 0);
}

/* Nothing remembers what was sent just before: half of the window is taken to be. */
static void after_a_restart_half_a_window_goes_at_once(void **state)
{
    (void)state;
    quiet_for_a_minute(18, 0);
    for (int i = 0; i < 9; i++)
        say(post("c1", "", "before"));
    go();
    restart();
    for (int i = 0; i < 18; i++)
        say(post("c1", "", "after"));
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", NULL), 18);
    later(60001);
    assert_int_equal(peer_asked(peer, "sendMessage", "after"), 18);
}

static void what_one_person_sees_has_a_window_of_its_own(void **state)
{
    (void)state;
    quiet_for_a_minute(2, 4);
    for (int i = 0; i < 6; i++) {
        say(post("c1", "", "board"));
        say(whisper("", "", "a hand"));
        say(to_bo("private"));
    }
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "board"), 2);
    assert_int_equal(peer_asked(peer, "sendMessage", "a hand"), 4);
    int opened = peer_asked(peer, "openDirect", NULL);
    assert_int_equal(opened + peer_asked(peer, "sendMessage", "private"), 4);
}

static int hands_at_once(int n)
{
    int before = peer_asked(peer, "sendMessage", "a hand");
    for (int i = 0; i < n; i++)
        say(whisper("", "", "a hand"));
    go();
    int sent = peer_asked(peer, "sendMessage", "a hand") - before;
    later(10 * 60000); /* the others, and longer than any window */
    return sent;
}

/* The network has the last word: after a refusal hands count like boards, for ten minutes, after
 * the next one for twenty. */
static void a_refused_whisper_counts_in_the_window_of_its_chat_for_a_while(void **state)
{
    (void)state;
    static const char refusal[] = "{\"ok\":false,\"parameters\":{\"retry_after\":5}}";
    quiet_for_a_minute(2, 6);
    assert_int_equal(hands_at_once(5), 5);
    peer_rule(peer, (struct peer_rule){"sendMessage", "hand 1", 1, .status = 429, .body = refusal});
    say(whisper("", "", "hand 1"));
    later(120000);
    assert_int_equal(hands_at_once(3), 2);
    assert_int_equal(hands_at_once(5), 5); /* forgotten */
    peer_rule(peer, (struct peer_rule){"sendMessage", "hand 2", 1, .status = 429, .body = refusal});
    say(whisper("", "", "hand 2"));
    later(120000);
    assert_int_equal(hands_at_once(3), 2);
    assert_int_equal(hands_at_once(3), 2); /* twelve minutes later */
    assert_int_equal(hands_at_once(5), 5);
}

/* Refusals of what was under way at the same moment are one lesson. */
static void refusals_that_come_together_count_once(void **state)
{
    (void)state;
    static const char refusal[] = "{\"ok\":false,\"parameters\":{\"retry_after\":5}}";
    static const char *const groups[] = {"c3", "c4", "c5"};
    quiet_for_a_minute(2, 6);
    peer_rule(peer, (struct peer_rule){"sendMessage", "hand 1", 3, .status = 429, .body = refusal});
    for (int i = 0; i < 3; i++) {
        struct outgoing out = whisper("", "", "hand 1");
        out.chat = str_of(groups[i]);
        say(out);
    }
    later(120000);
    assert_int_equal(peer_asked(peer, "sendMessage", "hand 1"), 6);
    assert_int_equal(hands_at_once(3), 2);
    assert_int_equal(hands_at_once(5), 5); /* ten minutes later, not forty */
}

/* A network that counts hands like boards: after its one refusal what went before is counted
 * too. */
static void hands_sent_before_a_refusal_count_after_it(void **state)
{
    (void)state;
    static const char refusal[] = "{\"ok\":false,\"parameters\":{\"retry_after\":5}}";
    quiet_for_a_minute(6, 60);
    for (int i = 0; i < 3; i++) {
        say(post("c1", "", "a board"));
        say(whisper("", "", "a hand"));
    }
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "a board"), 3);
    assert_int_equal(peer_asked(peer, "sendMessage", "a hand"), 3);
    peer_rule(peer,
              (struct peer_rule){"sendMessage", "one more", 1, .status = 429, .body = refusal});
    say(whisper("", "", "one more"));
    later(6000);
    assert_int_equal(peer_asked(peer, "sendMessage", "one more"), 1);
    say(post("c1", "", "late board"));
    later(50000); /* seven in the minute are one too many for both */
    assert_int_equal(peer_asked(peer, "sendMessage", "one more"), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "late board"), 0);
    later(10000);
    assert_int_equal(peer_asked(peer, "sendMessage", "one more"), 2);
    assert_int_equal(peer_asked(peer, "sendMessage", "late board"), 1);
}

/* The refusal may meet a board: the hands before it filled the network's window. */
static void a_refused_board_teaches_that_hands_count(void **state)
{
    (void)state;
    static const char refusal[] = "{\"ok\":false,\"parameters\":{\"retry_after\":5}}";
    quiet_for_a_minute(2, 6);
    assert_int_equal(hands_at_once(5), 5);
    peer_rule(peer, (struct peer_rule){"sendMessage", "board", 1, .status = 429, .body = refusal});
    say(post("c1", "", "board"));
    go();
    later(6000);
    later(120000);
    assert_int_equal(hands_at_once(3), 3); /* no hand went shortly before: nothing to learn */
    peer_rule(peer, (struct peer_rule){"sendMessage", "table", 1, .status = 429, .body = refusal});
    say(whisper("", "", "a hand"));
    say(post("c1", "", "table"));
    go();
    later(6000);
    later(120000);
    assert_int_equal(hands_at_once(3), 2);
}

/* Private chats and groups do not learn from one another. */
static void a_refusal_in_private_leaves_groups_as_they_are(void **state)
{
    (void)state;
    static const char refusal[] = "{\"ok\":false,\"parameters\":{\"retry_after\":5}}";
    quiet_for_a_minute(2, 6);
    peer_rule(peer,
              (struct peer_rule){"sendMessage", "private", 1, .status = 429, .body = refusal});
    say(to_bo("private"));
    later(120000);
    assert_int_equal(hands_at_once(5), 5);
}

/* What is taken to be sent before a restart leaves room where the network counts more strictly. */
static void a_refusal_in_private_after_a_restart_does_not_silence_it(void **state)
{
    (void)state;
    static const char refusal[] = "{\"ok\":false,\"parameters\":{\"retry_after\":5}}";
    quiet_for_a_minute(20, 60);
    restart();
    peer_rule(peer, (struct peer_rule){"sendMessage", "a hand", 1, .status = 429, .body = refusal});
    say(to_bo("a hand"));
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "a hand"), 1);
    later(6000);
    assert_int_equal(peer_asked(peer, "sendMessage", "a hand"), 2);
    assert_int_equal(stored_rows(), 0);
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
static void answers_to_questions_leave_room_for_a_match(void **state)
{
    (void)state;
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

static void an_unsent_answer_is_replaced_by_a_newer_one_and_a_sent_one_stays(void **state)
{
    (void)state;
    struct outgoing pong = aside("c1", "pong 1");
    pong.slot = STR("answer:ping:ann");
    wire.limits.per_chat_minute = 1;
    restart();
    say(pong);
    go();
    pong.text = STR("pong 2");
    say(pong);
    pong.text = STR("pong 3");
    say(pong);
    later(200000);
    assert_int_equal(peer_count(peer), 2);
    assert_string_equal(peer_request(peer, 1).method, "sendMessage"); /* no edit of the first */
    BODY(1, "pong 3");
    assert_int_equal(stored_rows(), 0);
}

static void a_chat_that_moves_while_several_are_under_way_gets_each_once(void **state)
{
    (void)state;
    c1_is_now_c2();
    say_and_pump(aside("c1", "pong"));
    say_and_pump(post("c1", "", "one"));
    say_and_pump(post("c1", "", "two"));
    assert_int_equal(http_running(outbox_fixture_http), 2);
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "\"c2\""), 3);
    assert_int_equal(stored_rows(), 0);
    int n = peer_count(peer);
    restart();
    later(100000);
    assert_int_equal(peer_count(peer), n);
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

static void a_crowd_said_at_once_into_one_chat_goes_out_in_order(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 0;
    restart();
    say_a_crowd(100);
    go();
    crowd_has_arrived(100);
}

static void a_crowd_survives_the_process(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 0;
    restart();
    say_a_crowd(100);
    restart();
    later(1000);
    crowd_has_arrived(100);
}

/* What is said under the new key in the very transaction that finds out about it. */
static void what_is_said_while_a_chat_moves_arrives_behind_what_moves(void **state)
{
    (void)state;
    struct outgoing late = post("c2", "", "late");
    wire.limits.per_chat_minute = 0;
    restart();
    c1_is_now_c2();
    say_and_pump(post("c1", "", "one"));
    say(post("c1", "", "two"));
    while (http_running(outbox_fixture_http))
        outbox_fixture_replies();
    store_begin(outbox_fixture_store);
    outbox_settle(outbox_fixture, never, NULL, outbox_fixture_turn);
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

static void a_long_queue_is_kept_in_the_database_and_goes_out_in_order(void **state)
{
    (void)state;
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

static void nothing_is_lost_when_far_more_waits_than_memory_holds(void **state)
{
    (void)state;
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
    assert_true(outbox_long(outbox_fixture, &account));
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
    assert_false(outbox_long(outbox_fixture, &account));
}

/* A message that waits for its pace, and then a newer one that should only replace it. */
static void replace_only_becomes_a_new_message_if_the_first_was_never_sent(void **state)
{
    (void)state;
    struct outgoing newer = post("c1", "hand", "hand 2"), erase = post("c1", "ping", "");
    newer.replace_only = true;
    erase.kind = OUT_ERASE;
    wire.limits.per_chat_minute = 1;
    restart();
    say(post("c1", "", "first"));
    go();
    say(post("c1", "hand", "hand 1"));
    say(newer);
    say(post("c1", "ping", "your move"));
    say(erase);
    later(600000);
    assert_int_equal(peer_count(peer), 2);
    assert_string_equal(peer_request(peer, 1).method, "sendMessage");
    BODY(1, "hand 2");
    assert_int_equal(stored_rows(), 0);
}

/* The same where the waiting message is in the database only: it goes first, and is replaced
 * then. */
static void replace_only_does_not_drop_an_unloaded_row(void **state)
{
    (void)state;
    struct outgoing newer = post("c1", "hand", "hand 2");
    newer.replace_only = true;
    peer_rule(peer, (struct peer_rule){"sendMessage", "n0.", 1, .status = 503});
    for (int i = 0; i < 100; i++)
        say(post("c1", i == 90 ? "hand" : "", i == 0 ? "n0." : i == 90 ? "hand 1" : "n"));
    say(newer);
    later(2000);
    int n = peer_count(peer);
    BODY(n - 1, "hand 2");
    assert_int_equal(stored_rows(), 0);
}

/* Connections that were used before make HTTP libraries bold: they send again by themselves. */
static void repeat_after_a_used_connection_broke_carries_maybe_sent(void **state)
{
    (void)state;
    say(post("c1", "", "warm up"));
    go();
    peer_rule(peer, (struct peer_rule){"sendMessage", "lost", 1, PEER_HANGS_UP, .but_done = true});
    say(post("c1", "", "lost"));
    later(10000);
    assert_int_equal(peer_asked(peer, "sendMessage", "lost"), 2);
    assert_null(strstr(peer_request(peer, 1).body, "maybe_sent"));
    assert_non_null(strstr(peer_request(peer, 2).body, "\"maybe_sent\":true"));
}

/* The answer to a first call is understood by what was asked, though the private chat is known by
 * then. */
static void receipt_is_read_by_the_message_as_it_was_sent(void **state)
{
    (void)state;
    struct sender bo = {.id = STR("bo"), .name = STR("Bo")};
    struct person p = store_person(outbox_fixture_store, outbox_fixture_turn, account.id, &bo);
    say(to_bo("secret"));
    outbox_pump(outbox_fixture, outbox_fixture_turn);
    outbox_pump(outbox_fixture, outbox_fixture_turn);
    store_set_direct(outbox_fixture_store, p.id, STR("d7"),
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
static void the_log_tells_what_happened_to_each_row(void **state)
{
    (void)state;
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

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    log_open(LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(message_is_sent_once_and_its_row_deleted),
        T(uncommitted_message_is_not_sent),
        T(rollback_to_a_savepoint_keeps_the_rest),
        T(order_holds_though_the_first_is_refused_for_now),
        T(newer_board_replaces_an_unsent_one),
        T(the_delay_counts_from_the_first_that_was_replaced),
        T(a_board_tells_the_news_of_those_it_replaces),
        T(a_board_that_is_moved_down_tells_the_news_of_an_unsent_one),
        T(news_that_does_not_fit_gives_way_from_the_oldest),
        T(the_second_of_a_slot_edits_the_first_even_after_a_restart),
        T(replace_only_without_a_message_does_nothing),
        T(closing_takes_the_buttons_of_a_message_alone),
        T(closing_buttons_never_delays_what_a_match_says),
        T(a_message_is_sent_before_its_buttons_are_closed),
        T(buttons_that_cannot_be_closed_stay_and_nothing_comes_back),
        T(an_erased_message_is_no_longer_edited),
        T(a_board_that_is_moved_down_is_a_new_message_once),
        T(a_board_whose_message_is_gone_is_sent_anew),
        T(a_chat_keeps_its_pace_and_others_do_not_wait),
        T(an_answer_to_a_press_goes_past_all_pace),
        T(an_answer_that_is_too_old_is_dropped),
        T(the_account_keeps_its_pace_over_all_chats),
        T(hands_go_before_boards_and_leave_them_a_share),
        T(retry_after_holds_one_chat),
        T(retry_after_everywhere_holds_the_account),
        T(back_off_doubles_up_to_a_minute),
        T(a_wall_clock_that_is_set_changes_no_wait),
        T(a_wall_clock_that_is_set_back_holds_up_no_chat_at_its_pace),
        T(a_stored_wait_is_never_longer_than_a_network_may_ask),
        T(a_back_off_does_not_outlive_the_process),
        T(repeat_after_a_lost_answer_carries_maybe_sent),
        T(a_board_that_may_have_arrived_is_repeated_not_replaced),
        T(repeat_after_a_server_error_carries_maybe_sent),
        T(repeat_after_an_unreadable_answer_carries_maybe_sent),
        T(repeat_after_a_refusal_does_not_carry_maybe_sent),
        T(repeat_after_a_refused_connection_does_not_carry_maybe_sent),
        T(newer_board_does_not_replace_one_in_flight),
        T(crash_in_the_second_attempt_is_known_too),
        T(after_a_crash_only_rows_in_flight_carry_maybe_sent),
        T(a_sequence_of_calls_goes_on_where_it_was_after_a_restart),
        T(private_message_knows_the_post_in_its_group),
        T(private_message_answers_no_message_of_the_group),
        T(undeliverable_message_comes_back_as_an_event),
        T(a_chat_that_moved_gets_everything_under_its_new_key_in_order),
        T(a_whisper_in_answer_to_a_press_stays_behind_when_its_chat_moves),
        T(a_whisper_that_finds_out_that_its_chat_moved_stays_behind),
        T(receipts_are_settled_together_unless_a_row_waits),
        T(rows_behind_an_aside_do_not_wait),
        T(a_refusal_for_a_time_holds_back_what_is_said_aside),
        T(whisper_in_answer_to_a_press_goes_first_in_a_slow_lane),
        T(lane_that_is_not_slow_keeps_its_order),
        T(aside_keeps_the_rate_of_its_chat),
        T(a_quiet_chat_takes_a_whole_window_at_once),
        T(boards_share_a_window_that_is_nearly_full),
        T(boards_of_two_matches_tell_what_happened_in_both),
        T(the_repeat_of_a_board_tells_what_its_first_attempt_told),
        T(after_a_restart_half_a_window_goes_at_once),
        T(what_one_person_sees_has_a_window_of_its_own),
        T(a_refused_whisper_counts_in_the_window_of_its_chat_for_a_while),
        T(refusals_that_come_together_count_once),
        T(hands_sent_before_a_refusal_count_after_it),
        T(a_refused_board_teaches_that_hands_count),
        T(a_refusal_in_private_leaves_groups_as_they_are),
        T(a_refusal_in_private_after_a_restart_does_not_silence_it),
        T(answers_to_questions_leave_room_for_a_match),
        T(an_unsent_answer_is_replaced_by_a_newer_one_and_a_sent_one_stays),
        T(a_chat_that_moves_while_several_are_under_way_gets_each_once),
        T(a_crowd_said_at_once_into_one_chat_goes_out_in_order),
        T(a_crowd_survives_the_process),
        T(what_is_said_while_a_chat_moves_arrives_behind_what_moves),
        T(a_long_queue_is_kept_in_the_database_and_goes_out_in_order),
        T(nothing_is_lost_when_far_more_waits_than_memory_holds),
        T(replace_only_becomes_a_new_message_if_the_first_was_never_sent),
        T(replace_only_does_not_drop_an_unloaded_row),
        T(repeat_after_a_used_connection_broke_carries_maybe_sent),
        T(the_log_tells_what_happened_to_each_row),
        T(receipt_is_read_by_the_message_as_it_was_sent),
    };
    return cmocka_run_group_tests_name("outbox", tests, NULL, NULL);
}
