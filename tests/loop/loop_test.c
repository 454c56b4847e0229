/* The whole loop over a real socket and a file: every command is answered, stored and confirmed;
 * faults delay and never lose. */
#include "engine/test.h"
#include "fixture/loop_fixture.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "db_open.h"
#include "log.h"
#include "loop_internal.h"
#include "session.h"

static struct err err;

FIXTURE(setup)
{
    return loop_fixture_open(&(struct loop_fixture_options){0});
}

TEST_WITH(a_ping_is_answered_stored_and_confirmed, setup, loop_fixture_teardown)
{
    int64_t id = peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    loop_fixture_run(5000);
    assert_int_equal(peer_count(loop_fixture_peer), 1);
    assert_string_equal(peer_request(loop_fixture_peer, 0).method, "sendMessage");
    assert_non_null(strstr(peer_request(loop_fixture_peer, 0).body, "\"pong one\""));
    assert_non_null(strstr(peer_request(loop_fixture_peer, 0).body, "\"tea\""));
    assert_int_equal(peer_confirmed(loop_fixture_peer), id + 1);
}

TEST_WITH(after_a_restart_nothing_is_asked_or_answered_twice, setup, loop_fixture_teardown)
{
    int64_t id = peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    loop_fixture_run(5000);
    loop_fixture_restart();
    peer_types(loop_fixture_peer, "tea", "ann", "/ping two");
    loop_fixture_run(5000);
    assert_int_equal(peer_count(loop_fixture_peer), 2);
    assert_non_null(strstr(peer_request(loop_fixture_peer, 1).body, "pong two"));
    assert_int_equal(peer_confirmed(loop_fixture_peer), id + 2);
}

TEST_WITH(a_repeated_update_is_handled_once, setup, loop_fixture_teardown)
{
    static const char twice[] = "{\"ok\":true,\"result\":["
                                "{\"update_id\":7,\"message\":{\"chat\":{\"id\":\"c\"},\"from\":{"
                                "\"id\":\"a\",\"first_name\":\"A\"},\"text\":\"/ping x\"}},"
                                "{\"update_id\":7,\"message\":{\"chat\":{\"id\":\"c\"},\"from\":{"
                                "\"id\":\"a\",\"first_name\":\"A\"},\"text\":\"/ping x\"}}]}";
    peer_rule(loop_fixture_peer,
              (struct peer_rule){"getUpdates", NULL, 2, .status = 200, .body = twice});
    loop_fixture_run(5000);
    assert_int_equal(peer_count(loop_fixture_peer), 1);
}

/* The longest ids of a person and of a chat are kept. Whose id is longer is answered and not kept; a
 * chat with a longer one hears nothing. */
TEST_WITH(ids_have_an_end, setup, loop_fixture_teardown)
{
    char id[NETWORK_ID_SIZE + 1] = "", chat[CHAT_KEY_SIZE + 1] = "";
    struct arena *a = arena_open(1 << 20);
    int answers = 0;
    for (int more = 0; more < 2; more++) {
        memset(id, 'a', (size_t)(NETWORK_ID_SIZE - 1 + more));
        memset(chat, 'c', (size_t)(CHAT_KEY_SIZE - 1 + more));
        peer_types(loop_fixture_peer, "tea", id, "/ping one");
        loop_fixture_run(5000);
        assert_int_equal(peer_count(loop_fixture_peer), ++answers);
        bool known = store_person_by_network_id(loop_fixture->store, a, 1, str_of(id)) != NULL;
        assert_int_equal(known, !more);
        peer_types(loop_fixture_peer, chat, "ann", "/ping two");
        loop_fixture_run(5000);
        answers += !more;
        assert_int_equal(peer_count(loop_fixture_peer), answers);
    }
    arena_close(a);
}

/* A network where most of what is heard is said to others, in the chat "street". */
static struct adapter among_others;
static int heard_on_the_street;

static bool read_ours(void *account, struct arena *turn, const struct reply *reply,
                      struct batch *ret, struct err *why)
{
    bool good = wire_adapter.read(account, turn, reply, ret, why);
    ret->may_wait = ret->n > 0 && str_is(ret->at[0].chat, STR("street"));
    if (ret->may_wait) {
        heard_on_the_street++;
        ret->n = 0;
    }
    return good;
}

