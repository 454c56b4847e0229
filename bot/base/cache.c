/* See cache.h. A hash table with chains, whose entries also stand in a list by last use. An entry
 * has a block of its own, from malloc or, in memory of the caller, one of equal cells. */
#include "cache.h"

#include "alloc.h"

#include <assert.h>
#include <stdlib.h>

enum { STEP = 64 }; /* blocks grow by it, so that a value that grows a little stays where it is */

struct entry {
    struct entry *newer, *older;
    struct entry *next; /* in its chain; in the list of free cells */
    uint64_t hash;
    int64_t no;
    int kind;
    size_t n_text, n, cap;             /* cap: bytes of data, at least n + n_text */
    _Alignas(max_align_t) char data[]; /* value, text */
};

struct cache {
    size_t most_bytes, most_data; /* of all; of one entry's data */
    size_t mask;                  /* of chains */
    int most;
    bool in_cells;
    struct entry *newest, *oldest, *free;
    struct cache_counts counts;
    struct entry **chain;
};

/* ---- opening ---- */

static size_t chains_for(int entries)
{
    size_t n = 1;
    while (n < (size_t)entries)
        n *= 2;
    return n;
}

struct cache *cache_open(int entries, size_t bytes)
{
    assert(entries > 0);
    struct cache *c = alloc_zeroed(sizeof *c);
    size_t chains = chains_for(entries);
    *c =
        (struct cache){.most = entries,
                       .most_bytes = bytes,
                       .most_data = bytes > sizeof(struct entry) ? bytes - sizeof(struct entry) : 0,
                       .mask = chains - 1,
                       .chain = alloc_array(chains, sizeof *c->chain)};
    return c;
}

void cache_close(struct cache *c)
{
    if (!c)
        return;
    assert(!c->in_cells);
    cache_clear(c);
    free(c->chain);
    free(c);
}

static size_t aligned(size_t n)
{
    size_t align = _Alignof(max_align_t);
    return (n + align - 1) / align * align;
}

struct cache *cache_in(void *memory, size_t size, int entries, size_t most)
{
    struct cache *c = memory;
    size_t chains = chains_for(entries), table = aligned(chains * sizeof *c->chain);
    size_t cell = sizeof(struct entry) + aligned(most);
    char *cells = (char *)memory + aligned(sizeof *c) + table;
    assert((uintptr_t)memory % _Alignof(max_align_t) == 0 && entries > 0);
    assert(aligned(sizeof *c) + table + (size_t)entries * cell <= size);
    *c = (struct cache){.most = entries,
                        .most_bytes = SIZE_MAX,
                        .most_data = most,
                        .mask = chains - 1,
                        .in_cells = true,
                        .chain = (struct entry **)(void *)((char *)memory + aligned(sizeof *c))};
    memset(c->chain, 0, chains * sizeof *c->chain);
    for (int i = entries - 1; i >= 0; i--) {
        struct entry *e = (struct entry *)(void *)(cells + (size_t)i * cell);
        *e = (struct entry){.next = c->free, .cap = aligned(most)};
        c->free = e;
    }
    return c;
}

/* ---- table and list ---- */

static uint64_t hash_of(struct cache_key key)
{
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t h = ((uint64_t)key.no ^ (uint64_t)key.kind << 56 ^ key.text.n << 32) * odd, word;
    size_t at = 0;
    for (; at + sizeof word <= key.text.n; at += sizeof word) {
        memcpy(&word, key.text.p + at, sizeof word);
        h = (h ^ h >> 32 ^ word) * odd;
    }
    if (at < key.text.n) {
        word = 0;
        memcpy(&word, key.text.p + at, key.text.n - at);
        h = (h ^ h >> 32 ^ word) * odd;
    }
    return h ^ h >> 32;
}

static struct entry *entry_of(const struct cache *c, struct cache_key key, uint64_t hash)
{
    struct entry *e = c->chain[hash & c->mask];
    while (e && (e->hash != hash || e->no != key.no || e->kind != key.kind ||
                 !str_is(key.text, (struct str){e->data + e->n, e->n_text})))
        e = e->next;
    return e;
}

static void list_remove(struct cache *c, struct entry *e)
{
    *(e->newer ? &e->newer->older : &c->newest) = e->older;
    *(e->older ? &e->older->newer : &c->oldest) = e->newer;
}

