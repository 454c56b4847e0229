/* See wire.h. This file percent-encodes every path element, puts tokens into the Authorization
 * header only, and cleans each string it copies. */
#include "wire.h"

#include "utf8.h"

enum { WAIT_MOST_MS = 24 * 3600 * 1000 }; /* a longer wait that a server asks for counts as this */

bool wire_is_good(const struct reply *reply)
{
    return reply->status >= 200 && reply->status < 300;
}

struct json wire_answer(const struct reply *reply)
{
    return json_open(wire_is_good(reply) ? reply->body : STR(""), JSON_LOOSE);
}

struct str wire_str(struct arena *a, struct json v, const char *key)
{
    return json_clean(a, v, key, MAX_STRING);
}

struct str wire_id(struct arena *a, struct json v, const char *key)
{
    return json_clean(a, v, key, ID_BYTES);
}

struct str wire_name(struct arena *a, struct json v, const char *key)
{
    return utf8_clean(a, utf8_cut(json_str(v, key), NAME_CHARS, false));
}

bool wire_is_member(struct json event)
{
    return json_is(event, "type", "m.room.member") &&
           json_kind(json_at(event, "state_key")) == JSON_STRING;
}

bool wire_is_vote(struct json event)
{
    return json_is(event, "type", "org.matrix.msc3381.poll.response") ||
           json_is(event, "type", "m.poll.response");
}

bool wire_is_in(struct json event)
{
    struct json content = json_at(event, "content");
    return json_is(content, "membership", "join") || json_is(content, "membership", "invite");
}

bool wire_is_out(struct json event)
{
    struct json content = json_at(event, "content");
    return json_is(content, "membership", "leave") || json_is(content, "membership", "ban");
}

struct str wire_member_name(struct arena *a, struct json event)
{
    struct json content = wire_is_out(event) ? json_in(event, "unsigned", "prev_content", NULL)
                                             : json_at(event, "content");
    return wire_name(a, content, "displayname");
}

/* Rooms and people are named by keys of objects too, which nothing has cleaned. */
static bool is_id(struct str s, char sigil)
{
    if (s.n < 2 || s.n > ID_BYTES || s.p[0] != sigil)
        return false;
    while (s.n > 0) {
        uint32_t point = utf8_next(&s);
        if (point <= ' ' || utf8_is_control(point))
            return false;
    }
    return true;
}

bool wire_is_user_id(struct str s)
{
    return is_id(s, '@') && s.n >= 3 && memchr(s.p, ':', s.n);
}

bool wire_is_room_id(struct str s)
{
    return is_id(s, '!');
}

bool wire_is_event_id(struct str s)
{
    return is_id(s, '$');
}

bool wire_is_plain(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] <= ' ' || s.p[i] >= 0x7f)
            return false;
    return s.n > 0 && s.n <= MAX_PLAIN;
}

/* True for a byte that a URL holds as it is. */
static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("-._~", c));
}

bool wire_is_token(struct str s)
{
    size_t escaped = 0;
    if (!wire_is_plain(s))
        return false;
    for (size_t i = 0; i < s.n; i++)
        escaped += is_unreserved(s.p[i]) ? 1 : 3;
    return escaped <= MAX_TOKEN;
}

bool wire_is_url(struct str s)
{
    return wire_is_plain(s) && s.n < 1024 &&
           (str_starts(s, STR("https://")) || str_starts(s, STR("http://")));
}

struct str wire_server_of(struct str user_id)
{
    struct str server;
    str_cut(user_id, ':', &server);
    return server;
}

struct str wire_server(const struct matrix *m)
{
    return m->homeserver.n > 0 ? m->homeserver : wire_server_of(m->user);
}

struct str wire_without_slash(struct str url)
{
    while (url.n > 0 && url.p[url.n - 1] == '/')
        url.n--;
    return url;
}

struct str wire_escape(struct arena *a, struct str s)
{
    struct buf b = {arena_alloc(a, 3 * s.n + 1), 0, 3 * s.n, false};
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (is_unreserved(c)) {
            buf_char(&b, c);
        } else {
            buf_char(&b, '%');
            buf_char(&b, "0123456789ABCDEF"[(unsigned char)c >> 4]);
            buf_char(&b, "0123456789ABCDEF"[(unsigned char)c & 15]);
        }
    }
    return buf_str(&b);
}

