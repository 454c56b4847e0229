/* Ceilings of the HTTP client: size of answers, length of requests. */

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/test.h"
#include "fixture/scratch.h"
#include "egress.h"
#include "http.h"
#include "serve.h"

enum { MIB = 1024 * 1024 };

/* In place of the C library's, also for libcurl: 0 connects. */
static int connect_error;

int connect(int fd, __CONST_SOCKADDR_ARG to, socklen_t size)
{
    errno = connect_error;
    return connect_error ? -1 : (int)syscall(SYS_connect, fd, to.__sockaddr__, size);
}

/* The same: "hangs.test" is looked up until it is let go, or nobody can wait any longer. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    int asked, hang; /* look-ups that began, and that have not ended */
    bool let_go, given_up;
} names = {.lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER};

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **ret)
{
    enum { PATIENCE_S = 20 };
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = NULL;
    void *found = dlsym(RTLD_NEXT, "getaddrinfo");
    memcpy(&real, &found, sizeof real);
    if (!name || strcmp(name, "hangs.test") != 0)
        return real(name, service, hints, ret);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;
    pthread_mutex_lock(&names.lock);
    names.asked++;
    names.hang++;
    while (!names.let_go && !names.given_up)
        names.given_up = pthread_cond_timedwait(&names.change, &names.lock, &until) == ETIMEDOUT;
    names.hang--;
    pthread_cond_broadcast(&names.change);
    pthread_mutex_unlock(&names.lock);
    return EAI_AGAIN;
}

static struct http *http;
static struct serve *server;
static char *big;
static int n_answered, heard = -1;
static char brought[2048], method[16]; /* of the last request: its body and its method */

/* "/N": a body of N bytes. "/heard": `heard` becomes readable. "/head": headers without end. "/later":
 * asks for a wait of years. "/off": nothing. */
static void answer(void *arg, struct serve_request *r)
{
    (void)arg;
    static const char head[] = "HTTP/1.1 200 OK\r\n", line[] = "X-More: and more and more\r\n";
    size_t n = (size_t)strtoul(r->path + 1, NULL, 10);
    n_answered++;
    snprintf(brought, sizeof brought, "%s", r->body);
    snprintf(method, sizeof method, "%s", r->method);
    if (strcmp(r->path, "/heard") == 0)
        eventfd_write(heard, 1);
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
    if (strcmp(r->path, "/off") == 0) {
        serve_end(server, r->from);
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

static struct http_done ask_with(struct request r)
{
    struct http_done done = {0};
    r.kind = REQUEST_HTTP;
    r.method = r.method ? r.method : "GET";
    http_start(http, &r, &done);
    for (int i = 0; i < 100000 && !http_take(http, &done); i++)
        http_wait(http, NULL, 0, 100);
    assert_non_null(done.tag);
    assert_int_equal(http_running(http), 0);
    return done;
}

static struct http_done ask(const char *path, struct request r)
{
    static char url[20000];
    snprintf(url, sizeof url, "http://127.0.0.1:%d%s", serve_port(server), path);
    r.url = str_of(url);
    return ask_with(r);
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

/* ---- addresses from outside ---- */

/* Though the same server has just been asked, and its connection is kept. */
TEST_WITH(an_address_from_outside_leads_to_no_private_one, setup, teardown)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost",          "127.1",   "2130706433",
                                        "[::1]",     "[::ffff:127.0.0.1]", "0.0.0.0", "10.0.0.1"};
    struct err err;
    char url[64];
    assert_int_equal(ask("/10", (struct request){0}).reply.status, 200);
    n_answered = 0;
    for (int proxy = 0; proxy < 3; proxy++) { /* none, one here, one that would not be found */
        for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
            snprintf(url, sizeof url, "http://%s:%d/10", hosts[i], serve_port(server));
            struct http_done done = ask_with((struct request){.url = str_of(url), .outside = true});
            says(&done, "has no address on the public internet");
            struct str why = done.reply.why; /* and no more */
            assert_true(str_is(str_skip(why, why.n - strlen("internet")), STR("internet")));
        }
        /* a proxy would look the name up, and go where we may not */
        http_close(http);
        OK(http_open(&http, &err));
        snprintf(url, sizeof url, "http://127.0.0.1:%d", serve_port(server));
        OK(http_use(http, STR(""), proxy == 0 ? str_of(url) : STR("http://no-such-host.invalid:1"),
                    &err));
    }
    assert_int_equal(n_answered, 0);
    assert_int_equal(ask("/10", (struct request){0}).reply.status, 200);
}