FIXTURE(setup_among_others)
{
    among_others = wire_adapter;
    among_others.read = read_ours;
    heard_on_the_street = 0;
    return loop_fixture_open(&(struct loop_fixture_options){.adapter = &among_others});
}

TEST_WITH(what_is_said_to_others_is_stored_with_what_is_said_to_us, setup_among_others,
          loop_fixture_teardown)
{
    int64_t theirs = peer_types(loop_fixture_peer, "street", "bo", "hello");
    loop_fixture_run(5000);
    assert_int_equal(peer_confirmed(loop_fixture_peer), theirs + 1);
    assert_int_equal(heard_on_the_street, 1);
    loop_fixture_restart(); /* it was not stored */
    loop_fixture_run(5000);
    assert_int_equal(heard_on_the_street, 2);
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    loop_fixture_run(5000);
    loop_fixture_restart();
    loop_fixture_run(5000);
    assert_int_equal(heard_on_the_street, 2);
    assert_int_equal(peer_count(loop_fixture_peer), 1);
}

/* A network that hands out a few updates at a time, and how much had been sent as each was asked for. */
enum { HANDED = 2, POLLS = 32 };
static struct adapter in_parts;
static int n_sent, n_polls, sent_before[POLLS];

static void poll_counted(void *account, struct arena *turn, struct str cursor, struct request *ret)
{
    if (n_polls < POLLS)
        sent_before[n_polls++] = n_sent;
    wire_adapter.poll(account, turn, cursor, ret);
}

static void send_counted(void *account, struct arena *turn, const struct outgoing *out,
                         struct request *ret)
{
    n_sent++;
    wire_adapter.send(account, turn, out, ret);
}

static bool read_part(void *account, struct arena *turn, const struct reply *reply,
                      struct batch *ret, struct err *why)
{
    bool good = wire_adapter.read(account, turn, reply, ret, why);
    ret->more = ret->n == HANDED;
    return good;
}

FIXTURE(setup_in_parts)
{
    in_parts = wire_adapter;
    in_parts.poll = poll_counted;
    in_parts.send = send_counted;
    in_parts.read = read_part;
    n_sent = n_polls = 0;
    int failed = loop_fixture_open(&(struct loop_fixture_options){.adapter = &in_parts});
    peer_hands_out(loop_fixture_peer, HANDED);
    return failed;
}

static void many_ping(int from, int to)
{
    char chat[16], text[32];
    for (int i = from; i <= to; i++) {
        snprintf(chat, sizeof chat, "@p%d", i);
        snprintf(text, sizeof text, "/ping n%dx", i);
        peer_types(loop_fixture_peer, chat, chat + 1, text);
    }
    loop_fixture_run(20000);
    assert_int_equal(n_sent, to);
    for (int i = 1; i <= to; i++) {
        snprintf(text, sizeof text, "pong n%dx", i);
        assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", text), 1);
    }
}

/* Where more waits it is asked for before the answers to what has come are sent, until less came of
 * that than was thought. */
TEST_WITH(what_waits_is_asked_for_while_answers_are_sent, setup_in_parts, loop_fixture_teardown)
{
    many_ping(1, 7);
    static const int early[] = {0, 0, 2, 4, 7}; /* the fourth brings one */
    enum { N = sizeof early / sizeof *early };
    assert_in_range(n_polls, N, POLLS);
    for (int i = 0; i < N; i++)
        assert_int_equal(sent_before[i], early[i]);
    n_polls = 0;
    many_ping(8, 11);
    assert_true(n_polls > 2);
    for (int i = 1; i < n_polls;
         i++) /* each once all is answered that the one before has brought */
        assert_int_equal(sent_before[i], i == 1 && sent_before[0] == 7 ? 9 : 11);
}

TEST_WITH(many_chats_are_answered_each_in_order, setup, loop_fixture_teardown)
{
    enum { CHATS = 20, EACH = 15 };
    char chat[16], text[32];
    int next[CHATS] = {0};
    for (int i = 0; i < CHATS * EACH; i++) {
        snprintf(chat, sizeof chat, "@room%d", i % CHATS);
        snprintf(text, sizeof text, "/settings clock=%dh", 2 + i / CHATS);
        peer_types(loop_fixture_peer, chat, chat + 1, text);
    }
    loop_fixture_run(20000);
    assert_int_equal(peer_count(loop_fixture_peer), CHATS * EACH);
    for (int i = 0; i < CHATS * EACH; i++) {
        int room = -1;
        struct peer_request r = peer_request(loop_fixture_peer, i);
        assert_int_equal(sscanf(strstr(r.body, "room"), "room%d", &room), 1);
        snprintf(text, sizeof text, "Clock: %d hours", 2 + next[room]++);
        assert_non_null(strstr(r.body, text));
    }
}

