/* The whole loop over a real socket and a file: what is typed is answered, stored and confirmed;
 * trouble delays and never loses. */
#include "shell/scratch.h"
#include "shell/still.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "db.h"
#include "log.h"
#include "loop.h"
#include "peer.h"
#include "wire_adapter.h"

static _Atomic int64_t now;
static int64_t until;
static struct err err;
static struct arena *process;
static struct loop *loop;
static struct peer *peer;
static struct wire wire;
static struct account account;
static struct config config;

static const struct clock test_clock = {.now_ms = still_now, .chance = still_chance, .arg = &now};

static void idle(void *arg, int64_t next_due)
{
    (void)arg;
    now = next_due && next_due < until ? next_due : until;
}

static void open_loop(void)
{
    account = wire_account(&wire);
    config = (struct config){.store = scratch_file("store.db"),
                             .threads = 1,
                             .rules = STR("sensei"),
                             .language = STR("en"),
                             .log_level = STR("error"),
                             .n_accounts = 1,
                             .accounts = &account};
    OK(loop_open(&(struct loop_parts){.config = &config,
                                      .process = process,
                                      .clock = &test_clock,
                                      .idle = idle,
                                      .no_signals = true},
                 &loop, &err));
}

static int setup(void **state)
{
    (void)state;
    now = 1000000;
    process = arena_open(1 << 24);
    peer = peer_open(&now);
    wire = (struct wire){.root = peer_root(peer), .limits = wire_adapter.limits};
    if (!scratch_open())
        return 1;
    open_loop();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    loop_close(loop);
    peer_close(peer);
    arena_close(process);
    scratch_close();
    return 0;
}

static void restart(void)
{
    loop_close(loop);
    open_loop();
}

/* Turns until the clock has come to now + ms and nothing else is left to do. */
static void run(int64_t ms)
{
    until = now + ms;
    while (now < until)
        OK(loop_turn(loop, 1000, &err));
}

static void a_ping_is_answered_stored_and_confirmed(void **state)
{
    (void)state;
    int64_t id = peer_types(peer, "tea", "ann", "/ping one");
    run(5000);
    assert_int_equal(peer_count(peer), 1);
    assert_string_equal(peer_request(peer, 0).method, "sendMessage");
    assert_non_null(strstr(peer_request(peer, 0).body, "\"pong one\""));
    assert_non_null(strstr(peer_request(peer, 0).body, "\"tea\""));
    assert_int_equal(peer_confirmed(peer), id + 1);
}

static void after_a_restart_nothing_is_asked_or_answered_twice(void **state)
{
    (void)state;
    int64_t id = peer_types(peer, "tea", "ann", "/ping one");
    run(5000);
    restart();
    peer_types(peer, "tea", "ann", "/ping two");
    run(5000);
    assert_int_equal(peer_count(peer), 2);
    assert_non_null(strstr(peer_request(peer, 1).body, "pong two"));
    assert_int_equal(peer_confirmed(peer), id + 2);
}

static void an_update_that_comes_twice_is_taken_once(void **state)
{
    (void)state;
    static const char twice[] = "{\"ok\":true,\"result\":["
                                "{\"update_id\":7,\"message\":{\"chat\":{\"id\":\"c\"},\"from\":{"
                                "\"id\":\"a\",\"first_name\":\"A\"},\"text\":\"/ping x\"}},"
                                "{\"update_id\":7,\"message\":{\"chat\":{\"id\":\"c\"},\"from\":{"
                                "\"id\":\"a\",\"first_name\":\"A\"},\"text\":\"/ping x\"}}]}";
    peer_rule(peer, (struct peer_rule){"getUpdates", NULL, 2, .status = 200, .body = twice});
    run(5000);
    assert_int_equal(peer_count(peer), 1);
}

static void many_chats_are_answered_each_in_order(void **state)
{
    (void)state;
    enum { CHATS = 20, EACH = 15 };
    char chat[16], text[32];
    int next[CHATS] = {0};
    for (int i = 0; i < CHATS * EACH; i++) {
        snprintf(chat, sizeof chat, "@room%d", i % CHATS);
        snprintf(text, sizeof text, "/settings clock=%dh", 2 + i / CHATS);
        peer_types(peer, chat, chat + 1, text);
    }
    run(20000);
    assert_int_equal(peer_count(peer), CHATS * EACH);
    for (int i = 0; i < CHATS * EACH; i++) {
        int room = -1;
        struct peer_request r = peer_request(peer, i);
        assert_int_equal(sscanf(strstr(r.body, "room"), "room%d", &room), 1);
        snprintf(text, sizeof text, "clock: %d hours", 2 + next[room]++);
        assert_non_null(strstr(r.body, text));
    }
}

