/* Ceilings of the HTTP client: size of answers, length of requests. */

#include <stdlib.h>

#include "engine/test.h"
#include "fixture/scratch.h"
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

static void says(const struct http_done *done, const char *words)
{
    struct str why = done->reply.why;
    if (done->reply.status != 0 || !memmem(why.p, why.n, words, strlen(words)))
        fail_msg("status %d \"%.*s\" does not say \"%s\"", done->reply.status, STR_ARG(why), words);
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
    says(&done, "the answer is too large");
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

/* ---- why there is no answer ---- */

static struct http_done ask_at(const char *url)
{
    struct http_done done = {0};
    const struct request r = {.kind = REQUEST_HTTP, .method = "GET", .url = str_of(url)};
    http_start(http, &r, &done);
    for (int i = 0; i < 1000 && !http_take(http, &done); i++)
        http_wait(http, NULL, 0, 100);
    assert_non_null(done.tag);
    return done;
}

/* The host, never the path: a token stands in it. */
TEST_WITH(the_cause_is_said_in_words, setup, teardown)
{
    struct http_done done = ask_at("http://no-such-host.invalid/bot1:SECRET/getMe");
    says(&done, "the name no-such-host.invalid was not found");
    assert_null(memmem(done.reply.why.p, done.reply.why.n, "SECRET", 6));
    done = ask_at("http://127.0.0.1:1/x");
    says(&done, "127.0.0.1:1 refuses connections");
    assert_int_equal(ask("/10", (struct request){0}).reply.status, 200);
}

TEST_WITH(a_proxy_that_does_not_answer_is_named, setup, teardown)
{
    struct err err;
    OK(http_use(http, STR(""), STR("http://ann:PASSWORD@127.0.0.1:1"), &err));
    struct http_done done = ask_at("http://hs.example/x");
    says(&done, "the proxy 127.0.0.1:1 refuses connections");
    assert_null(memmem(done.reply.why.p, done.reply.why.n, "PASSWORD", 8));
    assert_int_equal(ask("/10", (struct request){0}).reply.status, 200); /* loopback needs none */
}

TEST_WITH(an_option_wins_over_the_environment, setup, teardown)
{
    struct err err;
    OK(http_use(http, STR(""), STR("none"), &err));
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    struct http_done done = ask_at("http://no-such-host.invalid/");
    unsetenv("http_proxy");
    says(&done, "the name no-such-host.invalid was not found");
}

TEST_WITH(certificates_come_from_a_file, setup, teardown)
{
    struct err err;
    OK(scratch_open());
    assert_false(http_use(http, scratch_file("none.pem"), STR(""), &err));
    assert_non_null(strstr(err.text, "ca_file: "));
    scratch_write("text.pem", "no certificate");
    assert_false(http_use(http, scratch_file("text.pem"), STR(""), &err));
    assert_non_null(strstr(err.text, "expected certificates (PEM)"));
    scratch_close();
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
    says(&done, "too long");
    struct request r = {.n_headers = 1, .headers = {{STR("X-Long"), str_of(path)}}};
    done = ask("/10", r);
    assert_int_equal(done.reply.status, 0);
    says(&done, "too long");
    struct part part = {.name = str_of(path), .bytes = STR("x")};
    done = ask("/10", (struct request){.n_parts = 1, .parts = &part});
    assert_int_equal(done.reply.status, 0);
    assert_int_equal(ask("/10", (struct request){0}).reply.status, 200);
}
