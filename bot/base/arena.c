/* See arena.h. A reset keeps some chunks on a list, so that a quiet daemon allocates nothing, and
 * frees the further chunks of a rare large turn. */
#include "arena.h"

#include "alloc.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHUNK = 64 * 1024, KEPT = 64 };

struct chunk {
    struct chunk *next;
    size_t size, used;
    _Alignas(max_align_t) char data[];
};

/* `big` are chunks of one large piece each: they are given back at a reset. */
struct arena {
    struct chunk *first, *now, *big;
    size_t total, ceiling;
};

struct arena *arena_open(size_t ceiling)
{
    struct arena *a = alloc_zeroed(sizeof *a);
    a->ceiling = ceiling;
    return a;
}

static void free_chunks(struct chunk *c)
{
    for (struct chunk *next; c; c = next) {
        next = c->next;
        free(c);
    }
}

void arena_reset(struct arena *a)
{
    for (struct chunk *c = a->big; c; c = c->next)
        a->total -= c->size;
    free_chunks(a->big);
    a->big = NULL;
    struct chunk **link = &a->first;
    for (int i = 0; i < KEPT && *link; i++, link = &(*link)->next)
        (*link)->used = 0;
    for (struct chunk *c = *link; c; c = c->next)
        a->total -= c->size;
    free_chunks(*link);
    *link = NULL;
    a->now = a->first;
}

void arena_close(struct arena *a)
{
    if (!a)
        return;
    free_chunks(a->big);
    free_chunks(a->first);
    free(a);
}

static struct chunk *chunk_make(struct arena *a, size_t size)
{
    if (a->total + size > a->ceiling) {
        fprintf(stderr, "koikoi: an arena of %zu bytes is full\n", a->ceiling);
        abort();
    }
    struct chunk *c = alloc_room(sizeof *c + size);
    a->total += size;
    c->next = NULL;
    c->size = size;
    c->used = 0;
    return c;
}

static void *big_piece(struct arena *a, size_t size)
{
    struct chunk *c = chunk_make(a, size);
    c->used = size;
    c->next = a->big;
    a->big = c;
    return c->data;
}

char *arena_room(struct arena *a, size_t size)
{
    size_t align = _Alignof(max_align_t);
    size = (size + align - 1) & ~(align - 1);
    if (size > CHUNK / 2)
        return big_piece(a, size);
    if (!a->now || a->now->size - a->now->used < size) {
        struct chunk **link = a->now ? &a->now->next : &a->first;
        if (!*link)
            *link = chunk_make(a, CHUNK);
        a->now = *link;
    }
    char *p = a->now->data + a->now->used;
    a->now->used += size;
    return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
    return memset(arena_room(a, size), 0, size);
}

void *arena_alloc_array(struct arena *a, size_t size, size_t n)
{
    assert(size == 0 || n <= SIZE_MAX / 2 / size);
    return arena_alloc(a, size * n);
}

struct str arena_str(struct arena *a, struct str s)
{
    char *p = arena_room(a, s.n + 1);
    if (s.n > 0)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return (struct str){p, s.n};
}

struct str arena_print(struct arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct str text = arena_print_args(a, format, args);
    va_end(args);
    return text;
}

struct str arena_print_args(struct arena *a, const char *format, va_list args)
{
    char most[256]; /* longer texts are printed twice */
    va_list again;
    va_copy(again, args);
    int n = str_print_args(most, sizeof most, format, args);
    assert(n >= 0);
    char *p = arena_room(a, (size_t)n + 1);
    if ((size_t)n < sizeof most)
        memcpy(p, most, (size_t)n + 1);
    else
        vsnprintf(p, (size_t)n + 1, format, again);
    va_end(again);
    return (struct str){p, (size_t)n};
}

size_t arena_used(const struct arena *a)
{
    size_t used = 0;
    for (const struct chunk *c = a->first; c; c = c->next)
        used += c->used;
    for (const struct chunk *c = a->big; c; c = c->next)
        used += c->used;
    return used;
}
