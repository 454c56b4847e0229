/* See wire.h. */
#include "telegram.h"

/* ---- ids ---- */

enum { AS_A_CHANNEL = 136817688, CHANNEL_ITSELF = 777000 };

bool tg_ids_is_impersonal(struct str id)
{
    int64_t n;
    return str_int(id, &n) && (n == ANONYMOUS_ADMIN || n == AS_A_CHANNEL || n == CHANNEL_ITSELF);
}

bool tg_ids_chat(struct str chat, struct chat_ref *ret)
{
    struct str thread, id = str_cut(chat, '/', &thread);
    *ret = (struct chat_ref){0};
    return str_int(id, &ret->chat) && (thread.n == 0 || str_int(thread, &ret->thread));
}

struct str tg_ids_inline_post(struct str chat)
{
    return chat.n > 1 && chat.p[0] == 'i' ? str_skip(chat, 1) : (struct str){0};
}

bool tg_ids_post(struct str post, struct post *ret)
{
    *ret = (struct post){0};
    ret->hidden = post.n > 0 && post.p[0] == 'e';
    post = str_skip(post, ret->hidden);
    ret->picture = post.n > 0 && post.p[post.n - 1] == 'p';
    post.n -= ret->picture;
    return str_int(post, &ret->id);
}

struct str tg_ids_print_post(struct arena *a, struct post p)
{
    return arena_print(a, "%s%lld%s", p.hidden ? "e" : "", (long long)p.id, p.picture ? "p" : "");
}

bool tg_is_secret(struct str s)
{
    bool good = s.n > 0;
    for (size_t i = 0; i < s.n; i++)
        good &= (s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] >= 'A' && s.p[i] <= 'Z') ||
                (s.p[i] >= 'a' && s.p[i] <= 'z') || s.p[i] == '_' || s.p[i] == '-';
    return good;
}

/* ---- calls ---- */

void tg_call_text(struct call_fields *f, const char *name, struct str value)
{
    if (f->n < MAX_FIELDS)
        f->at[f->n++] = (struct call_field){name, value, false};
}

void tg_call_json(struct call_fields *f, const char *name, struct str value)
{
    if (f->n < MAX_FIELDS)
        f->at[f->n++] = (struct call_field){name, value, true};
}

void tg_call_int(struct arena *a, struct call_fields *f, const char *name, int64_t value)
{
    tg_call_json(f, name, arena_print(a, "%lld", (long long)value));
}

struct str tg_call_print(struct arena *a, const struct call_fields *f)
{
    size_t cap = 16;
    for (int i = 0; i < f->n; i++)
        cap += strlen(f->at[i].name) + 8 + f->at[i].value.n * (f->at[i].json ? 1 : 6);
    struct buf b = {arena_room(a, cap), 0, cap, false};
    buf_char(&b, '{');
    for (int i = 0; i < f->n; i++) {
        if (f->at[i].json) {
            json_put_name(&b, f->at[i].name);
            buf_put(&b, f->at[i].value);
        } else {
            json_put_str(&b, f->at[i].name, f->at[i].value);
        }
    }
    buf_char(&b, '}');
    return buf_str(&b);
}

struct request tg_call(struct telegram *t, struct arena *a, const char *method,
                       const struct call_fields *f)
{
    struct request r = {
        .kind = REQUEST_HTTP, .method = "POST", .what = str_of(method), .n_headers = 1};
    r.url = arena_print(a, "%.*s%s", STR_ARG(t->base), method);
    r.headers[0] = (struct header){STR("Content-Type"), STR("application/json")};
    r.body = tg_call_print(a, f);
    return r;
}

struct request tg_call_with_file(struct telegram *t, struct arena *a, const char *method,
                                 const struct call_fields *f, struct part file)
{
    struct request r = {.kind = REQUEST_HTTP, .method = "POST", .what = str_of(method)};
    r.url = arena_print(a, "%.*s%s", STR_ARG(t->base), method);
    r.parts = arena_array(a, struct part, (size_t)f->n + 1);
    for (int i = 0; i < f->n; i++)
        r.parts[r.n_parts++] =
            (struct part){.name = str_of(f->at[i].name), .bytes = f->at[i].value};
    r.parts[r.n_parts++] = file;
    return r;
}

struct request tg_call_with_picture(struct telegram *t, struct arena *a, const char *method,
                                    const struct call_fields *f, struct str bytes)
{
    return tg_call_with_file(
        t, a, method, f,
        (struct part){STR("picture"), STR("picture.png"), STR("image/png"), bytes});
}

/* ---- answers ---- */

struct str tg_raw(struct json v, const char *key)
{
    struct str s = json_str(v, key);
    return s.n <= MAX_STRING ? s : STR("");
}

struct str tg_text(struct arena *a, struct json v, const char *key)
{
    return json_clean(a, v, key, MAX_STRING);
}

/* The closing quote of the string that begins at i; s.n if not found. A quote behind an odd number
 * of backslashes is part of the string. */
