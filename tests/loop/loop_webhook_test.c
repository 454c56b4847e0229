/* Webhook deliveries: accepted only with the secret, answered only once stored, never handled
 * twice; and what the daemon reports about itself. */
#include "engine/test.h"
#include "fixture/http_client.h"
#include "fixture/loop_fixture.h"

#include "loop_internal.h"

#include <signal.h>
#include <sys/resource.h>

static struct err err;

FIXTURE(setup)
{
    return loop_fixture_open(&(struct loop_fixture_options){
        .listen = STR("127.0.0.1:0"), .metrics = true, .hooked = true, .stands_still = true});
}

/* Turns until the client has an answer, or for a while. */
static bool answered(struct http_client *v)
{
    bool whole = false;
    for (int i = 0; i < 100 && !(whole = http_client_read(v)); i++)
        OK(loop_turn(loop_fixture, 20, &err));
    return whole;
}

static void turns(int n)
{
    for (int i = 0; i < n; i++)
        OK(loop_turn(loop_fixture, 5, &err));
}

/* Turns until all messages are sent and settled. */
static void all_said(void)
{
    int k = 0;
    do {
        loop_fixture_now += 5;
        turns(1);
    } while (!outbox_quiet(loop_fixture->outbox) && ++k < 5000);
    assert_true(outbox_quiet(loop_fixture->outbox));
}

static void brings(struct http_client *v, const char *secret, const char *body)
{
    char request[2048];
    snprintf(request, sizeof request,
             "POST /wire HTTP/1.1\r\nHost: x\r\n%s%s%sContent-Length: %zu\r\n\r\n%s",
             secret ? "Wire-Secret: " : "", secret ? secret : "", secret ? "\r\n" : "",
             strlen(body), body);
    http_client_open(v, server_port(loop_fixture->serving.server), request);
}

#define PING                                                                                       \
    "{\"update_id\":70,\"message\":{\"chat\":{\"id\":\"tea\"},\"from\":{\"id\":\"ann\","           \
    "\"first_name\":\"Ann\"},\"text\":\"/ping one\"}}"

/* The status of the answer; closes the client. */
static int leaves_with(struct http_client *v)
{
    assert_true(answered(v));
    http_client_close(v);
    return http_client_status(v);
}

static int status_of(const char *request)
{
    struct http_client v;
    http_client_open(&v, server_port(loop_fixture->serving.server), request);
    return leaves_with(&v);
}

TEST_WITH(a_webhook_update_is_stored_and_answered, setup, loop_fixture_teardown)
{
    struct http_client v;
    brings(&v, "open-sesame", PING);
    assert_int_equal(leaves_with(&v), 200);
    all_said();
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong one"), 1);
}

TEST_WITH(a_webhook_without_the_secret_is_refused, setup, loop_fixture_teardown)
{
    static const struct {
        const char *secret;
        int status;
    } wrong[] = {
        {NULL, 401}, {"", 401}, {"open-sesamE", 403}, {"open-sesame2", 403}, {"open", 403}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct http_client v;
        brings(&v, wrong[i].secret, PING);
        assert_int_equal(leaves_with(&v), wrong[i].status);
    }
    turns(10);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", NULL), 0);
}

TEST_WITH(other_paths_and_methods_are_refused, setup, loop_fixture_teardown)
{
    assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), 404);
    assert_int_equal(status_of("POST /wire/more HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"),
                     404);
    assert_int_equal(status_of("GET /wire HTTP/1.1\r\nHost: x\r\nWire-Secret: open-sesame\r\n\r\n"),
                     405);
    assert_int_equal(status_of("POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"),
                     405);
}

TEST_WITH(a_repeated_webhook_update_is_handled_once, setup, loop_fixture_teardown)
{
    for (int i = 0; i < 3; i++) {
        struct http_client v;
        if (i == 2) {
            all_said();
            loop_fixture_restart();
        }
        brings(&v, "open-sesame", PING);
        assert_int_equal(leaves_with(&v), 200);
    }
    all_said();
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong one"), 1);
}

TEST_WITH(an_unreadable_webhook_body_is_refused, setup, loop_fixture_teardown)
{
    struct http_client v;
    brings(&v, "open-sesame", "nonsense");
    assert_int_equal(leaves_with(&v), 400);
}

/* While the store accepts nothing, no delivery is acknowledged. */
TEST_WITH(a_webhook_is_answered_after_the_commit, setup, loop_fixture_teardown)
{
    struct http_client v;
    loop_fixture->waiting.retry_at = loop_fixture_now + 1000;
    brings(&v, "open-sesame", PING);
    turns(20);
    assert_false(http_client_read(&v));
    loop_fixture_now += 2000;
    assert_int_equal(leaves_with(&v), 200);
}

/* The adapter must ask the network first: the loop polls at once, and the delivery waits for it,
 * but not for ever. */
TEST_WITH(a_webhook_waits_for_the_accounts_first_request, setup, loop_fixture_teardown)
{
    struct http_client v;
    loop_fixture_wire.asks_first = true;
    int polls = peer_polls(loop_fixture_peer);
    brings(&v, "open-sesame", PING);
    assert_true(answered(&v));
    assert_int_equal(http_client_status(&v), 200);
    assert_true(peer_polls(loop_fixture_peer) > polls);
    http_client_close(&v);
}

