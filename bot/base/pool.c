/* See pool.h. Blocks in which pieces lie one behind the other. */
#include "pool.h"

#include "alloc.h"

#include <stdlib.h>

enum { BLOCK = 64 * 1024 };

struct pool_block {
    struct pool_block *older;
    size_t n, cap;
    _Alignas(max_align_t) char at[];
};

static _Thread_local struct pool *filled; /* NULL: none */

void pool_fill(struct pool *p)
{
    filled = p;
}

static void add_block(struct pool *p, size_t cap)
{
    struct pool_block *b = alloc_room(sizeof *b + cap);
    *b = (struct pool_block){.older = p->newest, .cap = cap};
    p->newest = b;
}

void pool_expect(struct pool *p, size_t bytes)
{
    add_block(p, bytes < BLOCK ? bytes : BLOCK);
}

void *pool_take(size_t n)
{
    size_t align = _Alignof(max_align_t);
    n = (n + align - 1) & ~(align - 1);
    if (!filled)
        return alloc_room(n);
    if (!filled->newest || filled->newest->cap - filled->newest->n < n)
        add_block(filled, n > BLOCK ? n : BLOCK);
    struct pool_block *b = filled->newest;
    b->n += n;
    return b->at + b->n - n;
}

void pool_give(void *p)
{
    if (!filled)
        free(p);
}

void pool_free(struct pool *p)
{
    for (struct pool_block *b = p->newest, *older; b; b = older) {
        older = b->older;
        free(b);
    }
    p->newest = NULL;
}
