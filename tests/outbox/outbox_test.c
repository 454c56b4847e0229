/* The outbox against a network that misbehaves: what was accepted arrives, once, in order, at its
 * pace. */
#include "shell/mailing.h"
#include "shell/scratch.h"
#include "shell/still.h"

#include "http.h"
#include "log.h"
#include "outbox.h"
#include "peer.h"
#include "wire_adapter.h"

static _Atomic int64_t now;
static struct err err;
static struct arena *turn;
static struct store *store;
static struct http *http;
static struct work *work;
static struct outbox *outbox;
static struct peer *peer;
static struct wire wire;
static struct account account;
static int n_never;
static enum never_why never_why;
static char never_text[256];

static const struct clock test_clock = {.now_ms = still_now, .arg = &now};

static void open_all(void)
{
    account = wire_account(&wire);
    account.limits = wire.limits;
    OK(store_open(scratch_file("store.db"), &store, &err));
    OK(store_account(store, account.name, &account.id, &err));
    OK(http_open(&http, &err));
    OK(work_open(1, 0, &work, &err));
    struct outbox_parts parts = {.store = store,
                                 .http = http,
                                 .work = work,
                                 .clock = &test_clock,
                                 .n_accounts = 1,
                                 .accounts = &account};
    OK(outbox_open(&parts, &outbox, &err));
}

static void close_all(void)
{
    outbox_close(outbox);
    work_close(work);
    http_close(http);
    store_close(store);
}

static void restart(void)
{
    close_all();
    open_all();
}

static int setup(void **state)
{
    (void)state;
    now = 1000000;
    n_never = 0;
    turn = arena_open(1 << 26);
    peer = peer_open(&now);
    wire = (struct wire){.root = peer_root(peer), .limits = wire_adapter.limits};
    if (!scratch_open())
        return 1;
    open_all();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    close_all();
    peer_close(peer);
    arena_close(turn);
    scratch_close();
    return 0;
}

static bool never(void *arg, const struct account *on, const struct outgoing *out,
                  const struct receipt *receipt, struct err *e)
{
    (void)arg, (void)on, (void)e;
    n_never++;
    never_why = receipt->why;
    snprintf(never_text, sizeof never_text, "%.*s", STR_ARG(out->text));
    return true;
}

static struct mailing mailing(void)
{
    return (struct mailing){outbox, store, http, turn, &test_clock, never};
}

static void settle(void)
{
    struct mailing m = mailing();
    mailing_settle(&m);
}

static void take_replies(void)
{
    struct mailing m = mailing();
    mailing_replies(&m);
}

/* All that can happen at this moment happens. */
static void go(void)
{
    struct mailing m = mailing();
    mailing_go(&m);
}

static void later(int64_t ms)
{
    int64_t until = now + ms;
    for (;;) {
        go();
        int64_t next = outbox_next(outbox);
        if (next > until)
            break;
        now = next > now ? next : now + 1;
    }
    now = until;
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
    OK(store_begin(store, &err));
    OK(outbox_push(outbox, &account, &out, &err));
    OK(store_commit(store, &err));
    outbox_commit(outbox);
}

static int stored_rows(void)
{
    struct out_rows rows;
    OK(store_outbox(store, turn, 0, STR(""), 0, 100000, &rows, &err));
    return rows.n;
}

#define BODY(i, part) assert_non_null(strstr(peer_request(peer, i).body, part))

static void a_message_arrives_once_and_is_forgotten(void **state)
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

static void nothing_is_said_that_was_not_committed(void **state)
{
    (void)state;
    struct outgoing out = post("c1", "board", "never happened"), kept = post("c1", "board", "kept");
    wire.limits.per_chat_minute = 1;
    restart();
    say(post("c1", "", "first"));
    go();
    say(kept); /* waits for its pace */
    OK(store_begin(store, &err));
    OK(outbox_push(outbox, &account, &out, &err));
    store_rollback(store);
    outbox_abandon(outbox);
    later(600000);
    assert_int_equal(peer_count(peer), 2);
    BODY(1, "kept"); /* what it would have replaced is back */
}

static void only_the_undone_part_of_a_transaction_is_taken_back(void **state)
{
    (void)state;
    struct outgoing one = post("c1", "", "one"), two = post("c1", "", "two"),
                    three = post("c1", "", "three");
    OK(store_begin(store, &err));
    OK(outbox_push(outbox, &account, &one, &err));
    int mark = outbox_mark(outbox);
    OK(store_mark(store, &err));
    OK(outbox_push(outbox, &account, &two, &err));
    OK(store_undo(store, &err));
    outbox_rollback(outbox, mark);
    OK(outbox_push(outbox, &account, &three, &err));
    OK(store_commit(store, &err));
    outbox_commit(outbox);
    go();
    assert_int_equal(peer_count(peer), 2);
    BODY(0, "one");
    BODY(1, "three");
    assert_int_equal(stored_rows(), 0);
}