TEST_WITH(questions_that_come_together_are_answered_each_once, setup, loop_fixture_teardown)
{
    enum { EACH = 15 };
    char text[32];
    char person[16];
    for (int i = 0; i < EACH; i++) {
        snprintf(text, sizeof text, "/ping n%dx", i);
        snprintf(person, sizeof person, "p%d", i);
        peer_types(loop_fixture_peer, "tea", person, text);
    }
    loop_fixture_run(20000);
    assert_int_equal(peer_count(loop_fixture_peer), EACH);
    for (int i = 0; i < EACH; i++) {
        snprintf(text, sizeof text, "pong n%dx", i);
        assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", text), 1);
    }
}

/* One person's question that comes again before it is answered gets one answer; another question
 * has its own, and so have other people. */
TEST_WITH(a_newer_answer_to_the_same_question_replaces_an_unsent_one, setup, loop_fixture_teardown)
{
    for (int i = 0; i < 15; i++)
        peer_types(loop_fixture_peer, "tea", i % 2 ? "ann" : "bob", "/ping a");
    peer_types(loop_fixture_peer, "tea", "ann", "/ping b");
    peer_types(loop_fixture_peer, "tea", "ann", "/privacy");
    for (int i = 0; i < 2; i++) {
        peer_types(loop_fixture_peer, "tea", "ann", "/rules steam");
        peer_types(loop_fixture_peer, "tea", "ann", "/rules okoshki");
        peer_types(loop_fixture_peer, "tea", "ann", "/stats @cy");
        peer_types(loop_fixture_peer, "tea", "ann", "/stats @dee");
    }
    loop_fixture_run(20000);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong a"), 2);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong b"), 1);
    assert_int_equal(peer_count(loop_fixture_peer), 4 + 4);
}

TEST_WITH(an_answer_that_could_not_be_sent_for_a_minute_is_dropped, setup, loop_fixture_teardown)
{
    enum { TRIES = 8 }; /* after 0, 0.25, 0.75, 1.75 … 31.75 s; the ninth would be at 63.75 s */
    peer_rule(loop_fixture_peer, (struct peer_rule){"sendMessage", NULL, TRIES, .status = 500});
    peer_types(loop_fixture_peer, "tea", "ann", "/ping late");
    loop_fixture_run(120000);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong late"), TRIES);
    peer_types(loop_fixture_peer, "tea", "ann", "/ping again");
    loop_fixture_run(2000);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong again"), 1);
}

static int64_t in_quarantine(void)
{
    struct db *db;
    struct db_table t;
    struct arena *a = arena_open(1 << 20);
    OK(db_open(scratch_store(), &db, &err));
    OK(db->verbs->query(db, a, "SELECT COUNT(*) FROM quarantine", 0, NULL, &t, &err));
    int64_t n = t.at[0].i;
    db->verbs->close(db);
    arena_close(a);
    return n;
}

/* From the next start on, which is now. */
static void store_refuses(const char *word)
{
    loop_close(loop_fixture);
    scratch_store_refuses(word);
    loop_fixture_start();
}

TEST_WITH(a_poisoned_update_is_quarantined_alone, setup, loop_fixture_teardown)
{
    store_refuses("poison");
    char person[16];
    for (int i = 0; i < 9; i++) {
        snprintf(person, sizeof person, "p%d", i);
        peer_types(loop_fixture_peer, i % 2 ? "tea" : "coffee", person,
                   i == 4 ? "/ping poison" : "/ping good");
    }
    loop_fixture_run(20000);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong good"), 8);
    assert_int_equal(peer_count(loop_fixture_peer), 8);
    loop_close(loop_fixture);
    assert_int_equal(in_quarantine(), 1);
    loop_fixture_start();
    loop_fixture_run(20000);
    assert_int_equal(peer_count(loop_fixture_peer), 8);
}

