/* See row_cache.h. */
#include "row_cache.h"

enum { MOST_ROWS = 8192, MOST_BYTES = 4 * 1024 * 1024 };

struct cache *row_cache_open(void)
{
    return cache_open(MOST_ROWS, MOST_BYTES);
}

bool row_cache_find(struct cache *c, enum row_kind kind, int64_t no, struct str key,
                    struct str *ret_value)
{
    return cache_find(c, (struct cache_key){(int)kind, no, key}, ret_value);
}

bool row_cache_find_row(struct cache *c, struct arena *a, enum row_kind kind, int64_t no,
                        struct str key, void *ret, size_t size, int n_strings,
                        struct str *const *strings)
{
    struct str value;
    if (!row_cache_find(c, kind, no, key, &value))
        return false;
    value = arena_str(a, value);
    memcpy(ret, value.p, size);
    const char *at = value.p + size;
    for (int i = 0; i < n_strings; at += strings[i]->n, i++)
        strings[i]->p = at;
    return true;
}

void row_cache_put(struct cache *c, enum row_kind kind, int64_t no, struct str key, int n,
                   const struct str *parts)
{
    size_t bytes = 0;
    for (int i = 0; i < n; i++)
        bytes += parts[i].n;
    char *at = cache_put(c, (struct cache_key){(int)kind, no, key}, bytes);
    for (int i = 0; at && i < n; at += parts[i].n, i++)
        if (parts[i].n)
            memcpy(at, parts[i].p, parts[i].n);
}

void row_cache_drop(struct cache *c, enum row_kind kind, int64_t no, struct str key)
{
    cache_drop(c, (struct cache_key){(int)kind, no, key});
}