static void a_chat_hears_things_in_order_though_the_first_is_refused_for_now(void **state)
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

static void a_newer_board_replaces_one_that_was_not_sent(void **state)
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

static void a_message_that_must_only_replace_does_nothing_without_one(void **state)
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
    int64_t start = now;
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
    struct outgoing answer = {
        .kind = OUT_ANSWER, .press = STR("q1"), .text = STR("late"), .expires = now + 15000};
    peer_rule(peer, (struct peer_rule){"answerCallbackQuery", NULL, 0, .status = 500});
    int64_t begun = now;
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

static void too_many_requests_is_obeyed_for_that_chat_alone(void **state)
{
    (void)state;
    int64_t start = now;
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
        strstr(peer_request(peer, 2).body, "unknown")); /* it was refused: nothing is in doubt */
}

static void too_many_requests_everywhere_holds_the_account(void **state)
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

static void a_network_that_is_down_is_tried_less_and_less_often(void **state)
{
    (void)state;
    peer_rule(peer, (struct peer_rule){"sendMessage", NULL, 10, .status = 503});
    say(post("c1", "", "x"));
    int64_t start = now;
    later(3600000);
    assert_int_equal(peer_count(peer), 11);
    int64_t gaps[] = {250, 500, 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000};
    for (int i = 0; i < 10; i++)
        assert_int_equal(peer_request(peer, i + 1).at - peer_request(peer, i).at, gaps[i]);
    assert_int_equal(peer_request(peer, 0).at, start);
    assert_int_equal(stored_rows(), 0);
}

static void what_may_have_arrived_is_sent_again_as_unknown(void **state)
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
        assert_non_null(strstr(last.body, "\"unknown\":true"));
        assert_int_equal(stored_rows(), 0);
    }
}

static void what_was_in_flight_when_the_process_died_is_unknown_and_the_rest_is_not(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 1;
    restart();
    say(post("c1", "", "one"));
    say(post("c1", "", "two")); /* held back by the pace: never tried */
    outbox_pump(outbox, turn);
    while (peer_count(peer) == 0) /* sent; nobody hears the answer */
        http_wait(http, NULL, 0, 100);
    restart();
    later(600000);
    assert_int_equal(peer_asked(peer, "sendMessage", "two"), 1);
    for (int i = 0; i < peer_count(peer); i++) {
        struct peer_request r = peer_request(peer, i);
        if (strstr(r.body, "two"))
            assert_null(strstr(r.body, "unknown"));
        else if (i > 0)
            assert_non_null(strstr(r.body, "unknown"));
    }
}

static struct outgoing to_bo(const char *text)
{
    return (struct outgoing){
        .kind = OUT_POST, .where = TO_DIRECT, .to = STR("bo"), .text = str_of(text)};
}

static void a_sequence_of_calls_goes_on_where_it_was_after_a_restart(void **state)
{
    (void)state;
    struct person p;
    struct sender bo = {.id = STR("bo"), .name = STR("Bo")};
    OK(store_person(store, turn, account.id, &bo, &p, &err));
    peer_rule(peer, (struct peer_rule){"sendMessage", "secret", 1, .status = 503});
    say(to_bo("secret"));
    go();
    assert_int_equal(peer_asked(peer, "openDirect", NULL), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", NULL), 1);
    restart();
    later(10000);
    assert_int_equal(peer_asked(peer, "openDirect", NULL), 1); /* not opened twice */
    assert_int_equal(peer_asked(peer, "sendMessage", "\"chat_id\":\"d101\""), 2);
    say(to_bo("second"));
    go();
    assert_int_equal(peer_asked(peer, "openDirect", NULL), 1); /* it is known now */
    assert_int_equal(peer_asked(peer, "sendMessage", "second"), 1);
}

static void who_cannot_be_reached_comes_back_as_an_event(void **state)
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
    struct chat before, after;
    OK(store_chat(store, turn, account.id, STR("c1"), STR("Tea room"), false, &before, &err));
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
    OK(store_chat(store, turn, account.id, STR("c2"), STR(""), false, &after, &err));
    assert_int_equal(after.id, before.id);
}

