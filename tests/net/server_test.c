/* The daemon's HTTP server alone: access, parsing, and answers that come much later. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"
#include "server.h"
#include "fixture/http_client.h"

static struct server *server;
static struct err err;
static int turned_away; /* with this status; 0: no access */
static int knocked;

static int gate(void *arg, const struct server_request *v)
{
    assert_ptr_equal(arg, &turned_away);
    assert_int_equal(v->body.n, 0); /* nothing was read yet */
    knocked++;
    return turned_away;
}

FIXTURE(setup)
{
    turned_away = knocked = 0;
    OK(server_open(STR("127.0.0.1:0"), &server_usual, gate, &turned_away, &server, &err));
    return 0;
}

FIXTURE(teardown)
{
    server_close(server);
    return 0;
}

/* Runs the server until the client has an answer, or for a while. */
static bool answered(struct http_client *v)
{
    bool whole = false;
    for (int i = 0; i < 200 && !(whole = http_client_read(v)); i++) {
        struct pollfd fd = {.fd = server_fd(server), .events = POLLIN};
        int wait = server_wait(server);
        poll(&fd, 1, wait < 20 ? wait : 20);
        server_run(server);
    }
    return whole;
}

static struct server_request *next_visit(void)
{
    struct server_request *v = NULL;
    for (int i = 0; i < 200 && !v; i++) {
        struct pollfd fd = {.fd = server_fd(server), .events = POLLIN};
        poll(&fd, 1, 20);
        server_run(server);
        v = server_next(server);
    }
    assert_non_null(v);
    return v;
}

TEST_WITH(request_is_handed_out_complete_and_answered, setup, teardown)
{
    struct http_client v;
    http_client_open(
        &v, server_port(server),
        "POST /news?x=1 HTTP/1.1\r\nHost: x\r\nX-Word: sesame\r\nContent-Length: 5\r\n\r\nhello");
    struct server_request *visit = next_visit();
    assert_int_equal(knocked, 1);
    assert_true(str_is(visit->method, STR("POST")));
    assert_true(str_is(visit->path, STR("/news")));
    assert_true(str_is(visit->body, STR("hello")));
    assert_true(str_is(server_header(visit, "x-word"), STR("sesame")));
    assert_int_equal(server_header(visit, "X-Other").n, 0);
    assert_int_equal(http_client_status(&v), 0); /* it waits */
    server_answer(visit, 200, "text/plain", STR("good"));
    assert_true(answered(&v));
    assert_int_equal(http_client_status(&v), 200);
    assert_non_null(strstr(v.text, "\r\n\r\ngood"));
    http_client_close(&v);
}

TEST_WITH(body_of_a_refused_request_is_not_read, setup, teardown)
{
    struct http_client v;
    turned_away = 403;
    http_client_open(&v, server_port(server),
                     "POST /news HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n");
    assert_true(answered(&v));
    assert_int_equal(http_client_status(&v), 403);
    assert_null(server_next(server));
    http_client_close(&v);
}

TEST_WITH(oversized_request_is_refused_by_its_head, setup, teardown)
{
    struct http_client v;
    http_client_open(&v, server_port(server),
                     "POST /news HTTP/1.1\r\nHost: x\r\nContent-Length: 1048577\r\n\r\n");
    assert_true(answered(&v));
    assert_int_equal(http_client_status(&v), 413);
    http_client_close(&v);
    http_client_open(&v, server_port(server),
                     "POST /news HTTP/1.1\r\nHost: x\r\nContent-Length: nonsense\r\n\r\n");
    assert_true(answered(&v));
    assert_int_not_equal(http_client_status(&v), 200);
    assert_null(server_next(server));
    http_client_close(&v);
}

TEST_WITH(requests_are_answered_in_any_order, setup, teardown)
{
    struct http_client v[3];
    struct server_request *visit[3];
    for (int i = 0; i < 3; i++) {
        char request[128];
        snprintf(request, sizeof request,
                 "POST /n HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n%d", i);
        http_client_open(&v[i], server_port(server), request);
        visit[i] = next_visit();
        assert_int_equal(visit[i]->body.p[0], '0' + i);
    }
    static const int order[] = {2, 0, 1};
    for (int i = 0; i < 3; i++) {
        server_answer(visit[order[i]], 200 + order[i], NULL, STR(""));
        assert_true(answered(&v[order[i]]));
        assert_int_equal(http_client_status(&v[order[i]]), 200 + order[i]);
        http_client_close(&v[order[i]]);
    }
}