static size_t string_end(struct str s, size_t i)
{
    const char *first = s.p + i + 1, *end = s.p + s.n;
    for (const char *at = first; at < end; at++) {
        at = memchr(at, '"', (size_t)(end - at));
        if (!at)
            return s.n;
        const char *slash = at;
        while (slash > first && slash[-1] == '\\')
            slash--;
        if ((at - slash) % 2 == 0)
            return (size_t)(at - s.p);
    }
    return s.n;
}

/* The end of the value that begins at i (one past it), or s.n + 1 if not found. */
static size_t value_end(struct str s, size_t i)
{
    int depth = 0;
    for (; i < s.n; i++) {
        char c = s.p[i];
        if (c == '"') {
            i = string_end(s, i);
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth <= 0) {
            return depth == 0 ? i + 1 : i;
        } else if (c == ',' && depth == 0) {
            return i;
        }
    }
    return s.n + 1;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t past_blanks(struct str s, size_t i)
{
    while (i < s.n && is_blank(s.p[i]))
        i++;
    return i;
}

size_t tg_scan_value(struct str s, const char *name, size_t from)
{
    char wanted[32];
    size_t length = (size_t)snprintf(wanted, sizeof wanted, "\"%s\"", name);
    while (from < s.n) {
        const char *at = memmem(s.p + from, s.n - from, wanted, length);
        if (!at)
            break;
        from = past_blanks(s, (size_t)(at - s.p) + length);
        if (from < s.n && s.p[from] == ':')
            return past_blanks(s, from + 1);
    }
    return s.n;
}

int tg_scan_elements(struct str body, const char *name, struct str *ret, int most)
{
    size_t i = tg_scan_value(body, name, 0);
    int n = 0;
    if (i == body.n || body.p[i] != '[')
        return -1;
    i = past_blanks(body, i + 1);
    while (i < body.n && body.p[i] != ']') {
        size_t end = value_end(body, i);
        if (end > body.n || end == i)
            return -1;
        if (n < most)
            ret[n++] = str_trim((struct str){body.p + i, end - i});
        i = end;
        while (i < body.n && (body.p[i] == ',' || is_blank(body.p[i])))
            i++;
    }
    return i < body.n ? n : -1;
}

struct str tg_scan_without(struct arena *a, struct str value, const char *name)
{
    size_t from = 0, begin = tg_scan_value(value, name, 0);
    if (begin == value.n)
        return value;
    struct buf b = {arena_room(a, value.n), 0, value.n, false};
    for (; begin < value.n; begin = tg_scan_value(value, name, from)) {
        char first = value.p[begin];
        size_t end = first == '"' ? string_end(value, begin) + 1 : value_end(value, begin);
        if (end > value.n)
            return value; /* it does not end: let the parser report it */
        bool more = first == '{' || first == '[' || first == '"';
        buf_put(&b, (struct str){value.p + from, begin + more - from});
        from = more ? end - 1 : begin;
    }
    buf_put(&b, str_skip(value, from));
    return buf_str(&b);
}

/* Where the status is 200 although the body is a refusal, the code in the body counts. A 200 whose
 * body broke off counts as "ok": the call was carried out, and a repeat would send the message
 * twice. */
enum { RETRY_MOST_S = 24 * 3600 /* a longer wait counts as this */, OK_FIRST = 12 };

bool tg_refusal_read(struct arena *a, const struct reply *reply, struct refusal *ret)
{
    *ret = (struct refusal){.code = reply->status, .why = STR(""), .retry_ms = -1};
    size_t at = tg_scan_value(reply->body, "ok", 0); /* {"ok":true ... */
    bool ok =
        reply->status == 200 && at < OK_FIRST && str_starts(str_skip(reply->body, at), STR("true"));
    if (ok)
        return true;
    struct json tree = json_open(reply->body, JSON_LOOSE);
    struct json more = json_at(tree, "parameters");
    ok = reply->status / 100 == 2 && json_bool(tree, "ok");
    if (tree.at) {
        ret->api = true;
        if (reply->status / 100 == 2 && json_number(tree, "error_code") >= 400)
            ret->code = (int)(json_number(tree, "error_code") % 1000);
        ret->why = tg_text(a, tree, "description");
        ret->moved_to = json_number(more, "migrate_to_chat_id");
        if (json_number(more, "retry_after") > 0)
            ret->retry_ms = 1000 * (json_number(more, "retry_after") < RETRY_MOST_S
                                        ? json_number(more, "retry_after")
                                        : RETRY_MOST_S);
    }
    json_free(tree);
    if (reply->retry_after_ms > ret->retry_ms)
        ret->retry_ms = reply->retry_after_ms;
    return ok;
}

/* 421: another server holds the bot. A proxy or login page refuses or redirects in its own form. */
bool tg_refusal_is_transient(const struct refusal *no)
{
    bool gate = no->code / 100 == 3 || no->code == 401 || no->code == 403 || no->code == 407 ||
                no->code == 408;
    return no->code / 100 < 3 || no->code == 421 || no->code >= 500 || (gate && !no->api);
}