/* The store refuses it still, and then no longer. */
TEST_WITH(a_poisoned_update_is_tried_again, setup, loop_fixture_teardown)
{
    store_refuses("poison");
    peer_types(loop_fixture_peer, "tea", "ann", "/ping poison");
    loop_fixture_run(20000);
    loop_close(loop_fixture);
    for (int works = 0; works < 2; works++) {
        if (works)
            scratch_store_sql(scratch_on_server() ? "ALTER TABLE outbox DROP CONSTRAINT refusing"
                                                  : "DROP TRIGGER refusing");
        scratch_store_sql("UPDATE quarantine SET why = 'old', again = 1");
        loop_fixture_start();
        loop_fixture_run(20000);
        assert_int_equal(peer_count(loop_fixture_peer), works);
        loop_close(loop_fixture);
        assert_int_equal(in_quarantine(), 1 - works);
    }
    loop_fixture_start();
}

TEST_WITH(polling_backs_off_after_errors_and_loses_nothing, setup, loop_fixture_teardown)
{
    peer_rule(loop_fixture_peer, (struct peer_rule){"getUpdates", NULL, 6, .status = 502});
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    loop_fixture_run(62000); /* 1 + 2 + 4 + 8 + 16 + 32 = 63 s */
    assert_int_equal(peer_polls(loop_fixture_peer), 6);
    assert_int_equal(peer_count(loop_fixture_peer), 0);
    loop_fixture_run(5000);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong one"), 1);
}

/* In the middle of the back-off the wall clock is set back, then forward. */
TEST_WITH(a_wall_clock_that_is_set_delays_no_poll, setup, loop_fixture_teardown)
{
    static const int64_t steps[] = {-60 * 1000, -25 * 3600 * 1000, 240 * (int64_t)3600 * 1000};
    for (int i = 0; i < 3; i++) {
        peer_rule(loop_fixture_peer, (struct peer_rule){"getUpdates", NULL, 3, .status = 502});
        loop_fixture_run(100);
        fake_clock_wrong += steps[i];
        int64_t id = peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
        loop_fixture_run(8000); /* 1 + 2 + 4 s, and the poll that is under way */
        assert_int_equal(peer_confirmed(loop_fixture_peer), id + 1);
    }
}

TEST_WITH(empty_answers_slow_polling_down, setup, loop_fixture_teardown)
{
    loop_fixture_run(90);
    assert_int_equal(peer_polls(loop_fixture_peer), 4); /* three are free */
    loop_fixture_run(700);
    assert_int_equal(peer_polls(loop_fixture_peer), 6); /* each wait is twice the one before */
    loop_fixture_run(60000);
    assert_true(peer_polls(loop_fixture_peer) < 100);
    assert_true(peer_polls(loop_fixture_peer) > 30);
}

/* A proxy may answer for the network, and name any time. */
TEST_WITH(a_wait_of_a_day_makes_nobody_deaf, setup, loop_fixture_teardown)
{
    peer_rule(loop_fixture_peer, (struct peer_rule){"getUpdates", NULL, 1, .status = 429,
                                                    .header = "Retry-After: 86400"});
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    loop_fixture_run(4 * 60 * 1000);
    assert_int_equal(peer_polls(loop_fixture_peer), 1); /* for some minutes it is believed */
    loop_fixture_run(2 * 60 * 1000);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong one"), 1);
}

/* ---- questions between the polls ---- */

static bool read_as_question(void *account, struct arena *turn, const struct reply *reply,
                             struct batch *ret, struct err *why)
{
    bool good = wire_adapter.read(account, turn, reply, ret, why);
    ret->busy = true;
    return good;
}

FIXTURE(setup_asks)
{
    static struct adapter asks;
    asks = wire_adapter;
    asks.read = read_as_question;
    loop_fixture_begin(&(struct loop_fixture_options){.adapter = &asks});
    loop_fixture_start();
    return 0;
}

/* An adapter that has something to ask after each answer asks at once, but not for ever. */
TEST_WITH(questions_without_end_slow_down, setup_asks, loop_fixture_teardown)
{
    enum { A_MINUTE = 60, FREE = 300 };
    loop_fixture_run(A_MINUTE * 1000);
    assert_in_range(peer_polls(loop_fixture_peer), A_MINUTE, FREE + A_MINUTE);
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    loop_fixture_run(2000);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong one"), 1);
}

/* ---- beside the polls ---- */

static int lists_left;