/* An answer to a client that has gone is harmless: the caller need not know. */
TEST_WITH(answer_to_a_closed_connection_is_harmless, setup, teardown)
{
    struct http_client v;
    http_client_open(&v, server_port(server), "GET /n HTTP/1.1\r\nHost: x\r\n\r\n");
    struct server_request *visit = next_visit();
    http_client_close(&v);
    server_run(server);
    server_answer(visit, 200, NULL, STR("nobody hears it"));
    server_run(server);
    http_client_open(&v, server_port(server), "GET /m HTTP/1.1\r\nHost: x\r\n\r\n");
    server_answer(next_visit(), 204, NULL, STR(""));
    answered(&v);
    assert_int_equal(http_client_status(&v), 204);
    http_client_close(&v);
}

/* At close, waiting requests get "come again", and answers already given are still written. */
TEST_WITH(close_answers_503_to_open_requests, setup, teardown)
{
    struct http_client first, second;
    http_client_open(&first, server_port(server), "GET /1 HTTP/1.1\r\nHost: x\r\n\r\n");
    struct server_request *done = next_visit();
    http_client_open(&second, server_port(server), "GET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
    next_visit();
    server_answer(done, 200, NULL, STR("done"));
    server_close(server);
    http_client_read(&first);
    http_client_read(&second);
    assert_int_equal(http_client_status(&first), 200);
    assert_int_equal(http_client_status(&second), 503);
    http_client_close(&first);
    http_client_close(&second);
    setup(NULL);
}

TEST_WITH(listen_address_must_be_numeric, setup, teardown)
{
    static const char *const bad[] = {
        "8080",  "localhost:80", "127.0.0.1:",   "127.0.0.1:x",  "127.0.0.1:65536",
        ":8080", "[::1:8080",    "127.0.0.1:-1", "300.0.0.1:80", "1.2.3.4.5:8080",
        "",      "[]:80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct server *none = NULL;
        assert_false(server_open(str_of(bad[i]), &server_usual, gate, NULL, &none, &err));
        assert_null(none);
        assert_non_null(strstr(err.text, "expected ADDRESS:PORT"));
    }
}

/* The clients of these tests come by IPv4. */
TEST_WITH(every_address_of_ipv6_hears_ipv4_too, setup, teardown)
{
    struct http_client v;
    server_close(server);
    OK(server_open(STR("[::]:0"), &server_usual, gate, &turned_away, &server, &err));
    turned_away = 403;
    http_client_open(&v, server_port(server), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_true(answered(&v));
    assert_int_equal(http_client_status(&v), 403);
    http_client_close(&v);
}

TEST_WITH(address_in_use_is_an_error, setup, teardown)
{
    char taken[32];
    struct server *none = NULL;
    snprintf(taken, sizeof taken, "127.0.0.1:%d", server_port(server));
    assert_false(server_open(str_of(taken), &server_usual, gate, NULL, &none, &err));
    assert_non_null(strstr(err.text, taken));
}

/* ---- slow and many ---- */

enum { HEAD_MS = 40, BODY_MS = 80 };

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void run_once(void)
{
    struct pollfd fd = {.fd = server_fd(server), .events = POLLIN};
    int wait = server_wait(server);
    poll(&fd, 1, wait < 1 ? wait : 1);
    server_run(server);
}

/* Sends one byte each time the server has run. Returns the ms until the connection was closed, or
 * -1 if it is still open after two seconds. */
static int64_t drip(struct http_client *v, const char *bytes)
{
    int64_t start = now_ms();
    while (now_ms() - start < 2000) {
        run_once();
        send(v->fd, bytes, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        bytes += bytes[1] ? 1 : 0;
        char c;
        ssize_t n = recv(v->fd, &c, 1, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN))
            return now_ms() - start;
    }
    return -1;
}

TEST_WITH(dripping_head_is_cut_off, setup, teardown)
{
    struct http_client v;
    server_set_deadlines(server, HEAD_MS, 100000);
    http_client_open(&v, server_port(server), "GET / HTTP/1.1\r\nHost: x\r\nA: ");
    int64_t ms = drip(&v, "b");
    assert_true(ms >= HEAD_MS - 2);
    http_client_close(&v);
}

TEST_WITH(dripping_body_is_cut_off, setup, teardown)
{
    struct http_client v;
    server_set_deadlines(server, 100000, BODY_MS);
    http_client_open(&v, server_port(server),
                     "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
    int64_t ms = drip(&v, "b");
    assert_true(ms >= BODY_MS - 2);
    assert_int_equal(knocked, 1);
    http_client_close(&v);
}

/* The daemon has as long as it needs: no deadline runs while it holds the request. */
TEST_WITH(complete_request_is_not_cut_off, setup, teardown)
{
    struct http_client v;
    server_set_deadlines(server, HEAD_MS, BODY_MS);
    http_client_open(&v, server_port(server), "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    struct server_request *r = next_visit();
    for (int64_t start = now_ms(); now_ms() - start < 3 * BODY_MS;)
        run_once();
    server_answer(r, 200, "text/plain", STR("late"));
    assert_true(answered(&v));
    assert_int_equal(http_client_status(&v), 200);
    http_client_close(&v);
}

/* A connection from 127.0.0.N, which the server does not count as loopback; -1 if it was closed at
 * once. */
static int connect_from(int n)
{
    struct sockaddr_in here = {.sin_family = AF_INET}, there = here;
    here.sin_addr.s_addr = htonl(0x7f000000u + (unsigned)n);
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    there.sin_port = htons((uint16_t)server_port(server));
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0 && bind(fd, (struct sockaddr *)&here, sizeof here) == 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&there, sizeof there), 0);
    for (int i = 0; i < 3; i++)
        run_once();
    char c;
    if (recv(fd, &c, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN)
        return fd;
    close(fd);
    return -1;
}

TEST_WITH(one_address_has_32_connections, setup, teardown)
{
    int fd[33];
    for (int i = 0; i < 33; i++)
        fd[i] = connect_from(2);
    for (int i = 0; i < 32; i++)
        assert_true(fd[i] >= 0);
    assert_int_equal(fd[32], -1);
    int other = connect_from(3);
    assert_true(other >= 0);
    close(other);
    close(fd[0]);
    run_once();
    run_once();
    fd[0] = connect_from(2);
    assert_true(fd[0] >= 0);
    for (int i = 0; i < 32; i++)
        close(fd[i]);
}

/* ---- streams ---- */

struct heard_of {
    int n, ended;
    bool over;
};

static bool tell(void *arg, struct buf *b)
{
    struct heard_of *t = arg;
    buf_print(b, "event %d\n", ++t->n);
    return !t->over;
}

static void ended(void *arg)
{
    struct heard_of *t = arg;
    t->ended++;
}

static struct server_stream *open_stream(struct http_client *v, struct heard_of *t)
{
    http_client_open(v, server_port(server), "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    struct server_reply reply = {
        .status = 200, .n = 1, .at = {{STR("Content-Type"), STR("text/event-stream")}}};
    return server_stream(next_visit(), &reply, &(struct stream_source){tell, ended, t});
}

static void run_a_while(struct http_client *v)
{
    for (int i = 0; i < 10; i++) {
        run_once();
        (void)http_client_read(v);
    }
}

TEST_WITH(a_stream_is_asked_when_it_is_woken, setup, teardown)
{
    struct http_client v;
    struct heard_of t = {0};
    struct server_stream *stream = open_stream(&v, &t);
    run_a_while(&v);
    assert_non_null(strstr(v.text, "text/event-stream"));
    assert_non_null(strstr(v.text, "event 1\n"));
    assert_int_equal(t.n, 1);
    server_wake(stream);
    server_wake(stream); /* one answer for both */
    run_a_while(&v);
    assert_non_null(strstr(v.text, "event 2\n"));
    assert_int_equal(t.n, 2);
    t.over = true;
    server_wake(stream);
    run_a_while(&v);
    assert_non_null(strstr(v.text, "event 3\n\r\n0\r\n\r\n")); /* and the last chunk */
    assert_int_equal(t.ended, 1);
    http_client_close(&v);
}

/* The library does not notice the end of a connection that sleeps. */
TEST_WITH(a_stream_whose_reader_has_gone_ends_when_it_is_woken, setup, teardown)
{
    struct http_client v;
    struct heard_of t = {0};
    struct server_stream *stream = open_stream(&v, &t);
    run_a_while(&v);
    http_client_close(&v);
    for (int i = 0; i < 4 && t.ended == 0; i++) {
        server_wake(stream);
        for (int k = 0; k < 10; k++)
            run_once();
    }
    assert_int_equal(t.ended, 1);
}

static bool tell_much(void *arg, struct buf *b)
{
    while (b->n + 1024 < b->cap)
        buf_put(b, STR("event: scene\n"));
    return tell(arg, b);
}

/* Nor does it notice a reader who takes nothing; one that has nothing to take may sleep. */
TEST_WITH(a_stream_whose_reader_takes_nothing_is_cut_off, setup, teardown)
{
    struct http_client reads, idles;
    struct heard_of t[2] = {{0}};
    server_set_deadlines(server, 100000, BODY_MS);
    (void)open_stream(&reads, &t[0]);
    run_a_while(&reads);
    http_client_open(&idles, server_port(server), "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    struct server_reply reply = {.status = 200};
    struct server_stream *stream =
        server_stream(next_visit(), &reply, &(struct stream_source){tell_much, ended, &t[1]});
    int64_t start = now_ms();
    for (; t[1].ended == 0 && now_ms() - start < 50 * BODY_MS; run_once())
        server_wake(stream);
    assert_int_equal(t[1].ended, 1);
    assert_true(t[1].n > 1 && now_ms() - start >= BODY_MS);
    assert_int_equal(t[0].ended, 0);
    http_client_close(&reads);
    http_client_close(&idles);
}

static bool tell_a_kilobyte(void *arg, struct buf *b)
{
    while (b->n < 1024)
        buf_put(b, STR("event: scene\n"));
    return tell(arg, b);
}

/* What a reader leaves costs the machine no more than its connection's buffers. */
TEST_WITH(a_stream_whose_reader_takes_nothing_is_asked_no_more, setup, teardown)
{
    enum { TIMES = 2048, AT_MOST = 256 };
    struct http_client idles;
    struct heard_of t = {0};
    http_client_open(&idles, server_port(server), "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    struct server_reply reply = {.status = 200};
    struct server_stream *stream =
        server_stream(next_visit(), &reply, &(struct stream_source){tell_a_kilobyte, ended, &t});
    for (int i = 0; i < TIMES; i++) {
        server_wake(stream);
        server_run(server);
    }
    assert_true(t.n > 1 && t.n <= AT_MOST);
    http_client_close(&idles);
}

/* Answers of many streams are gathered for some ms: none is forgotten, also at the end. */
TEST(each_of_many_streams_has_its_answer)
{
    enum { MANY = 256 };
    struct http_client *v = alloc_zeroed(MANY * sizeof *v);
    struct server_stream *stream[MANY];
    struct heard_of t[MANY] = {{0}};
    assert_int_equal(setup(NULL), 0);
    for (int i = 0; i < MANY; i++)
        stream[i] = open_stream(&v[i], &t[i]);
    for (int n = 1; n <= 4; n++) { /* the first time it was the request that woke them */
        for (int i = 0; i < MANY; i++) {
            if (n > 1)
                server_wake(stream[i]);
            if (i % 16 == n)
                server_run(server); /* as at another's request, before the time of all has come */
        }
        for (int i = 0, last = 0; last < MANY && i < 5000; i++) {
            run_once();
            while (last < MANY && t[last].n == n)
                last++;
        }
        for (int i = 0; i < MANY; i++)
            assert_int_equal(t[i].n, n);
    }
    for (int i = 0; i < MANY; i++)
        server_wake(stream[i]);
    server_close(server);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(t[i].ended, 1);
        assert_true(t[i].n > 4);
        http_client_close(&v[i]);
    }
    free(v);
}

TEST(a_server_closes_with_streams_that_sleep)
{
    struct http_client v[3];
    struct heard_of t = {0};
    assert_int_equal(setup(NULL), 0);
    for (int i = 0; i < 3; i++) {
        (void)open_stream(&v[i], &t);
        run_a_while(&v[i]);
    }
    server_close(server);
    assert_int_equal(t.ended, 3);
    for (int i = 0; i < 3; i++)
        http_client_close(&v[i]);
}

TEST_WITH(crowd_leaves_room_for_the_loopback, setup, teardown)
{
    enum { MOST = 256 - 16 };
    int fd[MOST];
    struct http_client v;
    for (int i = 0; i < MOST; i++)
        assert_true((fd[i] = connect_from(2 + i / 30)) >= 0);
    assert_int_equal(connect_from(100), -1);
    http_client_open(&v, server_port(server), "GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
    server_answer(next_visit(), 200, "text/plain", STR("ok"));
    assert_true(answered(&v));
    assert_int_equal(http_client_status(&v), 200);
    http_client_close(&v);
    for (int i = 0; i < MOST; i++)
        close(fd[i]);
}
