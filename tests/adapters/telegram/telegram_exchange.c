/* See telegram_exchange.h. */
#include "adapters/telegram/telegram_exchange.h"

void tg_exchange_set(struct tg_exchange *tg, const char *key, const char *value)
{
    for (const struct option *o = T->options; o->key; o++) {
        if (strcmp(o->key, key) != 0)
            continue;
        char *place = (char *)tg->account + o->offset;
        struct str s = str_of(value);
        int64_t n = 0;
        if (o->kind == OPTION_INT && str_int(s, &n))
            memcpy(place, &n, sizeof n);
        else if (o->kind == OPTION_BOOL)
            *(bool *)place = str_is(s, STR("yes"));
        else
            memcpy(place, &s, sizeof s);
        return;
    }
    fail_msg("no option %s", key);
}

bool tg_exchange_open_with(struct tg_exchange *tg, struct err *err, ...)
{
    uint32_t can = T->can;
    va_list pairs;
    tg->a = arena_open(256 << 20);
    tg->account = arena_alloc(tg->a, T->account_size);
    tg->limits = T->limits;
    tg_exchange_set(tg, "token", "123456:abc-DEF_7");
    tg_exchange_set(tg, "api_root", "http://127.0.0.1:9");
    tg_exchange_set(tg, "pace", "18");
    tg_exchange_set(tg, "poll_s", "50");
    va_start(pairs, err);
    for (const char *key; (key = va_arg(pairs, const char *));)
        tg_exchange_set(tg, key, va_arg(pairs, const char *));
    va_end(pairs);
    return T->open(tg->account, tg->a, &can, &tg->limits, err);
}

bool tg_exchange_open(struct tg_exchange *tg, const char *token, const char *root, const char *pace,
                      struct err *err)
{
    return tg_exchange_open_with(tg, err, "token", token, "api_root", root, "pace", pace, NULL);
}

struct reply reply_of(int status, const char *body)
{
    return (struct reply){.status = status, .body = str_of(body), .retry_after_ms = -1, .now = NOW};
}

struct request poll_request(struct tg_exchange *tg, const char *cursor)
{
    struct request r = {0};
    T->poll(tg->account, tg->a, str_of(cursor), &r);
    assert_int_equal(r.kind, REQUEST_HTTP);
    return r;
}

struct batch read_batch(struct tg_exchange *tg, const char *body)
{
    struct reply reply = reply_of(200, body);
    struct batch b = {0};
    struct err err = {""};
    if (!T->read(tg->account, tg->a, &reply, &b, &err))
        fail_msg("%s", err.text);
    return b;
}

void assert_is(struct str s, const char *expected)
{
    if (!str_is(s, str_of(expected)))
        fail_msg("\n  got      %.*s\n  expected %s", STR_ARG(s), expected);
}

void assert_holds(struct str s, const char *part)
{
    if (s.n == 0 || !memmem(s.p, s.n, part, strlen(part)))
        fail_msg("\n  in   %.*s\n  not  %s", STR_ARG(s), part);
}

size_t count(struct str s, const char *part)
{
    size_t n = 0;
    for (size_t i = 0; i + strlen(part) <= s.n; i++)
        n += memcmp(s.p + i, part, strlen(part)) == 0;
    return n;
}

const char get_me[] =
    "{\"ok\":true,\"result\":{\"id\":123456,\"is_bot\":true,\"first_name\":\"Koi-Koi\","
    "\"username\":\"koikoi_bot\"}}";
const char no_updates[] = "{\"ok\":true,\"result\":[]}";

int setup(void **state)
{
    static struct tg_exchange tg;
    struct err err = {""};
    if (!tg_exchange_open_with(&tg, &err, NULL))
        fail_msg("%s", err.text);
    *state = &tg;
    return 0;
}

/* Some time after the start: the name is known, the next poll is getUpdates. */
int setup_running(void **state)
{
    setup(state);
    poll_request(*state, "7");
    read_batch(*state, get_me);
    return 0;
}

int teardown(void **state)
{
    struct tg_exchange *tg = *state;
    T->close(tg->account);
    arena_close(tg->a);
    return 0;
}

static struct batch read_update(struct tg_exchange *tg, const char *update)
{
    poll_request(tg, "7");
    return read_batch(
        tg, arena_print(tg->a, "{\"ok\":true,\"result\":[{\"update_id\":900,%s}]}", update).p);
}

struct update read_one(struct tg_exchange *tg, const char *update)
{
    struct batch b = read_update(tg, update);
    assert_int_equal(b.n, 1);
    assert_is(b.cursor, "901");
    assert_is(b.at[0].id, "900");
    return b.at[0];
}

void read_none(struct tg_exchange *tg, const char *update)
{
    assert_int_equal(read_update(tg, update).n, 0);
}

struct outgoing post(const char *text)
{
    return (struct outgoing){.kind = OUT_POST,
                             .where = TO_CHAT,
                             .chat = STR("-1001234567890"),
                             .text = str_of(text),
                             .notify = true,
                             .row = 1};
}

struct request send_request(struct tg_exchange *tg, const struct outgoing *out)
{
    struct request r = {0};
    T->send(tg->account, tg->a, out, &r);
    return r;
}

struct receipt receipt_of(struct tg_exchange *tg, const struct outgoing *out, int status,
                          const char *body)
{
    struct reply reply = reply_of(status, body);
    struct receipt ret;
    T->receipt(tg->account, tg->a, out, &reply, &ret);
    return ret;
}

void assert_sends(struct tg_exchange *tg, struct outgoing out, const char *method, const char *body)
{
    struct request r = send_request(tg, &out);
    assert_int_equal(r.kind, REQUEST_HTTP);
    assert_is(r.what, method);
    assert_is(r.url, arena_print(tg->a, "http://127.0.0.1:9/bot123456:abc-DEF_7/%s", method).p);
    assert_is(r.body, body);
}

struct outgoing whisper(const char *text)
{
    struct outgoing out = post(text);
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.press = STR("q9");
    return out;
}

void confirm_ephemeral(struct tg_exchange *tg)
{
    struct outgoing out = whisper("before");
    send_request(tg, &out);
    assert_int_equal(receipt_of(tg, &out, 200, HIDDEN_29).kind, MORE);
}

void assert_part(struct part p, const char *name, const char *value)
{
    assert_is(p.name, name);
    assert_is(p.bytes, value);
}