static void list_put_first(struct cache *c, struct entry *e)
{
    e->newer = NULL;
    e->older = c->newest;
    *(c->newest ? &c->newest->newer : &c->oldest) = e;
    c->newest = e;
}

/* Out of the table, the list and the counts. */
static void entry_remove(struct cache *c, struct entry *e)
{
    struct entry **link = &c->chain[e->hash & c->mask];
    while (*link != e)
        link = &(*link)->next;
    *link = e->next;
    list_remove(c, e);
    c->counts.entries--;
    c->counts.bytes -= sizeof *e + e->cap;
}

static void entry_free(struct cache *c, struct entry *e)
{
    entry_remove(c, e);
    if (c->in_cells) {
        e->next = c->free;
        c->free = e;
    } else {
        free(e);
    }
}

/* An entry with room for `size` bytes of data, in no chain and no list; older ones make room. A block
 * that fits is used again. */
static struct entry *entry_make(struct cache *c, size_t size)
{
    size_t cap = c->in_cells ? c->most_data : (size + STEP - 1) / STEP * STEP;
    if (cap > c->most_data)
        cap = size;
    struct entry *e = NULL;
    while (c->oldest && (c->counts.entries == c->most ||
                         c->counts.bytes + sizeof(struct entry) + cap > c->most_bytes)) {
        c->counts.evictions++;
        if (!c->in_cells && !e && c->oldest->cap == cap)
            entry_remove(c, e = c->oldest);
        else
            entry_free(c, c->oldest);
    }
    if (c->in_cells) {
        e = c->free;
        c->free = e->next;
    } else if (!e) {
        e = alloc_room(sizeof *e + cap);
        e->cap = cap;
    }
    c->counts.entries++;
    c->counts.bytes += sizeof *e + e->cap;
    return e;
}

/* ---- the calls ---- */

bool cache_find(struct cache *c, struct cache_key key, struct str *ret)
{
    struct entry *e = entry_of(c, key, hash_of(key));
    if (!e) {
        c->counts.misses++;
        return false;
    }
    c->counts.hits++;
    if (e != c->newest) {
        list_remove(c, e);
        list_put_first(c, e);
    }
    *ret = (struct str){e->data, e->n};
    return true;
}

void *cache_put(struct cache *c, struct cache_key key, size_t n)
{
    uint64_t hash = hash_of(key);
    struct entry *e = entry_of(c, key, hash);
    bool fits = key.text.n <= c->most_data && n <= c->most_data - key.text.n;
    if (e && (!fits || e->cap < n + key.text.n)) {
        entry_free(c, e);
        e = NULL;
    }
    if (!fits)
        return NULL;
    if (e) {
        list_remove(c, e);
    } else {
        e = entry_make(c, n + key.text.n);
        e->hash = hash;
        e->kind = key.kind;
        e->no = key.no;
        e->next = c->chain[hash & c->mask];
        c->chain[hash & c->mask] = e;
    }
    list_put_first(c, e);
    e->n = n;
    e->n_text = key.text.n;
    if (key.text.n > 0)
        memmove(e->data + n, key.text.p, key.text.n);
    return e->data;
}

void cache_keep(struct cache *c, struct cache_key key, int n, const struct str *parts)
{
    size_t bytes = 0;
    for (int i = 0; i < n; i++)
        bytes += parts[i].n;
    char *at = cache_put(c, key, bytes);
    for (int i = 0; at && i < n; at += parts[i].n, i++)
        if (parts[i].n > 0)
            memcpy(at, parts[i].p, parts[i].n);
}

bool cache_read(struct cache *c, struct cache_key key, void *ret, size_t n)
{
    struct str found;
    bool known = cache_find(c, key, &found) && found.n >= n;
    if (known)
        memcpy(ret, found.p, n);
    return known;
}

void cache_drop(struct cache *c, struct cache_key key)
{
    struct entry *e = entry_of(c, key, hash_of(key));
    if (e)
        entry_free(c, e);
}

void cache_reject(struct cache *c, struct cache_key key)
{
    c->counts.hits--;
    c->counts.misses++;
    cache_drop(c, key);
}

void cache_clear(struct cache *c)
{
    while (c->oldest)
        entry_free(c, c->oldest);
}

struct cache_counts cache_counts(const struct cache *c)
{
    return c->counts;
}
