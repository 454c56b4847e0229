/* News that are brought to the daemon: only with the secret, answered only once they are stored,
 * never taken twice; and what the daemon tells about itself. */
#include "shell/scratch.h"
#include "shell/still.h"

#include "log.h"
#include "loop_parts.h"
#include "peer.h"
#include "shell/visitor.h"
#include "wire_adapter.h"

static _Atomic int64_t now;
static struct err err;
static struct arena *process;
static struct loop *loop;
static struct peer *peer;
static struct wire wire;
static struct account account;
static struct config config;

static const struct clock test_clock = {.now_ms = still_now, .chance = still_chance, .arg = &now};

static void open_loop(void)
{
    account = wire_account(&wire);
    config = (struct config){.store = scratch_file("store.db"),
                             .threads = 1,
                             .rules = STR("sensei"),
                             .language = STR("en"),
                             .log_level = STR("error"),
                             .listen = STR("127.0.0.1:0"),
                             .metrics = true,
                             .n_accounts = 1,
                             .accounts = &account};
    OK(loop_open(
        &(struct loop_parts){
            .config = &config, .process = process, .clock = &test_clock, .no_signals = true},
        &loop, &err));
}

static int setup(void **state)
{
    (void)state;
    now = 1000000;
    log_open(LOG_NOTHING);
    process = arena_open(1 << 24);
    peer = peer_open(&now);
    wire = (struct wire){.root = peer_root(peer), .limits = wire_adapter.limits, .hooked = true};
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

/* Turns until the visitor has an answer, or for a while. */
static bool answered(struct visitor *v)
{
    bool whole = false;
    for (int i = 0; i < 100 && !(whole = visitor_hears(v)); i++)
        OK(loop_turn(loop, 20, &err));
    return whole;
}

static void turns(int n)
{
    for (int i = 0; i < n; i++)
        OK(loop_turn(loop, 5, &err));
}

/* Until all that is to be said is said and noted. */
static void all_said(void)
{
    int k = 0;
    do {
        now += 5;
        turns(1);
    } while (!outbox_quiet(loop->outbox) && ++k < 5000);
    assert_true(outbox_quiet(loop->outbox));
}

static void brings(struct visitor *v, const char *secret, const char *body)
{
    char request[2048];
    snprintf(request, sizeof request,
             "POST /wire HTTP/1.1\r\nHost: x\r\n%s%s%sContent-Length: %zu\r\n\r\n%s",
             secret ? "Wire-Secret: " : "", secret ? secret : "", secret ? "\r\n" : "",
             strlen(body), body);
    visitor_comes(v, server_port(loop->server), request);
}

#define PING                                                                                       \
    "{\"update_id\":70,\"message\":{\"chat\":{\"id\":\"tea\"},\"from\":{\"id\":\"ann\","           \
    "\"first_name\":\"Ann\"},\"text\":\"/ping one\"}}"

/* The status a visitor is answered with, who then goes. */
static int leaves_with(struct visitor *v)
{
    assert_true(answered(v));
    visitor_goes(v);
    return visitor_status(v);
}

static int status_of(const char *request)
{
    struct visitor v;
    visitor_comes(&v, server_port(loop->server), request);
    return leaves_with(&v);
}

static void what_is_brought_is_stored_and_answered(void **state)
{
    (void)state;
    struct visitor v;
    brings(&v, "open-sesame", PING);
    assert_int_equal(leaves_with(&v), 200);
    all_said();
    assert_int_equal(peer_asked(peer, "sendMessage", "pong one"), 1);
}

static void without_the_secret_nobody_gets_in(void **state)
{
    (void)state;
    static const struct {
        const char *secret;
        int status;
    } wrong[] = {
        {NULL, 401}, {"", 401}, {"open-sesamE", 403}, {"open-sesame2", 403}, {"open", 403}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct visitor v;
        brings(&v, wrong[i].secret, PING);
        assert_int_equal(leaves_with(&v), wrong[i].status);
    }
    turns(10);
    assert_int_equal(peer_asked(peer, "sendMessage", NULL), 0);
}

static void other_paths_and_methods_lead_nowhere(void **state)
{
    (void)state;
    assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), 404);
    assert_int_equal(status_of("POST /wire/more HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"),
                     404);
    assert_int_equal(status_of("GET /wire HTTP/1.1\r\nHost: x\r\nWire-Secret: open-sesame\r\n\r\n"),
                     405);
    assert_int_equal(status_of("POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"),
                     405);
}

