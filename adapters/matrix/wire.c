/* See wire.h. Every path element is percent-encoded here, tokens travel in the Authorization header
 * alone, and what the server says is cleaned when it is copied. */
#include "wire.h"

#include "utf8.h"

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
    if (!cJSON_IsString(string) || !string->valuestring[0])
        return STR("");
    return utf8_clean(a, str_of(string->valuestring));
}

struct str wire_str(struct arena *a, const cJSON *o, const char *key)
{
    return wire_text(a, wire_at(o, key));
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

bool wire_true(const cJSON *o, const char *key)
{
    return cJSON_IsTrue(wire_at(o, key));
}

cJSON *wire_parse(struct str bytes)
{
    cJSON *tree = bytes.n > 0 ? cJSON_ParseWithLength(bytes.p, bytes.n) : NULL;
    if (tree && !cJSON_IsObject(tree)) {
        cJSON_Delete(tree);
        tree = NULL;
    }
    return tree;
}

struct str wire_take(struct arena *a, cJSON *tree)
{
    char *text = cJSON_PrintUnformatted(tree);
    cJSON_Delete(tree);
    struct str s = arena_str(a, str_of(text));
    cJSON_free(text);
    return s;
}

void wire_put(cJSON *o, const char *key, struct str value)
{
    /* cJSON wants a NUL; values are short or in arenas without one. */
    char small[512], *big = value.n < sizeof small ? NULL : cJSON_malloc(value.n + 1);
    char *z = big ? big : small;
    if (value.n > 0)
        memcpy(z, value.p, value.n);
    z[value.n] = '\0';
    cJSON_AddStringToObject(o, key, z);
    cJSON_free(big);
}

bool is_user_id(struct str s)
{
    return s.n >= 3 && s.n <= ID_BYTES && s.p[0] == '@' && memchr(s.p, ':', s.n) &&
           !memchr(s.p, ' ', s.n) && !memchr(s.p, '\n', s.n);
}

static bool is_id(struct str s, char sigil)
{
    return s.n >= 2 && s.n <= ID_BYTES && s.p[0] == sigil && !memchr(s.p, ' ', s.n) &&
           !memchr(s.p, '\n', s.n);
}

bool is_room_id(struct str s)
{
    return is_id(s, '!');
}

bool is_event_id(struct str s)
{
    return is_id(s, '$');
}

bool is_plain(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] <= ' ' || s.p[i] >= 0x7f)
            return false;
    return s.n > 0 && s.n <= LONGEST;
}

bool is_url(struct str s)
{
    return is_plain(s) && s.n < 1024 &&
           (str_starts(s, STR("https://")) || str_starts(s, STR("http://")));
}

struct str server_of(struct str user_id)
{
    struct str server;
    str_cut(user_id, ':', &server);
    return server;
}

struct str url_escape(struct arena *a, struct str s)
{
    struct buf b = {arena_alloc(a, 3 * s.n + 1), 0, 3 * s.n, false};
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
            (c != '\0' && strchr("-._~", c))) {
            buf_char(&b, c);
        } else {
            buf_char(&b, '%');
            buf_char(&b, "0123456789ABCDEF"[(unsigned char)c >> 4]);
            buf_char(&b, "0123456789ABCDEF"[(unsigned char)c & 15]);
        }
    }
    return buf_str(&b);
}

void request_header(struct request *r, struct str name, struct str value)
{
    r->headers[r->n_headers++] = (struct header){name, value};
}

void request_to(const struct matrix *m, struct arena *a, const char *method, struct str path,
                const char *what, struct request *ret)
{
    *ret = (struct request){.kind = REQUEST_HTTP, .method = method, .what = str_of(what)};
    ret->url = arena_print(a, "%.*s%.*s", STR_ARG(m->session.base), STR_ARG(path));
    if (m->session.access.n > 0)
        request_header(ret, STR("Authorization"),
                       arena_print(a, "Bearer %.*s", STR_ARG(m->session.access)));
}

void request_json(struct arena *a, struct request *r, cJSON *body)
{
    request_header(r, STR("Content-Type"), STR("application/json"));
    r->body = wire_take(a, body);
}

bool is_good(const struct reply *reply)
{
    return reply->status >= 200 && reply->status < 300;
}

struct trouble trouble_of(struct arena *a, const struct reply *reply)
{
    struct trouble t = {.wait_ms = reply->retry_after_ms};
    cJSON *o = wire_parse(reply->body);
    t.code = wire_str(a, o, "errcode");
    t.text = wire_str(a, o, "error");
    t.soft = wire_true(o, "soft_logout");
    if (wire_int(o, "retry_after_ms") > t.wait_ms)
        t.wait_ms = wire_int(o, "retry_after_ms");
    cJSON_Delete(o);
    t.limit = reply->status == 429 || str_is(t.code, STR("M_LIMIT_EXCEEDED"));
    t.token = str_is(t.code, STR("M_UNKNOWN_TOKEN")) || str_is(t.code, STR("M_MISSING_TOKEN"));
    /* A homeserver's refusal has a code; a gate in between (a proxy, a page to log in) has none. */
    bool gate = reply->status / 100 == 3 || reply->status == 401 || reply->status == 403 ||
                reply->status == 407;
    t.weather = reply->status <= 0 || reply->status >= 500 || reply->status == 408 ||
                (gate && t.code.n == 0);
    return t;
}
