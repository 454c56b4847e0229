/* The daemon's server alone: who is let in, what is read, and answers that come much later. */
#include "shell/scratch.h"

#include <poll.h>

#include "server.h"
#include "shell/visitor.h"

static struct server *server;
static struct err err;
static int turned_away; /* with this status; 0: nobody is */
static int knocked;

static int gate(void *arg, const struct visit *v)
{
    assert_ptr_equal(arg, &turned_away);
    assert_int_equal(v->body.n, 0); /* nothing was read yet */
    knocked++;
    return turned_away;
}

static int setup(void **state)
{
    (void)state;
    turned_away = knocked = 0;
    OK(server_open(STR("127.0.0.1:0"), gate, &turned_away, &server, &err));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    server_close(server);
    return 0;
}

/* The server runs until the visitor has an answer, or for a while. */
static bool answered(struct visitor *v)
{
    bool whole = false;
    for (int i = 0; i < 200 && !(whole = visitor_hears(v)); i++) {
        struct pollfd fd = {.fd = server_fd(server), .events = POLLIN};
        int wait = server_wait(server);
        poll(&fd, 1, wait < 20 ? wait : 20);
        server_run(server);
    }
    return whole;
}

static struct visit *next_visit(void)
{
    struct visit *v = NULL;
    for (int i = 0; i < 200 && !v; i++) {
        struct pollfd fd = {.fd = server_fd(server), .events = POLLIN};
        poll(&fd, 1, 20);
        server_run(server);
        v = server_next(server);
    }
    assert_non_null(v);
    return v;
}

static void a_request_is_handed_out_whole_and_answered(void **state)
{
    (void)state;
    struct visitor v;
    visitor_comes(
        &v, server_port(server),
        "POST /news?x=1 HTTP/1.1\r\nHost: x\r\nX-Word: sesame\r\nContent-Length: 5\r\n\r\nhello");
    struct visit *visit = next_visit();
    assert_int_equal(knocked, 1);
    assert_true(str_is(visit->method, STR("POST")));
    assert_true(str_is(visit->path, STR("/news")));
    assert_true(str_is(visit->body, STR("hello")));
    assert_true(str_is(visit_header(visit, "x-word"), STR("sesame")));
    assert_int_equal(visit_header(visit, "X-Other").n, 0);
    assert_int_equal(visitor_status(&v), 0); /* it waits */
    server_answer(visit, 200, "text/plain", STR("good"));
    assert_true(answered(&v));
    assert_int_equal(visitor_status(&v), 200);
    assert_non_null(strstr(v.text, "\r\n\r\ngood"));
    visitor_goes(&v);
}

static void who_is_turned_away_is_not_listened_to(void **state)
{
    (void)state;
    struct visitor v;
    turned_away = 403;
    visitor_comes(&v, server_port(server),
                  "POST /news HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n");
    assert_true(answered(&v));
    assert_int_equal(visitor_status(&v), 403);
    assert_null(server_next(server));
    visitor_goes(&v);
}

static void what_is_too_large_is_refused_by_its_head(void **state)
{
    (void)state;
    struct visitor v;
    visitor_comes(&v, server_port(server),
                  "POST /news HTTP/1.1\r\nHost: x\r\nContent-Length: 1048577\r\n\r\n");
    assert_true(answered(&v));
    assert_int_equal(visitor_status(&v), 413);
    visitor_goes(&v);
    visitor_comes(&v, server_port(server),
                  "POST /news HTTP/1.1\r\nHost: x\r\nContent-Length: nonsense\r\n\r\n");
    assert_true(answered(&v));
    assert_int_not_equal(visitor_status(&v), 200);
    assert_null(server_next(server));
    visitor_goes(&v);
}

static void several_wait_and_are_answered_in_any_order(void **state)
{
    (void)state;
    struct visitor v[3];
    struct visit *visit[3];
    for (int i = 0; i < 3; i++) {
        char request[128];
        snprintf(request, sizeof request,
                 "POST /n HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n%d", i);
        visitor_comes(&v[i], server_port(server), request);
        visit[i] = next_visit();
        assert_int_equal(visit[i]->body.p[0], '0' + i);
    }
    static const int order[] = {2, 0, 1};
    for (int i = 0; i < 3; i++) {
        server_answer(visit[order[i]], 200 + order[i], NULL, STR(""));
        assert_true(answered(&v[order[i]]));
        assert_int_equal(visitor_status(&v[order[i]]), 200 + order[i]);
        visitor_goes(&v[order[i]]);
    }
}

/* Whoever has gone meanwhile is answered all the same: the one who answers need not know. */
static void who_has_gone_does_no_harm(void **state)
{
    (void)state;
    struct visitor v;
    visitor_comes(&v, server_port(server), "GET /n HTTP/1.1\r\nHost: x\r\n\r\n");
    struct visit *visit = next_visit();
    visitor_goes(&v);
    server_run(server);
    server_answer(visit, 200, NULL, STR("nobody hears it"));
    server_run(server);
    visitor_comes(&v, server_port(server), "GET /m HTTP/1.1\r\nHost: x\r\n\r\n");
    server_answer(next_visit(), 204, NULL, STR(""));
    answered(&v);
    assert_int_equal(visitor_status(&v), 204);
    visitor_goes(&v);
}

/* What waits when the server is closed is told to come again, and what was answered is still
 * written. */
static void closing_leaves_nobody_in_the_dark(void **state)
{
    (void)state;
    struct visitor first, second;
    visitor_comes(&first, server_port(server), "GET /1 HTTP/1.1\r\nHost: x\r\n\r\n");
    struct visit *done = next_visit();
    visitor_comes(&second, server_port(server), "GET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
    next_visit();
    server_answer(done, 200, NULL, STR("done"));
    server_close(server);
    visitor_hears(&first);
    visitor_hears(&second);
    assert_int_equal(visitor_status(&first), 200);
    assert_int_equal(visitor_status(&second), 503);
    visitor_goes(&first);
    visitor_goes(&second);
    setup(NULL);
}

static void an_address_is_numbers(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "8080",  "localhost:80", "127.0.0.1:",   "127.0.0.1:x",  "127.0.0.1:65536",
        ":8080", "[::1:8080",    "127.0.0.1:-1", "300.0.0.1:80", "1.2.3.4.5:8080",
        "",      "[]:80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct server *none = NULL;
        assert_false(server_open(str_of(bad[i]), gate, NULL, &none, &err));
        assert_null(none);
        assert_non_null(strstr(err.text, "listen: "));
    }
}

static void an_address_that_is_taken_says_so(void **state)
{
    (void)state;
    char taken[32];
    struct server *none = NULL;
    snprintf(taken, sizeof taken, "127.0.0.1:%d", server_port(server));
    assert_false(server_open(str_of(taken), gate, NULL, &none, &err));
    assert_non_null(strstr(err.text, taken));
}

int main(void)
{
#define RUN(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        RUN(a_request_is_handed_out_whole_and_answered),
        RUN(who_is_turned_away_is_not_listened_to),
        RUN(what_is_too_large_is_refused_by_its_head),
        RUN(several_wait_and_are_answered_in_any_order),
        RUN(who_has_gone_does_no_harm),
        RUN(closing_leaves_nobody_in_the_dark),
        RUN(an_address_is_numbers),
        RUN(an_address_that_is_taken_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