static void what_comes_twice_is_taken_once(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct visitor v;
        if (i == 2) {
            all_said();
            loop_close(loop);
            open_loop();
        }
        brings(&v, "open-sesame", PING);
        assert_int_equal(leaves_with(&v), 200);
    }
    all_said();
    assert_int_equal(peer_asked(peer, "sendMessage", "pong one"), 1);
}

static void what_cannot_be_read_is_refused(void **state)
{
    (void)state;
    struct visitor v;
    brings(&v, "open-sesame", "nonsense");
    assert_int_equal(leaves_with(&v), 400);
}

/* While the store takes nothing, nobody is told that we have it. */
static void it_is_not_answered_before_it_is_stored(void **state)
{
    (void)state;
    struct visitor v;
    loop->retry_at = now + 1000;
    brings(&v, "open-sesame", PING);
    turns(20);
    assert_false(visitor_hears(&v));
    now += 2000;
    assert_int_equal(leaves_with(&v), 200);
}

/* Something has to be asked first: it is asked at once, and the visitor waits for it, but not for
 * ever. */
static void a_visit_waits_until_something_was_asked(void **state)
{
    (void)state;
    struct visitor v;
    wire.asks_first = true;
    int polls = peer_polls(peer);
    brings(&v, "open-sesame", PING);
    assert_true(answered(&v));
    assert_int_equal(visitor_status(&v), 200);
    assert_true(peer_polls(peer) > polls);
    visitor_goes(&v);
}

static void a_visit_that_waits_too_long_is_told_to_come_again(void **state)
{
    (void)state;
    struct visitor v;
    peer_rule(peer, (struct peer_rule){.method = "getUpdates", .times = 0, .fault = PEER_HANGS_UP});
    wire.asks_first = true;
    turns(20);
    brings(&v, "open-sesame", PING);
    turns(20);
    assert_false(visitor_hears(&v));
    int polls = peer_polls(peer);
    assert_true(polls <= 3); /* that somebody waits is no reason to ask in a hurry */
    now += 60000;
    assert_int_equal(leaves_with(&v), 503);
}

static void while_it_stops_nothing_is_let_in(void **state)
{
    (void)state;
    struct visitor v;
    turns(5);
    loop_stop(loop);
    brings(&v, "open-sesame", PING);
    assert_int_equal(leaves_with(&v), 503);
}

static void it_tells_how_it_is(void **state)
{
    (void)state;
    struct visitor v;
    turns(20);
    assert_int_equal(status_of("GET /health HTTP/1.1\r\nHost: x\r\n\r\n"), 200);
    brings(&v, "open-sesame", PING);
    assert_true(answered(&v));
    visitor_goes(&v);
    visitor_comes(&v, server_port(loop->server), "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_true(answered(&v));
    assert_non_null(strstr(v.text, "\nkoikoi_updates_total 1\n"));
    assert_non_null(strstr(v.text, "\nkoikoi_store_up 1\n"));
    assert_non_null(strstr(v.text, "\nkoikoi_account_up{account=\"wire\"} 1\n"));
    assert_null(strstr(v.text, "Ann"));
    visitor_goes(&v);
    loop->retry_at = now + 1000;
    assert_int_equal(status_of("GET /health HTTP/1.1\r\nHost: x\r\n\r\n"), 503);
}

static void a_hook_needs_somewhere_to_listen(void **state)
{
    (void)state;
    struct loop *none = NULL;
    struct config c = config;
    c.listen = STR("");
    loop_close(loop);
    account = wire_account(&wire);
    assert_false(loop_open(
        &(struct loop_parts){
            .config = &c, .process = process, .clock = &test_clock, .no_signals = true},
        &none, &err));
    assert_non_null(strstr(err.text, "listen"));
    open_loop();
}

int main(void)
{
#define RUN(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        RUN(what_is_brought_is_stored_and_answered),
        RUN(without_the_secret_nobody_gets_in),
        RUN(other_paths_and_methods_lead_nowhere),
        RUN(what_comes_twice_is_taken_once),
        RUN(what_cannot_be_read_is_refused),
        RUN(it_is_not_answered_before_it_is_stored),
        RUN(a_visit_waits_until_something_was_asked),
        RUN(a_visit_that_waits_too_long_is_told_to_come_again),
        RUN(while_it_stops_nothing_is_let_in),
        RUN(it_tells_how_it_is),
        RUN(a_hook_needs_somewhere_to_listen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
