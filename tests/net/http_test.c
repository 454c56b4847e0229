/* Ceilings of the HTTP client: size of answers, length of requests. */

#include <stdlib.h>

#include "engine/test.h"
#include "http.h"
#include "serve.h"

enum { MIB = 1024 * 1024 };

static struct http *http;
static struct serve *server;
static char *big;

/* "/N": a body of N bytes. "/head": headers without end. "/later": asks for a wait of years. */
static void answer(void *arg, struct serve_request *r)
{
    (void)arg;
    static const char head[] = "HTTP/1.1 200 OK\r\n", line[] = "X-More: and more and more\r\n";
    size_t n = (size_t)strtoul(r->path + 1, NULL, 10);
    if (strcmp(r->path, "/head") == 0) {
        serve_bytes(server, r->from, head, sizeof head - 1);
        for (int i = 0; i < 100 * 1000; i++)
            serve_bytes(server, r->from, line, sizeof line - 1);
        serve_end(server, r->from);
        return;
    }
    if (strcmp(r->path, "/later") == 0) {
        serve_reply(server, r->from, 429, "Retry-After: 9223372036854775807\r\n", "{}",
                    SERVE_WHOLE);
        return;
    }
    memset(big, 'x', n);
    big[n] = '\0';
    serve_reply(server, r->from, 200, "", big, SERVE_WHOLE);
}

FIXTURE(setup)
{
    struct err err;
    big = malloc(8 * MIB);
    server = serve_open(0, answer, NULL, NULL);
    return big && http_open(&http, &err) ? 0 : 1;
}

FIXTURE(teardown)
{
    http_close(http);
    serve_close(server);
    free(big);
    return 0;
}

static struct http_done ask(const char *path, struct request r)
{
    static char url[20000];
    struct http_done done = {0};
    snprintf(url, sizeof url, "http://127.0.0.1:%d%s", serve_port(server), path);
    r.kind = REQUEST_HTTP;
    r.method = "GET";
    r.url = str_of(url);
    http_start(http, &r, &done);
    for (int i = 0; i < 100000 && !http_take(http, &done); i++)
        http_wait(http, NULL, 0, 100);
    assert_non_null(done.tag);
    assert_int_equal(http_running(http), 0);
    return done;
}

TEST_WITH(answers_up_to_four_mebibytes, setup, teardown)
{
    char path[32];
    snprintf(path, sizeof path, "/%d", 4 * MIB);
    struct http_done done = ask(path, (struct request){0});
    assert_int_equal(done.reply.status, 200);
    assert_int_equal(done.reply.body.n, 4 * MIB);
    snprintf(path, sizeof path, "/%d", 4 * MIB + 1);
    done = ask(path, (struct request){0});
    assert_int_equal(done.reply.status, 0);
    assert_true(done.reply.too_large);
    assert_string_equal(done.note, "the answer is too large");
    done = ask("/10", (struct request){0});
    assert_int_equal(done.reply.body.n, 10);
    assert_false(done.reply.too_large);
}

TEST_WITH(a_request_may_allow_more_or_less, setup, teardown)
{
    assert_int_equal(ask("/6000000", (struct request){.answer_bytes = 6000000}).reply.status, 200);
    assert_true(ask("/6000000", (struct request){.answer_bytes = 5999999}).reply.too_large);
}

TEST_WITH(headers_without_end, setup, teardown)
{
    struct http_done done = ask("/head", (struct request){0});
    assert_int_equal(done.reply.status, 0);
    assert_false(done.reply.too_large);
    assert_int_equal(ask("/10", (struct request){0}).reply.status, 200);
}

TEST_WITH(a_wait_of_years_is_a_day, setup, teardown)
{
    struct http_done done = ask("/later", (struct request){0});
    assert_int_equal(done.reply.status, 429);
    assert_in_range(done.reply.retry_after_ms, 0, 24 * 3600 * 1000);
}

/* Ids from outside become parts of URLs and headers: only the request that is too long fails. */
TEST_WITH(a_request_that_is_too_long_fails, setup, teardown)
{
    static char path[12000];
    memset(path, 'a', sizeof path - 1);
    path[0] = '/';
    struct http_done done = ask(path, (struct request){0});
    assert_int_equal(done.reply.status, 0);
    assert_false(done.reply.cut); /* it was not sent */
    assert_non_null(strstr(done.note, "too long"));
    struct request r = {.n_headers = 1, .headers = {{STR("X-Long"), str_of(path)}}};
    done = ask("/10", r);
    assert_int_equal(done.reply.status, 0);
    assert_non_null(strstr(done.note, "too long"));
    struct part part = {.name = str_of(path), .bytes = STR("x")};
    done = ask("/10", (struct request){.n_parts = 1, .parts = &part});
    assert_int_equal(done.reply.status, 0);
    assert_int_equal(ask("/10", (struct request){0}).reply.status, 200);
}