static bool list_beside(void *account, struct arena *turn, struct request *ret)
{
    const struct wire *w = account;
    if (lists_left == 0)
        return false;
    wire_adapter.poll(account, turn, STR("0"), ret);
    ret->url = arena_print(turn, "%.*s/setMyCommands", STR_ARG(w->root));
    ret->what = STR("setMyCommands");
    ret->timeout_ms = 500;
    ret->no_news = true;
    return true;
}

static bool list_read(void *account, struct arena *turn, const struct reply *reply,
                      struct batch *ret, struct err *why)
{
    (void)account, (void)turn;
    *ret = (struct batch){0};
    if (reply->status != 200)
        return err_set(why, "status %d", reply->status);
    lists_left--;
    return true;
}

FIXTURE(setup_lists)
{
    static struct adapter tells;
    tells = wire_adapter;
    tells.beside = list_beside;
    tells.beside_read = list_read;
    lists_left = 20;
    loop_fixture_begin(&(struct loop_fixture_options){.adapter = &tells});
    return 0;
}

/* What a start tells the network, one thing after the other, delays no poll and needs none. */
TEST_WITH(a_start_hears_before_it_has_told_its_commands, setup_lists, loop_fixture_teardown)
{
    peer_rule(loop_fixture_peer,
              (struct peer_rule){"setMyCommands", NULL, 1, .fault = PEER_IS_SILENT});
    loop_fixture_start();
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    loop_fixture_run(60000); /* a server that is silent is given up, and asked again */
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong one"), 1);
    assert_string_equal(peer_request(loop_fixture_peer, 0).method, "setMyCommands");
    assert_string_equal(peer_request(loop_fixture_peer, 1).method, "sendMessage");
    assert_int_equal(lists_left, 0);
    assert_int_equal(peer_asked(loop_fixture_peer, "setMyCommands", NULL), 1 + 20);
}

TEST_WITH(commands_that_fail_are_told_later_and_disturb_no_poll, setup_lists, loop_fixture_teardown)
{
    peer_rule(loop_fixture_peer, (struct peer_rule){"setMyCommands", NULL, 6, .status = 502});
    loop_fixture_start();
    loop_fixture_run(60000); /* 1 + 2 + 4 + 8 + 16 = 31 s, and a poll each time */
    assert_in_range(peer_asked(loop_fixture_peer, "setMyCommands", NULL), 5, 6);
    assert_true(peer_polls(loop_fixture_peer) > 30);
    loop_fixture_run(60000);
    assert_int_equal(lists_left, 0);
}

/* However much waits to be said, what people type is heard; questions whose answers wait for longer
 * than a minute get none. */
TEST_WITH(a_long_queue_does_not_hold_up_hearing, setup, loop_fixture_teardown)
{
    enum { CHATS = 1700, A_MINUTE = 1200 };
    char chat[16];
    loop_fixture_wire.limits.account_per_second_x100 = 2000;
    loop_fixture_wire.limits.account_burst = 1;
    loop_fixture_restart();
    int64_t last = 0;
    for (int i = 0; i < CHATS; i++) {
        snprintf(chat, sizeof chat, "@room%d", i);
        last = peer_types(loop_fixture_peer, chat, chat + 1, "/ping x");
    }
    loop_fixture_run(5000);
    assert_int_equal(peer_confirmed(loop_fixture_peer), last + 1);
    loop_fixture_run(120000);
    assert_in_range(peer_asked(loop_fixture_peer, "sendMessage", "pong x"), A_MINUTE - 100,
                    A_MINUTE + 100);
}

TEST_WITH(broken_answers_to_a_poll_lose_nothing, setup, loop_fixture_teardown)
{
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    peer_types(loop_fixture_peer, "tea", "bob", "/ping two");
    peer_rule(loop_fixture_peer,
              (struct peer_rule){"getUpdates", NULL, 1, .fault = PEER_CUTS, .but_done = true});
    peer_rule(loop_fixture_peer, (struct peer_rule){"getUpdates", NULL, 1, .fault = PEER_BABBLES});
    peer_rule(loop_fixture_peer, (struct peer_rule){"getUpdates", NULL, 1, .fault = PEER_HANGS_UP});
    peer_rule(loop_fixture_peer,
              (struct peer_rule){"getUpdates", NULL, 1, .status = 200, .body = "{\"ok\":tr"});
    peer_rule(loop_fixture_peer,
              (struct peer_rule){"getUpdates", NULL, 1, .status = 200, .body = "[[[["});
    loop_fixture_run(120000);
    assert_int_equal(peer_count(loop_fixture_peer), 2);
    assert_non_null(strstr(peer_request(loop_fixture_peer, 0).body, "pong one"));
    assert_non_null(strstr(peer_request(loop_fixture_peer, 1).body, "pong two"));
}

