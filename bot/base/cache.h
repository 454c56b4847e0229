/* Cache of bytes by key, bounded in entries and in bytes. When it is full the least recently used
 * entry goes. It changes no answer, only its speed: the owner drops changed entries, or notices by
 * itself that one is out of date. One thread.
 *
 *     struct cache *c = cache_open(1024, 4 << 20);
 *     if (!cache_find(c, key, &value))                    compute it, then
 *         CACHE_KEEP(c, key, value);
 *     cache_drop(c, key);                                 it has changed
 *     cache_close(c);
 *
 * Pure code keeps a cache in memory of its own, with room of a fixed size for each entry:
 *
 *     _Alignas(max_align_t) char memory[CACHE_MEMORY(32, 6000)];
 *     struct cache *c = cache_in(memory, sizeof memory, 32, 6000);
 */
#ifndef KOIKOI_CACHE_H
#define KOIKOI_CACHE_H

#include "str.h"

struct cache;

/* Each may stay empty. The text is copied. */
struct cache_key {
    int kind;
    int64_t no;
    struct str text;
};

struct cache_counts {
    int64_t hits, misses, evictions; /* since it was opened */
    int entries;
    size_t bytes; /* of entries, with their heads */
};

/* `bytes` counts keys, values and about 100 bytes for each entry; memory is allocated as entries
 * come. */
struct cache *cache_open(int entries, size_t bytes);
void cache_close(struct cache *c); /* not for cache_in() */

/* In memory of the caller, aligned for anything, at least CACHE_MEMORY(entries, most) bytes. An
 * entry has room for `most` bytes of text and value. Nothing has to be closed. */
struct cache *cache_in(void *memory, size_t size, int entries, size_t most);
#define CACHE_MEMORY(entries, most) (192 + (entries) * (16 + 96 + ((most) + 15) / 16 * 16))

/* Returns false, with *ret untouched, if there is no such entry. The value is aligned for anything
 * and stands until the next call of cache_put(), _drop(), _reject(), _clear() or _close(); in a
 * cache of n entries, if nothing is dropped, until n other keys have been used. */
bool cache_find(struct cache *c, struct cache_key key, struct str *ret);
/* Room for a value of n bytes under the key, not zeroed, in place of an earlier value. Returns
 * NULL, with no value under the key, if it is larger than the cache's bound. */
void *cache_put(struct cache *c, struct cache_key key, size_t n);
/* The same for a value made of parts, one behind the other: a value too large is not kept. */
void cache_keep(struct cache *c, struct cache_key key, int n, const struct str *parts);
#define CACHE_KEEP(c, key, ...)                                                                    \
    cache_keep((c), (key), (int)(sizeof((struct str[]){__VA_ARGS__}) / sizeof(struct str)),        \
               (struct str[]){__VA_ARGS__})
#define BYTES_OF(value) ((struct str){(const char *)&(value), sizeof(value)})
/* Reads the first n bytes of a value. Returns false, with *ret untouched, if none is so long. */
bool cache_read(struct cache *c, struct cache_key key, void *ret, size_t n);
void cache_drop(struct cache *c, struct cache_key key);
/* Drops what cache_find() has just found, for it is out of date: a miss after all. */
void cache_reject(struct cache *c, struct cache_key key);
void cache_clear(struct cache *c);
struct cache_counts cache_counts(const struct cache *c);

#endif