static void say_and_pump(struct outgoing out)
{
    say(out);
    outbox_pump(outbox, turn);
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
    while (!outbox_unsettled(outbox))
        take_replies();
}

/* Receipts wait a little, so that one commit does for many; not where the next thing to say waits
 * for them and nothing more is on its way. */
static void a_receipt_waits_for_company_unless_somebody_waits_for_it(void **state)
{
    (void)state;
    say_and_pump(post("c1", "", "alone"));
    answered();
    assert_false(outbox_wants_settling(outbox));
    assert_true(outbox_next(outbox) > now && outbox_next(outbox) <= now + 10);
    now = outbox_next(outbox);
    assert_true(outbox_wants_settling(outbox));
    settle();
    assert_false(outbox_wants_settling(outbox));
    say(post("c1", "", "first"));
    say_and_pump(post("c1", "", "second"));
    answered();
    assert_int_equal(peer_count(peer), 2);
    assert_true(outbox_wants_settling(outbox));
    assert_true(outbox_next(outbox) == now);
    settle();
    outbox_pump(outbox, turn);
    answered();
    assert_int_equal(peer_count(peer), 3);
    assert_false(outbox_wants_settling(outbox)); /* nobody is behind the second */
    settle();
    now += 100000;
    assert_false(outbox_wants_settling(outbox));
}

static void nothing_waits_for_what_is_said_aside(void **state)
{
    (void)state;
    say_and_pump(aside("c1", "pong 1"));
    say_and_pump(aside("c1", "pong 2"));
    say_and_pump(post("c1", "", "board"));
    assert_int_equal(http_running(http), 3);
    say_and_pump(aside("c1", "pong 3"));
    say_and_pump(post("c1", "", "last"));
    assert_int_equal(http_running(http), 3); /* the board is not yet taken */
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
    while (!outbox_unsettled(outbox))
        take_replies();
    say_and_pump(aside("c1", "pong"));
    assert_int_equal(http_running(http), 0);
    later(7000);
    assert_int_equal(peer_count(peer), 1);
    later(1);
    assert_int_equal(peer_count(peer), 3);
}

/* Fifteen seconds are not enough for all that a slow chat has before it. */
static void what_answers_a_press_goes_before_what_waits(void **state)
{
    (void)state;
    wire.limits.per_chat_minute = 2;
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
static void a_chat_that_is_not_slow_keeps_its_order(void **state)
{
    (void)state;
    say_and_pump(post("c1", "", "one"));
    say_and_pump(post("c1", "", "two"));
    say_and_pump(whisper("p1", "hand", "a hand"));
    assert_int_equal(http_running(http), 1);
    go();
    static const char *const order[] = {"one", "two", "a hand"};
    for (int i = 0; i < 3; i++)
        assert_non_null(strstr(peer_request(peer, i).body, order[i]));
    assert_int_equal(peer_count(peer), 3);
}

static void what_is_said_aside_keeps_the_pace_of_its_chat(void **state)
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

static void a_chat_that_moves_while_several_are_under_way_gets_each_once(void **state)
{
    (void)state;
    c1_is_now_c2();
    say_and_pump(aside("c1", "pong"));
    say_and_pump(post("c1", "", "one"));
    say_and_pump(post("c1", "", "two"));
    assert_int_equal(http_running(http), 2);
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
    OK(store_begin(store, &err));
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "n%d.", i);
        struct outgoing out = post("c1", "", text);
        OK(outbox_push(outbox, &account, &out, &err));
    }
    OK(store_commit(store, &err));
    outbox_commit(outbox);
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
    while (http_running(http))
        take_replies();
    OK(store_begin(store, &err));
    OK(outbox_settle(outbox, never, NULL, turn, &err));
    OK(outbox_push(outbox, &account, &late, &err));
    OK(store_commit(store, &err));
    outbox_commit(outbox);
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
    OK(store_begin(store, &err));
    for (int i = 0; i < CHATS * EACH; i++) {
        snprintf(chat, sizeof chat, "c%d", i % CHATS);
        snprintf(text, sizeof text, "n%d.", i / CHATS);
        struct outgoing out = post(chat, "", text);
        OK(outbox_push(outbox, &account, &out, &err));
    }
    OK(store_commit(store, &err));
    outbox_commit(outbox);
    assert_true(outbox_long(outbox, &account));
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
        assert_null(strstr(r.body, "unknown"));
    }
    for (int i = 0; i < CHATS; i++)
        assert_int_equal(next[i], EACH);
    assert_int_equal(stored_rows(), 0);
    assert_false(outbox_long(outbox, &account));
}

