/* See telegram_line.h. */
#include "adapters/telegram_line.h"

void line_set(struct line *l, const char *key, const char *value)
{
    for (const struct option *o = T->options; o->key; o++) {
        if (strcmp(o->key, key) != 0)
            continue;
        char *place = (char *)l->account + o->offset;
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

bool open_with_options(struct line *l, struct err *err, ...)
{
    uint32_t can = T->can;
    va_list pairs;
    l->a = arena_open(64 << 20);
    l->account = arena_alloc(l->a, T->account_size);
    l->limits = T->limits;
    line_set(l, "token", "123456:abc-DEF_7");
    line_set(l, "api_root", "http://127.0.0.1:9");
    line_set(l, "pace", "18");
    line_set(l, "poll_s", "50");
    va_start(pairs, err);
    for (const char *key; (key = va_arg(pairs, const char *));)
        line_set(l, key, va_arg(pairs, const char *));
    va_end(pairs);
    return T->open(l->account, l->a, &can, &l->limits, err);
}

bool open_with(struct line *l, const char *token, const char *root, const char *pace,
               struct err *err)
{
    return open_with_options(l, err, "token", token, "api_root", root, "pace", pace, NULL);
}

struct reply replied(int status, const char *body)
{
    return (struct reply){.status = status, .body = str_of(body), .retry_after_ms = -1, .now = NOW};
}

struct request asked(struct line *l, const char *cursor)
{
    struct request r = {0};
    T->poll(l->account, l->a, str_of(cursor), &r);
    assert_int_equal(r.kind, REQUEST_HTTP);
    return r;
}

struct batch heard(struct line *l, const char *body)
{
    struct reply reply = replied(200, body);
    struct batch b = {0};
    struct err err = {""};
    if (!T->read(l->account, l->a, &reply, &b, &err))
        fail_msg("%s", err.text);
    return b;
}

void is(struct str s, const char *expected)
{
    if (!str_is(s, str_of(expected)))
        fail_msg("\n  got      %.*s\n  expected %s", STR_ARG(s), expected);
}

void holds(struct str s, const char *part)
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

const char me[] =
    "{\"ok\":true,\"result\":{\"id\":123456,\"is_bot\":true,\"first_name\":\"Koi-Koi\","
    "\"username\":\"koikoi_bot\"}}";
const char nothing[] = "{\"ok\":true,\"result\":[]}";

int set_up(void **state)
{
    static struct line l;
    struct err err = {""};
    if (!open_with_options(&l, &err, NULL))
        fail_msg("%s", err.text);
    *state = &l;
    return 0;
}

/* As it is some time after the start: its name is known, it asks for news. */
int set_up_running(void **state)
{
    set_up(state);
    asked(*state, "7");
    heard(*state, me);
    return 0;
}

int tear_down(void **state)
{
    struct line *l = *state;
    T->close(l->account);
    arena_close(l->a);
    return 0;
}

static struct batch news(struct line *l, const char *update)
{
    asked(l, "7");
    return heard(l,
                 arena_print(l->a, "{\"ok\":true,\"result\":[{\"update_id\":900,%s}]}", update).p);
}

struct update one(struct line *l, const char *update)
{
    struct batch b = news(l, update);
    assert_int_equal(b.n, 1);
    is(b.cursor, "901");
    is(b.at[0].id, "900");
    return b.at[0];
}

void none(struct line *l, const char *update)
{
    assert_int_equal(news(l, update).n, 0);
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

struct request said(struct line *l, const struct outgoing *out)
{
    struct request r = {0};
    T->send(l->account, l->a, out, &r);
    return r;
}

struct receipt became(struct line *l, const struct outgoing *out, int status, const char *body)
{
    struct reply reply = replied(status, body);
    struct receipt ret;
    T->receipt(l->account, l->a, out, &reply, &ret);
    return ret;
}

void says(struct line *l, struct outgoing out, const char *method, const char *body)
{
    struct request r = said(l, &out);
    assert_int_equal(r.kind, REQUEST_HTTP);
    is(r.what, method);
    is(r.url, arena_print(l->a, "http://127.0.0.1:9/bot123456:abc-DEF_7/%s", method).p);
    is(r.body, body);
}

struct outgoing whisper(const char *text)
{
    struct outgoing out = post(text);
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.press = STR("q9");
    return out;
}

void proves_to_hide(struct line *l)
{
    struct outgoing out = whisper("before");
    said(l, &out);
    assert_int_equal(became(l, &out, 200, HIDDEN_29).kind, MORE);
}

void part_is(struct part p, const char *name, const char *value)
{
    is(p.name, name);
    is(p.bytes, value);
}
