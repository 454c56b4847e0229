/* See arena.h. Chunks are kept on a list and reused after a reset, so a quiet daemon allocates nothing. */
#include "arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHUNK = 64 * 1024 };

struct chunk {
    struct chunk *next;
    size_t size, used;
    _Alignas(max_align_t) char data[];
};

struct arena { struct chunk *first, *now; size_t total, ceiling; };

struct arena *arena_open(size_t ceiling)
{
    struct arena *a = calloc(1, sizeof *a);
    if (!a)
        abort();
    a->ceiling = ceiling;
    return a;
}

void arena_reset(struct arena *a)
{
    struct chunk **link = &a->first;
    while (*link) {                       /* a rare big chunk is given back, the usual ones are kept */
        struct chunk *c = *link;
        c->used = 0;
        if (c->size > CHUNK) {
            *link = c->next;
            a->total -= c->size;
            free(c);
        } else {
            link = &c->next;
        }
    }
    a->now = a->first;
}

void arena_close(struct arena *a)
{
    if (!a)
        return;
    for (struct chunk *c = a->first, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(a);
}

static struct chunk *grow(struct arena *a, size_t size)
{
    size_t want = size > CHUNK ? size : CHUNK;
    if (a->total + want > a->ceiling) {
        fprintf(stderr, "koikoi: an arena of %zu bytes is full\n", a->ceiling);
        abort();
    }
    struct chunk *c = malloc(sizeof *c + want);
    if (!c)
        abort();
    a->total += want;
    c->size = want;
    c->used = 0;
    c->next = a->now ? a->now->next : a->first;
    if (a->now)
        a->now->next = c;
    else
        a->first = c;
    return c;
}

void *arena_alloc(struct arena *a, size_t size)
{
    size_t align = _Alignof(max_align_t);
    size = (size + align - 1) & ~(align - 1);
    while (a->now && a->now->size - a->now->used < size && a->now->next)
        a->now = a->now->next;
    if (!a->now || a->now->size - a->now->used < size)
        a->now = grow(a, size);
    void *p = a->now->data + a->now->used;
    a->now->used += size;
    return memset(p, 0, size);
}

void *arena_alloc_array(struct arena *a, size_t size, size_t n)
{
    assert(size == 0 || n <= SIZE_MAX / 2 / size);
    return arena_alloc(a, size * n);
}

struct str arena_str(struct arena *a, struct str s)
{
    char *p = arena_alloc(a, s.n + 1);
    if (s.n > 0)
        memcpy(p, s.p, s.n);
    return (struct str){p, s.n};
}

struct str arena_print(struct arena *a, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(n >= 0);
    char *p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, format, again);
    va_end(again);
    return (struct str){p, (size_t)n};
}

size_t arena_used(const struct arena *a)
{
    size_t used = 0;
    for (const struct chunk *c = a->first; c; c = c->next)
        used += c->used;
    return used;
}
