/* See text.h. */
#include "text.h"

#include "str.h"

#include <stdarg.h>

void *must(void *p)
{
    if (!p) {
        perror("fake telegram");
        exit(2);
    }
    return p;
}

void text_room(struct text_buffer *t, size_t n)
{
    if (t->n + n + 1 <= t->cap)
        return;
    t->cap = (t->n + n + 1) * 2;
    t->p = must(realloc(t->p, t->cap));
}

void text_add(struct text_buffer *t, const char *p, size_t n)
{
    text_room(t, n);
    if (n > 0)
        memcpy(t->p + t->n, p, n);
    t->n += n;
    t->p[t->n] = 0;
}

void text_put(struct text_buffer *t, const char *z)
{
    text_add(t, z, strlen(z));
}

void text_print(struct text_buffer *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    text_room(t, (size_t)n);
    vsnprintf(t->p + t->n, (size_t)n + 1, format, again);
    va_end(again);
    t->n += (size_t)n;
}

void text_int(struct text_buffer *t, int64_t v)
{
    char digits[24];
    struct buf b = BUF(digits);
    buf_int(&b, v);
    text_add(t, b.p, b.n);
}

void text_json(struct text_buffer *t, const char *z)
{
    text_add(t, "\"", 1);
    for (const char *from = z;; z++) {
        unsigned char c = (unsigned char)*z;
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        text_add(t, from, (size_t)(z - from));
        from = z + 1;
        if (!c)
            break;
        if (c < 0x20)
            text_print(t, "\\u%04x", c);
        else
            text_add(t, (char[]){'\\', (char)c}, 2);
    }
    text_add(t, "\"", 1);
}

void text_free(struct text_buffer *t)
{
    free(t->p);
    *t = (struct text_buffer){0};
}