/* ---- why there is no answer ---- */

static struct http_done ask_within(const char *url, int timeout_ms)
{
    return ask_with((struct request){.url = str_of(url), .timeout_ms = timeout_ms});
}

static struct http_done ask_at(const char *url)
{
    return ask_within(url, 0);
}

/* A server that takes connections and never answers. */
static int open_silent(int *ret_port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(fd, 4), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    *ret_port = ntohs(at.sin_port);
    return fd;
}

/* What was written to it may have arrived, what still waited for TLS has not. */
TEST_WITH(only_what_was_written_may_have_arrived, setup, teardown)
{
    char url[64];
    int port, fd = open_silent(&port);
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
    assert_true(ask_within(url, 200).reply.cut);
    snprintf(url, sizeof url, "https://127.0.0.1:%d/", port);
    assert_false(ask_within(url, 200).reply.cut);
    close(fd);
}

/* A SOCKS proxy that takes no way to say who asks, and then something that speaks no TLS. */
static void *refuse_twice(void *fd)
{
    for (int i = 0; i < 2; i++) {
        int peer = accept(*(int *)fd, NULL, NULL);
        assert_int_equal(write(peer, "\5\377", 2), 2);
        close(peer);
    }
    return NULL;
}

/* The text with the port in place of a '#'. */
static struct str with_port(const char *text, int port, char ret[static 128])
{
    struct str rest, head = str_cut(str_of(text), '#', &rest);
    bool has = strchr(text, '#') != NULL;
    int n = has ? snprintf(ret, 128, "%.*s%d%.*s", STR_ARG(head), port, STR_ARG(rest))
                : snprintf(ret, 128, "%s", text);
    return (struct str){ret, (size_t)n};
}