TEST_WITH(a_refused_token_ends_the_loop_with_a_reason, setup, loop_fixture_teardown)
{
    peer_rule(loop_fixture_peer, (struct peer_rule){"getUpdates", NULL, 0, .status = 401});
    loop_fixture_until = loop_fixture_now + 60000;
    bool ok = true;
    while (ok && loop_fixture_now < loop_fixture_until)
        ok = loop_turn(loop_fixture, 1000, &err);
    assert_false(ok);
    assert_true(strlen(err.text) > 0);
    assert_int_equal(peer_polls(loop_fixture_peer), 1);
}

TEST_WITH(stopping_sends_accepted_messages_and_ends_the_polls, setup, loop_fixture_teardown)
{
    char person[16];
    for (int i = 0; i < 40; i++) {
        snprintf(person, sizeof person, "p%d", i);
        peer_types(loop_fixture_peer, i % 2 ? "tea" : "coffee", person, "/ping x");
    }
    loop_fixture_until = loop_fixture_now + 3600000;
    while (peer_confirmed(loop_fixture_peer) == 0)
        OK(loop_turn(loop_fixture, 1000, &err));
    loop_stop(loop_fixture);
    OK(loop_run(loop_fixture, &err));
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong x"), 40);
    int polls = peer_polls(loop_fixture_peer);
    loop_fixture_restart();
    loop_fixture_run(5000);
    assert_int_equal(peer_count(loop_fixture_peer), 40);
    assert_true(peer_polls(loop_fixture_peer) > polls);
}

/* ---- poison and a failing store ---- */

static int lines_logged(int file, const char *word)
{
    static char text[64 * 1024];
    int n = 0;
    ssize_t got = pread(file, text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    for (const char *p = text; (p = strstr(p, word)); p++)
        n++;
    return n;
}

/* Redirects the log to a file; unwatch_log() restores stderr. */
static int stderr_was;

static int watch_log(void)
{
    int file = memfd_create("log", 0);
    assert_true(file >= 0);
    fflush(stderr);
    stderr_was = dup(STDERR_FILENO);
    dup2(file, STDERR_FILENO);
    log_open(LOG_INFO);
    return file;
}

static void unwatch_log(int file)
{
    log_open(LOG_NOTHING);
    dup2(stderr_was, STDERR_FILENO);
    close(stderr_was);
    close(file);
}

static int64_t number_of(const char *sql)
{
    struct db *db;
    struct db_table t;
    loop_close(loop_fixture);
    OK(db_open(scratch_store(), &db, &err));
    OK(db->verbs->query(db, loop_fixture_process, sql, 0, NULL, &t, &err));
    int64_t n = t.rows ? t.at[0].i : -1;
    db->verbs->close(db);
    loop_fixture_start();
    return n;
}

/* The database refuses one message of a batch, as a bug of ours might make it do; the same
 * transaction settles receipts of earlier messages. */
TEST_WITH(a_poisoned_update_is_undone_alone, setup, loop_fixture_teardown)
{
    store_refuses("bad");
    peer_types(loop_fixture_peer, "tea", "ann", "/ping before");
    loop_fixture_run(2000);
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    peer_types(loop_fixture_peer, "bad", "ann", "/ping two");
    int64_t last = peer_types(loop_fixture_peer, "tea", "bob", "/ping three");
    int log = watch_log();
    loop_fixture_run(5000);
    int logged = lines_logged(log, "poison");
    unwatch_log(log);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong before"), 1);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong one"), 1);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong two"), 0);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong three"), 1);
    assert_int_equal(peer_confirmed(loop_fixture_peer), last + 1);
    assert_true(logged >= 1);
    assert_int_equal(
        number_of(scratch_on_server()
                      ? "SELECT COUNT(*) FROM quarantine WHERE raw = '/ping two'::bytea"
                      : "SELECT COUNT(*) FROM quarantine WHERE raw = CAST('/ping two' AS BLOB)"),
        1);
    assert_int_equal(number_of("SELECT COUNT(*) FROM outbox WHERE account = 1"), 0);
    assert_int_equal(number_of("SELECT COUNT(*) FROM heard WHERE account = 1"),
                     4); /* that one too */
    assert_int_equal(number_of("SELECT COUNT(*) FROM chat WHERE key = 'bad'"), 0);
}