static void questions_that_come_together_are_answered_each_once(void **state)
{
    (void)state;
    enum { EACH = 15 };
    char text[32];
    for (int i = 0; i < EACH; i++) {
        snprintf(text, sizeof text, "/ping n%d.", i);
        peer_types(peer, "tea", "ann", text);
    }
    run(20000);
    assert_int_equal(peer_count(peer), EACH);
    for (int i = 0; i < EACH; i++) {
        snprintf(text, sizeof text, "pong n%d.", i);
        assert_int_equal(peer_asked(peer, "sendMessage", text), 1);
    }
}

static int64_t in_quarantine(void)
{
    struct db *db;
    struct db_table t;
    struct arena *a = arena_open(1 << 20);
    OK(db_sqlite_open(scratch_file("store.db"), &db, &err));
    OK(db->verbs->query(db, a, "SELECT COUNT(*) FROM quarantine", 0, NULL, &t, &err));
    int64_t n = t.at[0].i;
    db->verbs->close(db);
    arena_close(a);
    return n;
}

static void one_update_that_cannot_be_taken_is_set_aside_alone(void **state)
{
    (void)state;
    loop_close(loop);
    scratch_sql("store.db",
                "CREATE TRIGGER refusing BEFORE INSERT ON outbox WHEN instr(NEW.said, 'poison') "
                "BEGIN SELECT RAISE(ABORT, 'on purpose'); END");
    open_loop();
    log_open(LOG_NOTHING);
    for (int i = 0; i < 9; i++)
        peer_types(peer, i % 2 ? "tea" : "coffee", "ann", i == 4 ? "/ping poison" : "/ping good");
    run(20000);
    assert_int_equal(peer_asked(peer, "sendMessage", "pong good"), 8);
    assert_int_equal(peer_count(peer), 8);
    loop_close(loop);
    assert_int_equal(in_quarantine(), 1);
    open_loop();
    run(20000);
    assert_int_equal(peer_count(peer), 8);
}

static void a_network_that_fails_is_asked_less_often_and_nothing_is_lost(void **state)
{
    (void)state;
    peer_rule(peer, (struct peer_rule){"getUpdates", NULL, 6, .status = 502});
    peer_types(peer, "tea", "ann", "/ping one");
    run(62000); /* 1 + 2 + 4 + 8 + 16 + 32 = 63 s */
    assert_int_equal(peer_polls(peer), 6);
    assert_int_equal(peer_count(peer), 0);
    run(5000);
    assert_int_equal(peer_asked(peer, "sendMessage", "pong one"), 1);
}

static void answers_without_news_are_not_asked_for_in_a_mill(void **state)
{
    (void)state;
    run(60000);
    assert_true(peer_polls(peer) < 100);
    assert_true(peer_polls(peer) > 30);
}

static void broken_answers_to_a_poll_lose_nothing(void **state)
{
    (void)state;
    peer_types(peer, "tea", "ann", "/ping one");
    peer_types(peer, "tea", "ann", "/ping two");
    peer_rule(peer,
              (struct peer_rule){"getUpdates", NULL, 1, .fault = PEER_CUTS, .but_done = true});
    peer_rule(peer, (struct peer_rule){"getUpdates", NULL, 1, .fault = PEER_BABBLES});
    peer_rule(peer, (struct peer_rule){"getUpdates", NULL, 1, .fault = PEER_HANGS_UP});
    peer_rule(peer, (struct peer_rule){"getUpdates", NULL, 1, .status = 200, .body = "{\"ok\":tr"});
    peer_rule(peer, (struct peer_rule){"getUpdates", NULL, 1, .status = 200, .body = "[[[["});
    run(120000);
    assert_int_equal(peer_count(peer), 2);
    assert_non_null(strstr(peer_request(peer, 0).body, "pong one"));
    assert_non_null(strstr(peer_request(peer, 1).body, "pong two"));
}

static void a_refused_token_ends_the_loop_with_a_reason(void **state)
{
    (void)state;
    peer_rule(peer, (struct peer_rule){"getUpdates", NULL, 0, .status = 401});
    until = now + 60000;
    bool ok = true;
    while (ok && now < until)
        ok = loop_turn(loop, 1000, &err);
    assert_false(ok);
    assert_true(strlen(err.text) > 0);
    assert_int_equal(peer_polls(peer), 1);
}

static void stopping_says_what_was_accepted_and_asks_no_more(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++)
        peer_types(peer, i % 2 ? "tea" : "coffee", "ann", "/ping x");
    until = now + 3600000;
    while (peer_confirmed(peer) == 0)
        OK(loop_turn(loop, 1000, &err));
    loop_stop(loop);
    OK(loop_run(loop, &err));
    assert_int_equal(peer_asked(peer, "sendMessage", "pong x"), 40);
    int polls = peer_polls(peer);
    restart();
    run(5000);
    assert_int_equal(peer_count(peer), 40);
    assert_true(peer_polls(peer) > polls);
}

/* ---- poison and a store that is ill ---- */

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

/* What is logged from here on goes to a file; stderr is put back by unwatch_log(). */
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

/* Statements on the store while the daemon is away. */
static void between(const char *sql)
{
    loop_close(loop);
    scratch_sql("store.db", sql);
    open_loop();
}

