/* See wire.h. Every path element is percent-encoded here, tokens travel in the Authorization header
 * alone, and what the server says is cleaned when it is copied. */
#include "wire.h"

const cJSON *json_at(const cJSON *o, const char *key)
{
    return cJSON_IsObject(o) ? cJSON_GetObjectItemCaseSensitive(o, key) : NULL;
}

const cJSON *json_in(const cJSON *o, ...)
{
    va_list keys;
    va_start(keys, o);
    for (const char *key; o && (key = va_arg(keys, const char *));)
        o = json_at(o, key);
    va_end(keys);
    return o;
}

/* Bytes of the UTF-8 character at s, 0 if it is none. */
static size_t utf8_length(struct str s)
{
    const unsigned char *p = (const unsigned char *)s.p;
    size_t n = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
             : p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : 0;
    if (n == 0 || n > s.n)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool bad = n > 2 && ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
                         (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f));
    return bad ? 0 : n;
}

struct str json_text(struct arena *a, const cJSON *string)
{
    if (!cJSON_IsString(string) || !string->valuestring[0])
        return STR("");
    struct str s = str_of(string->valuestring);
    struct buf b = {arena_alloc(a, s.n + 1), 0, s.n, false};
    while (s.n > 0) {
        size_t n = utf8_length(s);
        unsigned char c = (unsigned char)s.p[0];
        if (n == 0)
            buf_char(&b, '?');
        else if (c >= 0x20 ? c != 0x7f : c == '\n' || c == '\t')
            buf_put(&b, (struct str){s.p, n});
        s = str_skip(s, n > 0 ? n : 1);
    }
    return buf_str(&b);
}

struct str json_str(struct arena *a, const cJSON *o, const char *key)
{
    return json_text(a, json_at(o, key));
}

int64_t json_int(const cJSON *o, const char *key)
{
    const cJSON *n = json_at(o, key);
    if (!cJSON_IsNumber(n) || !(n->valuedouble > -9e15 && n->valuedouble < 9e15))
        return 0;
    return (int64_t)n->valuedouble;
}

bool json_is(const cJSON *o, const char *key, const char *value)
{
    const cJSON *s = json_at(o, key);
    return cJSON_IsString(s) && strcmp(s->valuestring, value) == 0;
}

bool json_true(const cJSON *o, const char *key)
{
    return cJSON_IsTrue(json_at(o, key));
}

cJSON *json_parse(struct str bytes)
{
    cJSON *tree = bytes.n > 0 ? cJSON_ParseWithLength(bytes.p, bytes.n) : NULL;
    if (tree && !cJSON_IsObject(tree)) {
        cJSON_Delete(tree);
        tree = NULL;
    }
    return tree;
}

struct str json_take(struct arena *a, cJSON *tree)
{
    char *text = cJSON_PrintUnformatted(tree);
    cJSON_Delete(tree);
    struct str s = arena_str(a, str_of(text));
    cJSON_free(text);
    return s;
}

void json_put(cJSON *o, const char *key, struct str value)
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
    r->body = json_take(a, body);
}

bool is_good(const struct reply *reply)
{
    return reply->status >= 200 && reply->status < 300;
}

struct trouble trouble_of(struct arena *a, const struct reply *reply)
{
    struct trouble t = {.wait_ms = reply->retry_after_ms};
    cJSON *o = json_parse(reply->body);
    t.code = json_str(a, o, "errcode");
    t.text = json_str(a, o, "error");
    t.soft = json_true(o, "soft_logout");
    if (json_int(o, "retry_after_ms") > t.wait_ms)
        t.wait_ms = json_int(o, "retry_after_ms");
    cJSON_Delete(o);
    t.limit = reply->status == 429 || str_is(t.code, STR("M_LIMIT_EXCEEDED"));
    t.token = str_is(t.code, STR("M_UNKNOWN_TOKEN")) || str_is(t.code, STR("M_MISSING_TOKEN"));
    t.weather = reply->status == 0 || reply->status >= 500 || reply->status == 408;
    return t;
}
