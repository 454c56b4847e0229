/* See matrix_exchange.h. */
#include "adapters/matrix/matrix_exchange.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>

extern const struct adapter matrix_adapter;

static const int64_t NOON = INT64_C(1790856000000);

static void set_option(void *account, const struct option *o, struct str value)
{
    char *place = (char *)account + o->offset;
    int64_t n = 0;
    bool yes = str_is(value, STR("yes"));
    if (o->kind == OPTION_INT && str_int(value, &n))
        memcpy(place, &n, sizeof n);
    else if (o->kind == OPTION_BOOL)
        memcpy(place, &yes, sizeof yes);
    else
        memcpy(place, &value, sizeof value);
}

void *exchange_account(struct arena *a, const char *const *options)
{
    void *account = arena_alloc(a, matrix_adapter.account_size);
    for (const struct option *o = matrix_adapter.options; o->key; o++) {
        struct str value = str_of(o->fallback);
        for (const char *const *given = options; *given; given++) {
            struct str rest, key = str_cut(str_of(*given), '=', &rest);
            if (str_is(key, str_of(o->key)))
                value = rest;
        }
        set_option(account, o, value);
    }
    return account;
}

static void start(struct matrix_exchange *p, const char *const *options)
{
    uint32_t can = matrix_adapter.can;
    struct limits limits = matrix_adapter.limits;
    p->account = exchange_account(p->process, options);
    if (!matrix_adapter.open(p->account, p->process, &can, &limits, &p->err))
        fail_msg("does not open: %s", p->err.text);
}

struct matrix_exchange *exchange_open(const char *const *options)
{
    struct matrix_exchange *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->process = arena_open(64 << 20);
    p->turn = arena_open(256 << 20);
    p->now = NOON;
    start(p, options);
    return p;
}

void exchange_close(struct matrix_exchange *p)
{
    matrix_adapter.close(p->account);
    arena_close(p->process);
    arena_close(p->turn);
    free(p);
}

void exchange_restart(struct matrix_exchange *p, const char *const *options)
{
    matrix_adapter.close(p->account);
    start(p, options);
}

static void assert_request(const struct request *r, const char *method, const char *part)
{
    char url[8192];
    assert_int_equal(r->kind, REQUEST_HTTP);
    assert_true(r->url.n < sizeof url); /* the most that a request may have */
    snprintf(url, sizeof url, "%.*s", STR_ARG(r->url));
    if (strcmp(r->method, method) != 0 || !strstr(url, part))
        fail_msg("asked %s %s, expected %s ...%s", r->method, url, method, part);
}

void exchange_poll(struct matrix_exchange *p, const char *method, const char *part, int status,
                   const char *answer)
{
    p->batch = (struct batch){0};
    p->err.text[0] = '\0';
    matrix_adapter.poll(p->account, p->turn, p->cursor, &p->request);
    assert_request(&p->request, method, part);
    struct reply reply = {
        .status = status, .body = str_of(answer), .retry_after_ms = -1, .now = p->now};
    p->good = matrix_adapter.read(p->account, p->turn, &reply, &p->batch, &p->err);
    if (p->good && p->batch.cursor.n > 0)
        p->cursor = arena_str(p->process, p->batch.cursor);
}

void exchange_answer(struct matrix_exchange *p, const char *answer)
{
    struct str before = p->cursor;
    exchange_poll(p, "GET", "/v3/sync?", 200, answer);
    bool held = p->good && str_is(p->cursor, before);
    if (held)
        matrix_adapter.poll(p->account, p->turn, p->cursor, &p->request);
    if (held && strstr(arena_str(p->turn, p->request.url).p, "redundant_members%22%3Atrue"))
        exchange_poll(p, "GET", "/v3/sync?", 200, answer);
    assert_true(p->good);
}

void exchange_sync(struct matrix_exchange *p, const char *next, const char *rooms)
{
    exchange_answer(p, arena_print(p->turn, "{\"next_batch\":\"%s\",\"rooms\":%s}", next, rooms).p);
}

void exchange_events(struct matrix_exchange *p, const char *next, const char *room,
                     const char *events)
{
    exchange_sync(
        p, next,
        arena_print(p->turn, "{\"join\":{\"%s\":{\"timeline\":{\"events\":[%s]}}}}", room, events)
            .p);
}

struct matrix_exchange *exchange_ready(void)
{
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=tok", NULL};
    struct matrix_exchange *p = exchange_open(options);
    exchange_poll(p, "GET", "/v3/account/whoami", 200,
                  "{\"user_id\":\"@koi:example.org\",\"device_id\":\"D\"}");
    exchange_poll(p, "GET", "/account_data/m.direct", 200, "{\"@ann:example.org\":[\"!dm\"]}");
    exchange_sync(
        p, "s1",
        "{\"join\":{\"!tea\":{\"state\":{\"events\":["
        "{\"type\":\"m.room.name\",\"state_key\":\"\",\"sender\":\"@ann:example.org\","
        "\"content\":{\"name\":\"Tea room\"}},"
        "{\"type\":\"m.room.power_levels\",\"state_key\":\"\",\"sender\":\"@ann:example.org\","
        "\"content\":{\"users\":{\"@ann:example.org\":100}}}]}},\"!dm\":{\"state\":{\"events\":["
        "{\"type\":\"m.room.member\",\"state_key\":\"@ann:example.org\","
        "\"sender\":\"@ann:example.org\",\"content\":{\"membership\":\"join\"}}]}}}}");
    return p;
}

int exchange_setup(void **state)
{
    *state = exchange_ready();
    return 0;
}

int exchange_teardown(void **state)
{
    exchange_close(*state);
    return 0;
}

struct receipt exchange_send(struct matrix_exchange *p, const struct outgoing *out,
                             const char *method, const char *part, int status, const char *answer)
{
    struct receipt receipt = {0};
    matrix_adapter.send(p->account, p->turn, out, &p->request);
    assert_request(&p->request, method, part);
    struct reply reply = {
        .status = status, .body = str_of(answer), .retry_after_ms = -1, .now = p->now};
    matrix_adapter.receipt(p->account, p->turn, out, &reply, &receipt);
    return receipt;
}

bool exchange_header(const struct request *r, const char *name, const char *value)
{
    for (int i = 0; i < r->n_headers; i++)
        if (str_is(r->headers[i].name, str_of(name)) && str_is(r->headers[i].value, str_of(value)))
            return true;
    return false;
}

void exchange_body(const struct matrix_exchange *p, const char *json)
{
    cJSON *is = cJSON_ParseWithLength(p->request.body.p, p->request.body.n);
    cJSON *expected = cJSON_Parse(json);
    assert_non_null(expected);
    bool same = cJSON_Compare(is, expected, true);
    cJSON_Delete(is);
    cJSON_Delete(expected);
    if (!same)
        fail_msg("sent %.*s\nexpected %s", STR_ARG(p->request.body), json);
}