TEST_WITH(a_webhook_that_waits_too_long_gets_503, setup, loop_fixture_teardown)
{
    struct http_client v;
    peer_rule(loop_fixture_peer,
              (struct peer_rule){.method = "getUpdates", .times = 0, .fault = PEER_HANGS_UP});
    loop_fixture_wire.asks_first = true;
    turns(20);
    brings(&v, "open-sesame", PING);
    turns(20);
    assert_false(http_client_read(&v));
    int polls = peer_polls(loop_fixture_peer);
    assert_true(polls <= 3); /* a waiting delivery is no reason to poll in a hurry */
    loop_fixture_now += 60000;
    assert_int_equal(leaves_with(&v), 503);
}

static void brings_update(struct http_client *v, int id)
{
    char body[256];
    snprintf(body, sizeof body,
             "{\"update_id\":%d,\"message\":{\"chat\":{\"id\":\"tea\"},\"from\":{\"id\":\"p%d\","
             "\"first_name\":\"Ann\"},\"text\":\"/ping %d\"}}",
             id, id, id);
    brings(v, "open-sesame", body);
}

/* The disk is full. A few deliveries wait for it, thousands more get "come again", and other
 * requests between them are answered. */
TEST_WITH(no_request_takes_memory_while_the_store_is_broken, setup, loop_fixture_teardown)
{
    SQLITE_ALONE(); /* the disk is the file's */
    enum { FIRST = 16, REQUESTS = 10000, A_LITTLE = 256 * 1024 };
    struct http_client first[FIRST], v;
    struct rlimit was, none;
    all_said();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    none = was;
    none.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    for (int i = 0; i < FIRST; i++) {
        brings_update(&first[i], 1001 + i);
        turns(5);
        assert_false(http_client_read(&first[i]));
    }
    assert_true(loop_fixture->waiting.retry_at > 0);
    size_t used = arena_used(loop_fixture->turn);
    for (int i = 0; i < REQUESTS; i++) {
        loop_fixture_now += 10; /* retried from time to time */
        brings_update(&v, 2000 + i);
        assert_int_equal(leaves_with(&v), 503);
        if (i % 10 == 0)
            assert_int_equal(status_of("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"), 200);
    }
    assert_true(loop_fixture->n_failures > 5);
    assert_in_range(arena_used(loop_fixture->turn), 0, used + A_LITTLE);
    assert_in_range(arena_used(loop_fixture->scratch), 0, A_LITTLE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    loop_fixture_now += 60000;
    for (int i = 0; i < FIRST; i++)
        assert_int_equal(leaves_with(&first[i]), 200);
    all_said();
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong 10"), FIRST);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong "), FIRST);
}

TEST_WITH(webhooks_are_refused_while_stopping, setup, loop_fixture_teardown)
{
    struct http_client v;
    turns(5);
    loop_stop(loop_fixture);
    brings(&v, "open-sesame", PING);
    assert_int_equal(leaves_with(&v), 503);
}

TEST_WITH(health_and_metrics_are_answered, setup, loop_fixture_teardown)
{
    struct http_client v;
    turns(20);
    assert_int_equal(status_of("GET /health HTTP/1.1\r\nHost: x\r\n\r\n"), 200);
    brings(&v, "open-sesame", PING);
    assert_true(answered(&v));
    http_client_close(&v);
    http_client_open(&v, server_port(loop_fixture->serving.server),
                     "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_true(answered(&v));
    assert_non_null(strstr(v.text, "\nkoikoi_updates_total 1\n"));
    assert_non_null(strstr(v.text, "\nkoikoi_store_up 1\n"));
    assert_non_null(strstr(v.text, "\nkoikoi_account_up{account=\"wire\"} 1\n"));
    assert_non_null(strstr(v.text, "\nkoikoi_cache_misses_total{cache=\"rows\"} "));
    assert_null(strstr(v.text, "\nkoikoi_cache_misses_total{cache=\"rows\"} 0\n")); /* her row */
    assert_non_null(strstr(v.text, "\nkoikoi_cache_bytes{cache=\"sessions\"} 0\n"));
    assert_non_null(strstr(v.text, "\nkoikoi_cache_evictions_total{cache=\"reviews\"} 0\n"));
    assert_non_null(strstr(v.text, "\nkoikoi_cache_hits_total{cache=\"rulesets\"} "));
    assert_null(strstr(v.text, "Ann"));
    http_client_close(&v);
    loop_fixture->waiting.retry_at = loop_fixture_now + 1000;
    assert_int_equal(status_of("GET /health HTTP/1.1\r\nHost: x\r\n\r\n"), 503);
}

/* Questions at an address of their own: the webhook's knows nothing of them, and they nothing of
 * it. */
TEST_WITH(questions_may_have_an_address_of_their_own, setup, loop_fixture_teardown)
{
    static const char health[] = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
    struct http_client v;
    loop_fixture_config.metrics_listen = STR("127.0.0.1:0");
    loop_fixture_restart();
    turns(20);
    assert_int_equal(status_of(health), 404);
    http_client_open(&v, server_port(loop_fixture->serving.questions), health);
    assert_int_equal(leaves_with(&v), 200);
    http_client_open(&v, server_port(loop_fixture->serving.questions),
                     "POST /wire HTTP/1.1\r\nHost: x\r\nWire-Secret: open-sesame\r\n"
                     "Content-Length: 2\r\n\r\n{}");
    assert_int_equal(leaves_with(&v), 404);
    brings(&v, "open-sesame", PING);
    assert_int_equal(leaves_with(&v), 200);
}

TEST_WITH(a_webhook_needs_an_address_to_listen, setup, loop_fixture_teardown)
{
    struct loop *none = NULL;
    loop_close(loop_fixture);
    loop_fixture_config.listen = STR("");
    assert_false(loop_fixture_try(&none, &err));
    assert_non_null(strstr(err.text, "listen"));
    loop_fixture_config.listen = STR("127.0.0.1:0");
    loop_fixture_start();
}