/* Each by itself, with the port of the one that fails. */
TEST_WITH(a_cause_is_said_alone, setup, teardown)
{
    static const char *const causes[] = {
        "was not found", "refuses connections",     "does not take us on",     "is not trusted",
        "speaks no TLS", "does not answer in time", "broke the connection off"};
    int silent, gated, fd = open_silent(&silent), gate = open_silent(&gated);
    int ours = serve_port(server);
    pthread_t refuses;
    assert_int_equal(pthread_create(&refuses, NULL, refuse_twice, &gate), 0);
    const struct {
        const char *proxy, *url, *why;
        int port;
    } rows[] = {
        {"none", "http://no-such-host.invalid:#/", "the name no-such-host.invalid:# was not found",
         1},
        {"http://no-such-proxy.invalid:#", "http://hs.invalid/",
         "the name of the proxy no-such-proxy.invalid:# was not found", 1},
        {"none", "http://127.0.0.1:#/", "127.0.0.1:# refuses connections", 1},
        {"http://127.0.0.1:#", "http://hs.invalid/", "the proxy 127.0.0.1:# refuses connections",
         1},
        {"socks5h://127.0.0.1:#", "http://hs.invalid/",
         "the proxy 127.0.0.1:# does not take us on: ", gated},
        {"none", "https://127.0.0.1:#/",
         "127.0.0.1:# speaks no TLS that this machine knows: ", gated},
        {"none", "http://127.0.0.1:#/", "127.0.0.1:# does not answer in time", silent},
        {"http://127.0.0.1:#", "http://hs.invalid/",
         "hs.invalid does not answer in time, asked through the proxy 127.0.0.1:#", silent},
        {"none", "http://127.0.0.1:#/off", "127.0.0.1:# broke the connection off", ours},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char proxy[128], url[128], why[128];
        struct err err;
        struct str words = with_port(rows[i].why, rows[i].port, why);
        http_close(http);
        OK(http_open(&http, &err));
        OK(http_use(http, STR(""), with_port(rows[i].proxy, rows[i].port, proxy), &err));
        (void)with_port(rows[i].url, rows[i].port, url);
        struct http_done done = ask_within(url, rows[i].port == silent ? 200 : 0);
        struct str said = done.reply.why;
        int found = 0;
        for (size_t k = 0; k < sizeof causes / sizeof *causes; k++)
            found += memmem(said.p, said.n, causes[k], strlen(causes[k])) != NULL;
        if (!str_starts(said, words) || found != 1)
            fail_msg("%s: \"%.*s\", not \"%s\"", url, STR_ARG(said), why);
    }
    pthread_join(refuses, NULL);
    close(gate);
    close(fd);
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

/* A firewall of the machine, or IPAddressDeny= of a unit of systemd; a machine without a network. */
TEST_WITH(what_the_system_forbids_is_said_in_words, setup, teardown)
{
    static const int errors[] = {EPERM, EACCES};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        connect_error = errors[i];
        struct http_done done = ask_at("http://127.0.0.1:1/x");
        says(&done, "127.0.0.1:1 may not be reached: a firewall of this machine or IPAddressDeny=");
    }
    connect_error = ENETUNREACH;
    struct http_done done = ask_at("http://127.0.0.1:1/x");
    says(&done, "127.0.0.1:1 cannot be reached: there is no way to it from this machine");
    connect_error = 0;
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

/* The environment is read when the program starts. */
static struct http_done ask_in(const char *name, struct str proxy, const char *url)
{
    struct err err;
    http_close(http);
    setenv(name, "http://127.0.0.1:1", 1);
    OK(http_open(&http, &err));
    OK(http_use(http, STR(""), proxy, &err));
    struct http_done done = ask_at(url);
    unsetenv(name);
    return done;
}

TEST_WITH(a_proxy_of_the_environment_is_asked, setup, teardown)
{
    static const char *const secure[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
    struct http_done done = ask_in("http_proxy", STR(""), "http://hs.invalid/x");
    says(&done, "the proxy 127.0.0.1:1 refuses connections");
    for (size_t i = 0; i < sizeof secure / sizeof *secure; i++) {
        done = ask_in(secure[i], STR(""), "https://hs.invalid/x");
        says(&done, "the proxy 127.0.0.1:1 refuses connections");
    }
}

TEST_WITH(an_option_wins_over_the_environment, setup, teardown)
{
    struct http_done done = ask_in("http_proxy", STR("none"), "http://no-such-host.invalid/");
    says(&done, "the name no-such-host.invalid was not found");
    done = ask_in("http_proxy", STR("http://no-such-proxy.invalid:1"), "http://hs.invalid/");
    says(&done, "the name of the proxy no-such-proxy.invalid:1 was not found");
}

/* Its certificates are trusted beside those of the system. */
TEST(a_ca_file_takes_nothing_from_what_is_trusted)
{
    struct egress r;
    struct err err;
    OK(scratch_open());
    scratch_write("own.pem", "-----BEGIN CERTIFICATE-----\nown\n");
    scratch_write("system.pem", "-----BEGIN CERTIFICATE-----\nsystem\n");
    egress_open(&r);
    OK(egress_use(&r, scratch_file("own.pem"), STR(""), scratch_file("system.pem").p, &err));
    assert_non_null(memmem(r.trusted.p, r.trusted.n, "own", 3));
    assert_non_null(memmem(r.trusted.p, r.trusted.n, "system", 6));
    egress_close(&r);
    scratch_close();
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

/* ---- certificates ---- */

/* openssl's own server, with a certificate for 127.0.0.1 from a CA of ours, or its own. Its output
 * names the path of each request that it has read. */
static struct {
    FILE *says;
    int pid, port;
} tls;

static void tls_line(char *line, size_t size)
{
    assert_non_null(fgets(line, (int)size, tls.says));
}

static void tls_open(const char *issuer)
{
    static const char make[] =
        "cd '%s' && new() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
        "\"$@\" 2>/dev/null; } && new -keyout ca.key -out ca.pem -subj '/O=Our House/CN=Own Root' "
        "&& "
        "new -keyout key -out cert.pem -subj /CN=here -addext subjectAltName=IP:127.0.0.1 %s && "
        "echo page >bot1SECRET && echo $$ && exec openssl s_server -accept 127.0.0.1:0 -WWW "
        "-cert cert.pem -key key -cert_chain ca.pem 2>&1";
    char command[1024], line[256];
    assert_true(scratch_open());
    snprintf(command, sizeof command, make, scratch_file("").p, issuer);
    assert_non_null(tls.says = popen(command, "r"));
    tls_line(line, sizeof line);
    assert_true((tls.pid = (int)strtol(line, NULL, 10)) > 0);
    do {
        tls_line(line, sizeof line);
    } while (strncmp(line, "ACCEPT 127.0.0.1:", 17) != 0);
    tls.port = (int)strtol(line + 17, NULL, 10);
}

/* Returns how many requests it has read. */
static int tls_close(void)
{
    char line[256];
    int n = 0;
    kill(tls.pid, SIGTERM);
    while (fgets(line, sizeof line, tls.says))
        n += strncmp(line, "FILE:bot1SECRET", 15) == 0;
    pclose(tls.says);
    scratch_close();
    return n;
}

static struct http_done ask_tls(void)
{
    char url[64];
    snprintf(url, sizeof url, "https://127.0.0.1:%d/bot1SECRET", tls.port);
    return ask_at(url);
}

TEST_WITH(an_issuer_that_is_not_trusted_is_named, setup, teardown)
{
    tls_open("-CA ca.pem -CAkey ca.key");
    for (int i = 0; i < 2; i++) { /* the handle is used again: it trusts as much as before */
        struct http_done done = ask_tls();
        says(&done, "the certificate of 127.0.0.1:");
        says(&done, "is not trusted");
        says(&done, "issued by \"O = Our House, CN = Own Root\": name the file");
        assert_false(done.reply.cut);
        for (int k = 0; k < 2; k++) /* by another one, and by this one */
            assert_int_equal(ask("/10", (struct request){0}).reply.status, 200);
    }
    assert_int_equal(tls_close(), 0); /* the token stays here */
}

TEST_WITH(a_certificate_of_its_own_is_named, setup, teardown)
{
    tls_open("");
    struct http_done done = ask_tls();
    says(&done, "issued by");
    assert_int_equal(tls_close(), 0);
}

TEST_WITH(a_ca_file_trusts_its_issuer, setup, teardown)
{
    struct err err;
    tls_open("-CA ca.pem -CAkey ca.key");
    OK(http_use(http, scratch_file("ca.pem"), STR(""), &err));
    assert_int_equal(ask_tls().reply.status, 200);
    assert_int_equal(tls_close(), 1);
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

/* A part has the name of a file and a type if it names them, and no others. */
TEST_WITH(parts_have_the_heads_that_they_name, setup, teardown)
{
    static const struct {
        struct part part;
        const char *head;
    } rows[] = {
        {{.name = STR("chat_id")}, "form-data; name=\"chat_id\"\r\n\r\n"},
        {{.name = STR("a"), .type = STR("text/x-a")},
         "form-data; name=\"a\"\r\nContent-Type: text/x-a\r\n\r\n"},
        {{.name = STR("picture"), .file = STR("p.png"), .type = STR("image/png")},
         "form-data; name=\"picture\"; filename=\"p.png\"\r\nContent-Type: image/png\r\n\r\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int bytes = 0; bytes < 2; bytes++) {
            struct part part = rows[i].part;
            char wanted[256];
            part.bytes = bytes ? STR("{\"bytes\"}") : STR("");
            struct http_done done =
                ask("/10", (struct request){.method = "POST", .n_parts = 1, .parts = &part});
            assert_int_equal(done.reply.status, 200);
            snprintf(wanted, sizeof wanted, "%s%s\r\n--", rows[i].head, bytes ? "{\"bytes\"}" : "");
            if (!strstr(brought, wanted))
                fail_msg("expected %s, got %s", wanted, brought);
        }
}

/* The method that it names, with a body or without. */
TEST_WITH(requests_have_their_method_and_body, setup, teardown)
{
    static const char *const methods[] = {"GET", "POST", "PUT", "DELETE"};
    for (size_t i = 0; i < 4; i++)
        for (int body = 0; body < 2; body++) {
            struct request r = {.method = methods[i], .body = body ? STR("words") : STR("")};
            assert_int_equal(ask("/10", r).reply.status, 200);
            assert_string_equal(brought, body && i > 0 ? "words" : "");
            assert_string_equal(method, methods[i]);
        }
}

static int names_asked(void)
{
    pthread_mutex_lock(&names.lock);
    int n = names.asked;
    pthread_mutex_unlock(&names.lock);
    return n;
}

static void ask_for_a_name(int nth, void *tag)
{
    const struct request r = {
        .kind = REQUEST_HTTP, .method = "GET", .url = STR("http://hangs.test/")};
    http_start(http, &r, tag);
    while (names_asked() < nth)
        http_wait(http, NULL, 0, 10);
}

/* Its name server does not answer: the transfer ends in time, is cancelled or goes with all others,
 * and none of these waits for that answer. */
TEST_WITH(a_name_that_is_still_looked_up_holds_up_nobody, setup, teardown)
{
    struct err err;
    struct http_done late =
        ask_with((struct request){.url = STR("http://hangs.test/"), .timeout_ms = 50});
    assert_int_equal(late.reply.status, 0);
    assert_int_equal(ask("/10", (struct request){0}).reply.status, 200);
    ask_for_a_name(2, &late);
    http_cancel(http, &late);
    ask_for_a_name(3, &late);
    http_close(http);
    pthread_mutex_lock(&names.lock);
    assert_false(names.given_up);
    names.let_go = true;
    pthread_cond_broadcast(&names.change);
    while (names.hang > 0)
        pthread_cond_wait(&names.change, &names.lock);
    pthread_mutex_unlock(&names.lock);
    OK(http_open(&http, &err));
}

/* Each is written and read while something else is waited for, and is taken afterwards. */
TEST_WITH(transfers_go_on_meanwhile, setup, teardown)
{
    char url[64];
    struct http_done done = {0};
    heard = eventfd(0, EFD_CLOEXEC);
    snprintf(url, sizeof url, "http://127.0.0.1:%d/heard", serve_port(server));
    for (int i = 0; i < 3; i++) {
        eventfd_t seen;
        http_start(http,
                   &(struct request){.kind = REQUEST_HTTP, .method = "GET", .url = str_of(url)},
                   &done);
        struct pollfd fd = {.fd = heard, .events = POLLIN};
        http_meanwhile(http, &fd, 60000);
        assert_int_equal(fd.revents, POLLIN);
        assert_false(eventfd_read(heard, &seen));
        assert_int_equal(http_running(http), 1);
        while (!http_take(http, &done))
            http_wait(http, NULL, 0, 1000);
        assert_int_equal(done.reply.status, 200);
    }
    close(heard);
}

/* In whatever state they are: none is asked, or answered, that was taken back before. */
TEST_WITH(requests_are_taken_back, setup, teardown)
{
    enum { N = 60 };
    char url[64];
    struct http_done done;
    int tag[N + 1], taken = 0;
    n_answered = 0;
    snprintf(url, sizeof url, "http://127.0.0.1:%d/10", serve_port(server));
    const struct request r = {.kind = REQUEST_HTTP, .method = "GET", .url = str_of(url)};
    for (int i = 0; i < N; i++)
        http_start(http, &r, &tag[i]);
    for (int i = 0; i < N; i += 2)
        http_cancel(http, &tag[i]);
    assert_int_equal(http_running(http), N / 2);
    http_start_first(http, &r, &tag[N]);
    while (taken < N / 2 + 1) {
        http_wait(http, NULL, 0, 1000);
        for (; http_take(http, &done); taken++)
            assert_true(done.tag == &tag[N] || ((int *)done.tag - tag) % 2 == 1);
    }
    assert_int_equal(n_answered, N / 2 + 1);
    for (int i = 0; i < N; i++)
        http_start(http, &r, &tag[i]);
    http_wait(http, NULL, 0, 1000); /* some have been answered, the others have been sent */
    for (int i = 0; i < N; i++)
        http_cancel(http, &tag[i]);
    assert_int_equal(http_running(http), 0);
    assert_false(http_take(http, &done));
    assert_int_equal(ask("/10", (struct request){0}).reply.status, 200);
}
