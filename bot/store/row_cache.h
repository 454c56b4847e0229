/* Row cache: rows that the store has read or written lately, so that a press costs no query for
 * people, chats and matches that play on. Included by store*.c alone.
 *
 * The store alone writes to its database, and changes the cache with it: a changed row is put anew
 * or dropped, and a rollback, of all or of a part, clears everything. So a cached row is what a
 * reader within the open transaction would find. A value is bytes, whose meaning is between those
 * who put and find them.
 *
 *     struct cache *rows = row_cache_open();
 *     row_cache_find(rows, kind, no, key, &value)    false: ask the database, then
 *     row_cache_put(rows, kind, no, key, n, parts)   also after writing
 *     row_cache_drop(rows, kind, no, key)            it has changed; its new value is not at hand
 *     cache_clear(rows), cache_close(rows)
 */
#ifndef KOIKOI_ROW_CACHE_H
#define KOIKOI_ROW_CACHE_H

#include "arena.h"
#include "cache.h"

/* What `no` and `key` are: */
enum row_kind {
    ROW_PERSON,  /* account, network id */
    ROW_CHAT,    /* account, key */
    ROW_SESSION, /* session */
    ROW_HERE,    /* chat: its live sessions */
    ROW_THEIRS,  /* person: their live sessions */
    ROW_POST     /* account, chat and slot */
};

/* 8,192 rows, 4 MB. */
struct cache *row_cache_open(void);
/* The value stands until the next call that is not row_cache_find(). */
bool row_cache_find(struct cache *c, enum row_kind kind, int64_t no, struct str key,
                    struct str *ret_value);
/* The value is the parts, one behind the other. */
void row_cache_put(struct cache *c, enum row_kind kind, int64_t no, struct str key, int n,
                   const struct str *parts);
/* Finds a value that is a struct of `size` bytes and then its strings, in this order: *ret and its
 * strings live in the arena. */
bool row_cache_find_row(struct cache *c, struct arena *a, enum row_kind kind, int64_t no,
                        struct str key, void *ret, size_t size, int n_strings,
                        struct str *const *strings);
void row_cache_drop(struct cache *c, enum row_kind kind, int64_t no, struct str key);

#endif