static int64_t number_of(const char *sql)
{
    struct db *db;
    struct db_table t;
    loop_close(loop);
    OK(db_sqlite_open(scratch_file("store.db"), &db, &err));
    OK(db->verbs->query(db, process, sql, 0, NULL, &t, &err));
    int64_t n = t.rows ? t.at[0].i : -1;
    db->verbs->close(db);
    open_loop();
    return n;
}

/* The database refuses one message of a batch, as a fault of ours would make it do; receipts of
 * earlier messages are settled in the same transaction. */
static void an_update_that_cannot_be_taken_is_undone_alone(void **state)
{
    (void)state;
    between("CREATE TRIGGER poison BEFORE INSERT ON outbox WHEN NEW.lane = 'bad' "
            "BEGIN SELECT RAISE(ABORT, 'poison'); END");
    peer_types(peer, "tea", "ann", "/ping before");
    run(2000);
    peer_types(peer, "tea", "ann", "/ping one");
    peer_types(peer, "bad", "ann", "/ping two");
    int64_t last = peer_types(peer, "tea", "ann", "/ping three");
    int log = watch_log();
    run(5000);
    int logged = lines_logged(log, "poison");
    unwatch_log(log);
    assert_int_equal(peer_asked(peer, "sendMessage", "pong before"), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "pong one"), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "pong two"), 0);
    assert_int_equal(peer_asked(peer, "sendMessage", "pong three"), 1);
    assert_int_equal(peer_confirmed(peer), last + 1);
    assert_true(logged >= 1);
    assert_int_equal(
        number_of("SELECT COUNT(*) FROM quarantine WHERE raw = CAST('/ping two' AS BLOB)"), 1);
    assert_int_equal(number_of("SELECT COUNT(*) FROM outbox"), 0);
    assert_int_equal(number_of("SELECT COUNT(*) FROM heard"), 3);
    assert_int_equal(number_of("SELECT COUNT(*) FROM chat WHERE key = 'bad'"), 0);
}

/* A receipt waits to be stored when an event behind it in the same transaction is undone. */
static void a_part_that_is_undone_leaves_receipts_alone(void **state)
{
    (void)state;
    between("CREATE TRIGGER poison BEFORE INSERT ON outbox WHEN NEW.lane = 'bad' "
            "BEGIN SELECT RAISE(ABORT, 'poison'); END");
    for (int i = 0; i < 60; i++)
        peer_types(peer, i % 2 ? "bad" : "tea", "ann", "/ping x");
    peer_hands_out(peer, 2);
    run(20000);
    assert_int_equal(peer_asked(peer, "sendMessage", "pong x"), 30);
    assert_int_equal(peer_asked(peer, "sendMessage", "unknown"), 0);
    assert_int_equal(number_of("SELECT COUNT(*) FROM quarantine"), 30);
    assert_int_equal(number_of("SELECT COUNT(*) FROM outbox"), 0);
}

/* No file may grow: for the database, and only for it, the disk is full. */
static void a_full_disk_stops_everything_and_loses_nothing(void **state)
{
    (void)state;
    struct rlimit was, none;
    peer_types(peer, "tea", "ann", "/ping before");
    run(2000);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    none = was;
    none.rlim_cur = 4096;
    int log = watch_log();
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    peer_types(peer, "tea", "ann", "/ping one");
    peer_types(peer, "tea", "ann", "/ping two");
    run(120000);
    int said = peer_count(peer);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    run(20000);
    int failed = lines_logged(log, "store_failed"), again = lines_logged(log, "store_works_again");
    unwatch_log(log);
    assert_int_equal(said, 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "pong one"), 1);
    assert_int_equal(peer_asked(peer, "sendMessage", "pong two"), 1);
    assert_int_equal(failed, 1);
    assert_int_equal(again, 1);
    assert_int_equal(number_of("SELECT COUNT(*) FROM quarantine"), 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    log_open(LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(a_ping_is_answered_stored_and_confirmed),
        T(after_a_restart_nothing_is_asked_or_answered_twice),
        T(an_update_that_comes_twice_is_taken_once),
        T(many_chats_are_answered_each_in_order),
        T(questions_that_come_together_are_answered_each_once),
        T(one_update_that_cannot_be_taken_is_set_aside_alone),
        T(a_network_that_fails_is_asked_less_often_and_nothing_is_lost),
        T(answers_without_news_are_not_asked_for_in_a_mill),
        T(broken_answers_to_a_poll_lose_nothing),
        T(a_refused_token_ends_the_loop_with_a_reason),
        T(stopping_says_what_was_accepted_and_asks_no_more),
        T(an_update_that_cannot_be_taken_is_undone_alone),
        T(a_part_that_is_undone_leaves_receipts_alone),
        T(a_full_disk_stops_everything_and_loses_nothing),
    };
    return cmocka_run_group_tests_name("loop", tests, NULL, NULL);
}