/* A message that waits for its pace, and then a newer one that should only replace it. */
static void what_would_only_replace_a_message_is_sent_itself_if_that_one_never_was(void **state)
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
static void what_waits_in_the_database_is_not_lost_to_one_that_would_only_replace_it(void **state)
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
static void what_may_have_arrived_on_a_used_connection_is_sent_again_as_unknown_too(void **state)
{
    (void)state;
    say(post("c1", "", "warm up"));
    go();
    peer_rule(peer, (struct peer_rule){"sendMessage", "lost", 1, PEER_HANGS_UP, .but_done = true});
    say(post("c1", "", "lost"));
    later(10000);
    assert_int_equal(peer_asked(peer, "sendMessage", "lost"), 2);
    assert_null(strstr(peer_request(peer, 1).body, "unknown"));
    assert_non_null(strstr(peer_request(peer, 2).body, "\"unknown\":true"));
}

/* The answer to a first call is understood by what was asked, though the private chat is known by
 * then. */
static void an_answer_is_understood_by_what_was_asked(void **state)
{
    (void)state;
    struct person p;
    struct sender bo = {.id = STR("bo"), .name = STR("Bo")};
    OK(store_person(store, turn, account.id, &bo, &p, &err));
    say(to_bo("secret"));
    outbox_pump(outbox, turn);
    outbox_pump(outbox, turn);
    OK(store_set_direct(store, p.id, STR("d7"), true, &err)); /* he has written in the meantime */
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "secret"), 1);
    assert_int_equal(stored_rows(), 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    log_open(LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(a_message_arrives_once_and_is_forgotten),
        T(nothing_is_said_that_was_not_committed),
        T(only_the_undone_part_of_a_transaction_is_taken_back),
        T(a_chat_hears_things_in_order_though_the_first_is_refused_for_now),
        T(a_newer_board_replaces_one_that_was_not_sent),
        T(the_second_of_a_slot_edits_the_first_even_after_a_restart),
        T(a_message_that_must_only_replace_does_nothing_without_one),
        T(an_erased_message_is_no_longer_edited),
        T(a_board_whose_message_is_gone_is_sent_anew),
        T(a_chat_keeps_its_pace_and_others_do_not_wait),
        T(an_answer_to_a_press_goes_past_all_pace),
        T(an_answer_that_is_too_old_is_dropped),
        T(the_account_keeps_its_pace_over_all_chats),
        T(too_many_requests_is_obeyed_for_that_chat_alone),
        T(too_many_requests_everywhere_holds_the_account),
        T(a_network_that_is_down_is_tried_less_and_less_often),
        T(what_may_have_arrived_is_sent_again_as_unknown),
        T(what_was_in_flight_when_the_process_died_is_unknown_and_the_rest_is_not),
        T(a_sequence_of_calls_goes_on_where_it_was_after_a_restart),
        T(who_cannot_be_reached_comes_back_as_an_event),
        T(a_chat_that_moved_gets_everything_under_its_new_key_in_order),
        T(a_whisper_in_answer_to_a_press_stays_behind_when_its_chat_moves),
        T(a_whisper_that_finds_out_that_its_chat_moved_stays_behind),
        T(a_receipt_waits_for_company_unless_somebody_waits_for_it),
        T(nothing_waits_for_what_is_said_aside),
        T(a_refusal_for_a_time_holds_back_what_is_said_aside),
        T(what_answers_a_press_goes_before_what_waits),
        T(a_chat_that_is_not_slow_keeps_its_order),
        T(what_is_said_aside_keeps_the_pace_of_its_chat),
        T(a_chat_that_moves_while_several_are_under_way_gets_each_once),
        T(a_crowd_said_at_once_into_one_chat_goes_out_in_order),
        T(a_crowd_survives_the_process),
        T(what_is_said_while_a_chat_moves_arrives_behind_what_moves),
        T(a_long_queue_is_kept_in_the_database_and_goes_out_in_order),
        T(nothing_is_lost_when_far_more_waits_than_memory_holds),
        T(what_would_only_replace_a_message_is_sent_itself_if_that_one_never_was),
        T(what_waits_in_the_database_is_not_lost_to_one_that_would_only_replace_it),
        T(what_may_have_arrived_on_a_used_connection_is_sent_again_as_unknown_too),
        T(an_answer_is_understood_by_what_was_asked),
    };
    return cmocka_run_group_tests_name("outbox", tests, NULL, NULL);
}
