/* See str.h. */
#include "str.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

static bool blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool str_starts(struct str s, struct str head)
{
    return s.n >= head.n && (head.n == 0 || memcmp(s.p, head.p, head.n) == 0);
}

struct str str_skip(struct str s, size_t n)
{
    if (s.n == 0) /* C knows no NULL + 0 */
        return s;
    if (n > s.n)
        n = s.n;
    return (struct str){s.p + n, s.n - n};
}

struct str str_trim(struct str s)
{
    while (s.n > 0 && blank(s.p[0]))
        s = str_skip(s, 1);
    while (s.n > 0 && blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

struct str str_cut(struct str s, char at, struct str *rest)
{
    const char *p = s.n > 0 ? memchr(s.p, at, s.n) : NULL;
    if (!p) {
        *rest = str_skip(s, s.n);
        return s;
    }
    size_t n = (size_t)(p - s.p);
    *rest = str_skip(s, n + 1);
    return (struct str){s.p, n};
}

struct str str_word(struct str *rest)
{
    struct str s = *rest;
    while (s.n > 0 && blank(s.p[0]))
        s = str_skip(s, 1);
    size_t n = 0;
    while (n < s.n && ((unsigned char)s.p[n] > ' ' || !blank(s.p[n])))
        n++;
    *rest = str_skip(s, n);
    return (struct str){s.p, n};
}

bool str_int(struct str s, int64_t *ret)
{
    bool minus = s.n > 0 && s.p[0] == '-';
    if (minus)
        s = str_skip(s, 1);
    if (s.n == 0 || s.n > 19)
        return false;
    uint64_t v = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
        v = v * 10 + (uint64_t)(s.p[i] - '0');
    }
    if (v > (uint64_t)INT64_MAX)
        return false;
    *ret = minus ? -(int64_t)v : (int64_t)v;
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool str_hex(struct str s, void *ret, size_t n)
{
    unsigned char *to = ret;
    if (s.n != 2 * n)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (hex_digit(s.p[i]) < 0)
            return false;
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)(hex_digit(s.p[2 * i]) * 16 + hex_digit(s.p[2 * i + 1]));
    return true;
}

int str_escaped(struct str s)
{
    char hex[3] = "";
    if (s.n <= 2 || s.p[0] != '%' || !isxdigit((unsigned char)s.p[1]) ||
        !isxdigit((unsigned char)s.p[2]))
        return -1;
    memcpy(hex, s.p + 1, 2);
    return (int)strtol(hex, NULL, 16);
}

struct str str_url_hosts(struct str url)
{
    const char *at = url.n > 0 ? memmem(url.p, url.n, "://", 3) : NULL;
    struct str rest = at ? str_skip(url, (size_t)(at - url.p) + 3) : url;
    struct str path = str_cut(rest, '/', &rest), host = str_cut(path, '?', &rest);
    for (struct str behind = host; behind.n > 0;) { /* a password may hold an @ */
        (void)str_cut(behind, '@', &behind);
        host = behind.n > 0 ? behind : host;
    }
    return host;
}

struct str str_url_host(struct str url)
{
    struct str rest, host = str_url_hosts(url);
    if (host.n > 0 && host.p[0] == '[')
        return str_cut(str_skip(host, 1), ']', &rest);
    return str_cut(host, ':', &rest);
}

uint64_t str_hash(struct str s)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3u;
    return h;
}

void buf_put(struct buf *b, struct str s)
{
    size_t room = b->cap - b->n;
    if (s.n > room) {
        b->cut = true;
        s.n = room;
    }
    if (s.n > 0)
        memcpy(b->p + b->n, s.p, s.n);
    b->n += s.n;
}

void buf_char(struct buf *b, char c)
{
    buf_put(b, (struct str){&c, 1});
}

void buf_int(struct buf *b, int64_t v)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do
        digits[--at] = (char)('0' + u % 10);
    while ((u /= 10) > 0);
    if (v < 0)
        digits[--at] = '-';
    buf_put(b, (struct str){digits + at, sizeof digits - at});
}

void buf_hex(struct buf *b, const void *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++)
        buf_put(b, (struct str){(char[]){digits[at[i] >> 4], digits[at[i] & 15]}, 2});
}

/* %s, %.*s, %d, %lld, %zu, %c; false for any other conversion, and if there is not room for all. */
static bool put_formatted(struct buf *b, const char *format, va_list args)
{
    for (const char *next; *format; format = next) {
        next = strchrnul(format, '%');
        buf_put(b, (struct str){format, (size_t)(next - format)});
        if (!*next)
            break;
        bool measured = next[1] == '.' && next[2] == '*', wide = next[1] == 'l' && next[2] == 'l';
        next += measured || wide ? 3 : next[1] == 'z' ? 2 : 1;
        int most = measured ? va_arg(args, int) : INT_MAX;
        if (*next == 's') {
            const char *text = va_arg(args, const char *);
            if (most < 0 || (!text && most > 0))
                return false;
            if (most > 0)
                buf_put(b, (struct str){text, strnlen(text, (size_t)most)});
        } else if (wide && *next == 'd') {
            buf_int(b, va_arg(args, long long));
        } else if (next[-1] == 'z' && *next == 'u') {
            buf_int(b, (int64_t)va_arg(args, size_t));
        } else if (next[-1] == '%' && *next == 'd') {
            buf_int(b, va_arg(args, int));
        } else if (next[-1] == '%' && *next == 'c') {
            buf_char(b, (char)va_arg(args, int));
        } else {
            return false;
        }
        next++;
    }
    return !b->cut;
}

int str_print_args(char *to, size_t room, const char *format, va_list args)
{
    struct buf b = {to, 0, room > 0 ? room - 1 : 0, room == 0};
    va_list again;
    va_copy(again, args);
    bool whole = put_formatted(&b, format, again);
    va_end(again);
    if (!whole)
        return vsnprintf(to, room, format, args);
    to[b.n] = '\0';
    return (int)b.n;
}

void buf_print(struct buf *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t room = b->cap - b->n;
    int n = str_print_args(b->p + b->n, room, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= room) {
        b->cut = true;
        b->n = room > 0 ? b->cap - 1 : b->cap;
    } else {
        b->n += (size_t)n;
    }
}