void wire_request_header(struct request *r, struct str name, struct str value)
{
    r->headers[r->n_headers++] = (struct header){name, value};
}

void wire_request_open(struct arena *a, const char *method, struct str url, const char *what,
                       struct request *ret)
{
    *ret = (struct request){
        .kind = REQUEST_HTTP, .method = method, .url = arena_str(a, url), .what = str_of(what)};
}

void wire_request_find(const struct matrix *m, struct arena *a, struct request *ret)
{
    wire_request_open(
        a, "GET", arena_print(a, "https://%.*s/.well-known/matrix/client", STR_ARG(wire_server(m))),
        "well-known", ret);
    ret->follow = true;
}

void wire_request(const struct matrix *m, struct arena *a, const char *method, struct str path,
                  const char *what, struct request *ret)
{
    wire_request_open(
        a, method, arena_print(a, "%.*s%.*s", STR_ARG(m->session.base), STR_ARG(path)), what, ret);
    if (m->session.access.n > 0)
        wire_request_header(ret, STR("Authorization"),
                            arena_print(a, "Bearer %.*s", STR_ARG(m->session.access)));
}

void wire_request_in_room(const struct matrix *m, struct arena *a, const char *method,
                          struct str room, struct str below, const char *what, struct request *ret)
{
    struct str path = arena_print(a, "/_matrix/client/v3/rooms/%.*s/%.*s",
                                  STR_ARG(wire_escape(a, room)), STR_ARG(below));
    wire_request(m, a, method, path, what, ret);
}

struct str wire_account_data(const struct matrix *m, struct arena *a, struct str type)
{
    return arena_print(a, "/_matrix/client/v3/user/%.*s/account_data/%.*s",
                       STR_ARG(wire_escape(a, m->session.user)), STR_ARG(wire_escape(a, type)));
}

void wire_request_direct(const struct matrix *m, struct arena *a, const char *method,
                         struct request *ret)
{
    wire_request(m, a, method, wire_account_data(m, a, STR("m.direct")), "m.direct", ret);
}

struct buf wire_object(struct arena *a, size_t texts)
{
    size_t cap = 2048 + 6 * texts;
    struct buf b = {arena_room(a, cap), 0, cap, false};
    buf_char(&b, '{');
    return b;
}

void wire_request_json(struct request *r, struct buf *object)
{
    buf_char(object, '}');
    wire_request_header(r, STR("Content-Type"), STR("application/json"));
    r->body = buf_str(object);
}

void wire_request_empty(struct arena *a, struct request *r)
{
    struct buf b = wire_object(a, 0);
    wire_request_json(r, &b);
}

struct wire_error wire_error_of(struct arena *a, const struct reply *reply)
{
    struct wire_error t = {.wait_ms = reply->retry_after_ms};
    if (wire_is_good(reply))
        return t;
    struct json o = json_open(reply->body, JSON_LOOSE);
    t.code = wire_str(a, o, "errcode");
    t.text = wire_str(a, o, "error");
    if (json_number(o, "retry_after_ms") > t.wait_ms)
        t.wait_ms = json_number(o, "retry_after_ms");
    if (t.wait_ms > WAIT_MOST_MS)
        t.wait_ms = WAIT_MOST_MS;
    json_free(o);
    t.limit = reply->status == 429 || str_is(t.code, STR("M_LIMIT_EXCEEDED"));
    t.token = str_is(t.code, STR("M_UNKNOWN_TOKEN")) || str_is(t.code, STR("M_MISSING_TOKEN"));
    /* A homeserver's refusal has a code; a gate in between (a proxy, a page to log in) has none. */
    bool gate = reply->status / 100 == 3 || reply->status == 401 || reply->status == 403 ||
                reply->status == 407;
    t.transient = reply->status <= 0 || reply->status >= 500 || reply->status == 408 ||
                  (gate && t.code.n == 0);
    return t;
}

bool wire_says_none(const struct reply *reply, const struct wire_error *error)
{
    return reply->status == 404 && str_is(error->code, STR("M_NOT_FOUND"));
}

bool wire_refuses(const struct reply *reply, const struct wire_error *error)
{
    return reply->status / 100 == 4 && error->code.n > 0 && !error->limit && !error->token &&
           !error->transient;
}
