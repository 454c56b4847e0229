/* See alloc.h. */
#include "alloc.h"

#include <stdio.h>
#include <malloc.h>
#include <stdlib.h>

static void *checked(void *p, size_t size)
{
    if (!p) {
        fprintf(stderr, "koikoi: out of memory: %zu bytes\n", size);
        abort();
    }
    return p;
}

void *alloc_array(size_t n, size_t size)
{
    n = n ? n : 1;
    size = size ? size : 1;
    return checked(calloc(n, size), size <= SIZE_MAX / n ? n * size : SIZE_MAX);
}

void *alloc_zeroed(size_t size)
{
    return alloc_array(1, size);
}

void *alloc_room(size_t size)
{
    return checked(malloc(size ? size : 1), size);
}

void *alloc_grow(void *p, size_t size)
{
    return checked(realloc(p, size ? size : 1), size);
}

char *alloc_text(struct str s)
{
    char *p = alloc_room(s.n + 1);
    if (s.n > 0)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return p;
}

void alloc_trim(void)
{
    malloc_trim(0);
}
