/* See json.h.
 *
 * The scanner works on bytes: it cuts an answer into its updates, and empties the parts of an
 * update that read.c skips, before cJSON parses the rest. So one damaged update spoils no other,
 * and a press on a board of 20 buttons (4 KB) takes 3 us instead of 17. */
#include "json.h"

#include "utf8.h"

void tg_json_string(struct buf *b, struct str s)
{
    buf_char(b, '"');
    while (s.n > 0) {
        size_t n = str_run(s, 0x20, "\"\\");
        buf_put(b, (struct str){s.p, n});
        if (n == s.n)
            break;
        unsigned char c = (unsigned char)s.p[n];
        s = str_skip(s, n + 1);
        if (c >= 0x20) {
            buf_char(b, '\\');
            buf_char(b, (char)c);
        } else if (c == '\n') {
            buf_put(b, STR("\\n"));
        } else {
            buf_print(b, "\\u%04x", c);
        }
    }
    buf_char(b, '"');
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

size_t tg_json_value(struct str s, const char *name, size_t from)
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

int tg_json_elements(struct str body, const char *name, struct str *ret, int most)
{
    size_t i = tg_json_value(body, name, 0);
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

struct str tg_json_without(struct arena *a, struct str value, const char *name)
{
    size_t from = 0, begin = tg_json_value(value, name, 0);
    if (begin == value.n)
        return value;
    struct buf b = {arena_room(a, value.n), 0, value.n, false};
    for (; begin < value.n; begin = tg_json_value(value, name, from)) {
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

const cJSON *tg_json_get(const cJSON *o, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(o, name);
}

int64_t tg_json_int(const cJSON *o, const char *name)
{
    const cJSON *v = tg_json_get(o, name);
    if (!cJSON_IsNumber(v) || v->valuedouble < -9e15 || v->valuedouble > 9e15)
        return 0;
    return (int64_t)v->valuedouble;
}

bool tg_json_true(const cJSON *o, const char *name)
{
    return cJSON_IsTrue(tg_json_get(o, name));
}

struct str tg_json_raw(const cJSON *o, const char *name)
{
    struct str s = str_of(cJSON_GetStringValue(tg_json_get(o, name)));
    return s.n <= MAX_STRING ? s : STR("");
}

struct str tg_json_text(struct arena *a, const cJSON *o, const char *name)
{
    return utf8_clean(a, tg_json_raw(o, name));
}