/* A receipt waits for its commit while a later event of the same transaction is undone. */
TEST_WITH(a_part_that_is_undone_leaves_receipts_alone, setup, loop_fixture_teardown)
{
    store_refuses("bad");
    char person[16];
    for (int i = 0; i < 60; i++) {
        snprintf(person, sizeof person, "p%d", i);
        peer_types(loop_fixture_peer, i % 2 ? "bad" : "tea", person, "/ping x");
    }
    peer_hands_out(loop_fixture_peer, 2);
    loop_fixture_run(20000);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong x"), 30);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "maybe_sent"), 0);
    assert_int_equal(number_of("SELECT COUNT(*) FROM quarantine"), 30);
    assert_int_equal(number_of("SELECT COUNT(*) FROM outbox WHERE account = 1"), 0);
}

/* No file may grow: the disk is full, for the database alone. */
TEST_WITH(a_full_disk_stops_everything_and_loses_nothing, setup, loop_fixture_teardown)
{
    SQLITE_ALONE(); /* the disk is the file's */
    struct rlimit was, none;
    peer_types(loop_fixture_peer, "tea", "ann", "/ping before");
    loop_fixture_run(2000);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    none = was;
    none.rlim_cur = 4096;
    int log = watch_log();
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    peer_types(loop_fixture_peer, "tea", "bob", "/ping two");
    loop_fixture_run(120000);
    int said = peer_count(loop_fixture_peer);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    loop_fixture_run(20000);
    int failed = lines_logged(log, "store_failed"), again = lines_logged(log, "store_works_again");
    unwatch_log(log);
    assert_int_equal(said, 1);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong one"), 1);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong two"), 1);
    assert_int_equal(failed, 1);
    assert_int_equal(again, 1);
    assert_int_equal(number_of("SELECT COUNT(*) FROM quarantine"), 0);
}

TEST_WITH(a_jump_of_the_wall_clock_lengthens_no_code, setup, loop_fixture_teardown)
{
    fake_clock_wrong = INT64_C(1795262400000);
    loop_fixture_restart();
    peer_types(loop_fixture_peer, "@ann", "ann", "/link");
    loop_fixture_run(2000);
    int64_t expires = number_of("SELECT expires FROM link_code"), back = 240 * INT64_C(3600000);
    assert_in_range(expires - fake_clock_now(&loop_fixture_now), 1, 10 * 60 * 1000);
    fake_clock_wrong -= back;
    loop_fixture_run(2000);
    assert_int_equal(number_of("SELECT expires FROM link_code"), expires - back);
    loop_fixture_run(2000);
    assert_int_equal(number_of("SELECT expires FROM link_code"), expires - back);
}

/* A mark must outlive a clock that leaps ahead: the network may deliver its update again. */
TEST_WITH(a_jump_of_the_wall_clock_keeps_the_marks_of_updates, setup, loop_fixture_teardown)
{
    fake_clock_wrong = INT64_C(1795262400000);
    loop_fixture_restart();
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    loop_fixture_run(2000);
    fake_clock_wrong += 240 * INT64_C(3600000);
    loop_fixture_run(3 * 60 * 1000);
    assert_int_equal(number_of("SELECT COUNT(*) FROM heard WHERE account = 1"), 1);
}

TEST_WITH(a_jump_of_the_wall_clock_is_logged_once, setup, loop_fixture_teardown)
{
    int log = watch_log();
    loop_fixture_run(5000);
    fake_clock_wrong += 90 * 1000;
    loop_fixture_run(5000);
    int forward = lines_logged(log, "clock_was_set by_ms=90000");
    fake_clock_wrong -= 3600 * 1000;
    loop_fixture_run(5000);
    int back = lines_logged(log, "clock_was_set by_ms=-3600000"),
        all = lines_logged(log, "clock_was_set");
    for (int i = 0; i < 100; i++) { /* slewed, not set */
        fake_clock_wrong += 100;
        loop_fixture_run(1000);
    }
    int slewed = lines_logged(log, "clock_was_set") - all;
    unwatch_log(log);
    assert_int_equal(forward, 1);
    assert_int_equal(back, 1);
    assert_int_equal(all, 2);
    assert_int_equal(slewed, 0);
}
