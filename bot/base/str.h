/* Strings are pointer and length; they own nothing and need no NUL. What grows has a ceiling. */
#ifndef KOIKOI_STR_H
#define KOIKOI_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *p;
    size_t n;
};

#define STR(literal) ((struct str){"" literal, sizeof(literal) - 1})
#define STR_ARG(s)   (int)(s).n, (s).p /* for "%.*s" */

static inline struct str str_of(const char *z)
{
    return (struct str){z, z ? strlen(z) : 0};
}
static inline bool str_is(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}
bool str_starts(struct str s, struct str head);
struct str str_skip(struct str s, size_t n); /* without its first n bytes, at most all */
struct str str_trim(struct str s);           /* without ASCII white space at both ends */
/* Cuts at the first `at`: returns the part before it; *rest is the part after it (empty if there is
 * none). */
struct str str_cut(struct str s, char at, struct str *rest);
/* The next run of non-blank bytes; *rest is moved behind it. Empty at the end. */
struct str str_word(struct str *rest);
/* Parses a decimal integer that fills the string. Returns false, with *ret untouched, if it is not
 * one or does not fit. */
bool str_int(struct str s, int64_t *ret);
/* Reads 2 * n lower-case hex digits into n bytes. Returns false, with *ret untouched, for anything
 * else. */
bool str_hex(struct str s, void *ret, size_t n);
/* The byte of the escape that s begins with, "%7B" or "%7b"; -1 without one. */
int str_escaped(struct str s);
/* "host:port" of "scheme://user@host:port/path"; of a database several, as "host:port,host:port". */
struct str str_url_hosts(struct str url);
struct str str_url_host(struct str url); /* the first host alone, without brackets and port */
uint64_t str_hash(struct str s);         /* FNV-1a: for tables, never for secrets */

/* Length of the leading run of bytes that are neither less than `below` (at most 0x80) nor in
 * `none`. Eight at a time: most texts need no escape. */
static inline size_t str_run(struct str s, unsigned char below, const char *none)
{
    const uint64_t ones = 0x0101010101010101u, highs = ones << 7;
    size_t n = 0;
    for (uint64_t w; n + sizeof w <= s.n; n += sizeof w) {
        memcpy(&w, s.p + n, sizeof w);
        uint64_t found = (w - ones * below) & ~w;
        for (const char *c = none; *c; c++) {
            uint64_t same = w ^ ones * (unsigned char)*c;
            found |= (same - ones) & ~same;
        }
        if (found & highs)
            break;
    }
    for (; n < s.n && (unsigned char)s.p[n] >= below; n++)
        for (const char *c = none; *c; c++)
            if (s.p[n] == *c)
                return n;
    return n;
}

/* A buffer of fixed capacity that never overflows: text beyond it sets `cut` and is dropped. */
struct buf {
    char *p;
    size_t n, cap;
    bool cut;
};
#define BUF(array) ((struct buf){(array), 0, sizeof(array), false})
void buf_put(struct buf *b, struct str s);
void buf_char(struct buf *b, char c);
void buf_int(struct buf *b, int64_t v);
void buf_hex(struct buf *b, const void *bytes, size_t n); /* lower-case */
void buf_print(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* vsnprintf(), several times as fast for the conversions that texts are mostly made of. */
int str_print_args(char *to, size_t room, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
static inline struct str buf_str(const struct buf *b)
{
    return (struct str){b->p, b->n};
}

#endif
