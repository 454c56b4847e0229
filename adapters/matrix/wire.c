/* See wire.h. This file percent-encodes every path element, puts tokens into the Authorization
 * header only, and cleans each string it copies. */
#include "wire.h"

#include "alloc.h"
#include "utf8.h"

#include <stdlib.h>

enum { WAIT_MOST_MS = 24 * 3600 * 1000 }; /* a longer wait that a server asks for counts as this */

const cJSON *wire_at(const cJSON *o, const char *key)
{
    return cJSON_IsObject(o) ? cJSON_GetObjectItemCaseSensitive(o, key) : NULL;
}

const cJSON *wire_in(const cJSON *o, ...)
{
    va_list keys;
    va_start(keys, o);
    for (const char *key; o && (key = va_arg(keys, const char *));)
        o = wire_at(o, key);
    va_end(keys);
    return o;
}

struct str wire_text(struct arena *a, const cJSON *string)
{
    struct str s = cJSON_IsString(string) ? str_of(string->valuestring) : STR("");
    return s.n > 0 && s.n <= MAX_STRING ? utf8_clean(a, s) : STR("");
}

struct str wire_str(struct arena *a, const cJSON *o, const char *key)
{
    return wire_text(a, wire_at(o, key));
}

struct str wire_id(struct arena *a, const cJSON *o, const char *key)
{
    struct str s = str_of(cJSON_GetStringValue(wire_at(o, key)));
    return s.n <= ID_BYTES ? utf8_clean(a, s) : STR("");
}

struct str wire_name(struct arena *a, const cJSON *o, const char *key)
{
    struct str s = str_of(cJSON_GetStringValue(wire_at(o, key)));
    return utf8_clean(a, utf8_cut(s, NAME_CHARS, false));
}

int64_t wire_int(const cJSON *o, const char *key)
{
    const cJSON *n = wire_at(o, key);
    if (!cJSON_IsNumber(n) || !(n->valuedouble > -9e15 && n->valuedouble < 9e15))
        return 0;
    return (int64_t)n->valuedouble;
}

bool wire_is(const cJSON *o, const char *key, const char *value)
{
    const cJSON *s = wire_at(o, key);
    return cJSON_IsString(s) && strcmp(s->valuestring, value) == 0;
}

bool wire_is_str(const cJSON *o, const char *key, struct str value)
{
    const cJSON *s = wire_at(o, key);
    return cJSON_IsString(s) && str_is(str_of(s->valuestring), value);
}

bool wire_true(const cJSON *o, const char *key)
{
    return cJSON_IsTrue(wire_at(o, key));
}

/* Counts the commas and brackets outside of strings. */
static bool has_too_many_values(struct str s)
{
    size_t n = 0;
    bool quoted = false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '"')
            quoted = !quoted;
        else if (quoted)
            i += c == '\\';
        else
            n += c == ',' || c == '[' || c == '{';
    }
    return n > MAX_VALUES;
}

cJSON *wire_parse(struct str bytes)
{
    if (bytes.n > MAX_VALUES && has_too_many_values(bytes))
        return NULL;
    cJSON *tree = bytes.n > 0 ? cJSON_ParseWithLength(bytes.p, bytes.n) : NULL;
    if (tree && !cJSON_IsObject(tree)) {
        cJSON_Delete(tree);
        tree = NULL;
    }
    return tree;
}

struct str wire_print(struct arena *a, cJSON *tree)
{
    char *text = cJSON_PrintUnformatted(tree);
    cJSON_Delete(tree);
    struct str s = arena_str(a, str_of(text));
    cJSON_free(text);
    return s;
}

void wire_put(cJSON *o, const char *key, struct str value)
{
    /* cJSON wants a NUL behind the value */
    char small[512], *big = value.n < sizeof small ? NULL : alloc_room(value.n + 1);
    char *z = big ? big : small;
    if (value.n > 0)
        memcpy(z, value.p, value.n);
    z[value.n] = '\0';
    cJSON_AddStringToObject(o, key, z);
    free(big);
}

bool wire_is_user_id(struct str s)
{
    return s.n >= 3 && s.n <= ID_BYTES && s.p[0] == '@' && memchr(s.p, ':', s.n) &&
           !memchr(s.p, ' ', s.n) && !memchr(s.p, '\n', s.n);
}

static bool is_id(struct str s, char sigil)
{
    return s.n >= 2 && s.n <= ID_BYTES && s.p[0] == sigil && !memchr(s.p, ' ', s.n) &&
           !memchr(s.p, '\n', s.n);
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

void wire_request(const struct matrix *m, struct arena *a, const char *method, struct str path,
                  const char *what, struct request *ret)
{
    *ret = (struct request){.kind = REQUEST_HTTP, .method = method, .what = str_of(what)};
    ret->url = arena_print(a, "%.*s%.*s", STR_ARG(m->session.base), STR_ARG(path));
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

void wire_request_json(struct arena *a, struct request *r, cJSON *body)
{
    wire_request_header(r, STR("Content-Type"), STR("application/json"));
    r->body = wire_print(a, body);
}

bool wire_is_good(const struct reply *reply)
{
    return reply->status >= 200 && reply->status < 300;
}

struct wire_error wire_error_of(struct arena *a, const struct reply *reply)
{
    struct wire_error t = {.wait_ms = reply->retry_after_ms};
    cJSON *o = wire_parse(reply->body);
    t.code = wire_str(a, o, "errcode");
    t.text = wire_str(a, o, "error");
    t.soft = wire_true(o, "soft_logout");
    if (wire_int(o, "retry_after_ms") > t.wait_ms)
        t.wait_ms = wire_int(o, "retry_after_ms");
    if (t.wait_ms > WAIT_MOST_MS)
        t.wait_ms = WAIT_MOST_MS;
    cJSON_Delete(o);
    t.limit = reply->status == 429 || str_is(t.code, STR("M_LIMIT_EXCEEDED"));
    t.token = str_is(t.code, STR("M_UNKNOWN_TOKEN")) || str_is(t.code, STR("M_MISSING_TOKEN"));
    /* A homeserver's refusal has a code; a gate in between (a proxy, a page to log in) has none. */
    bool gate = reply->status / 100 == 3 || reply->status == 401 || reply->status == 403 ||
                reply->status == 407;
    t.transient = reply->status <= 0 || reply->status >= 500 || reply->status == 408 ||
                  (gate && t.code.n == 0);
    return t;
}
