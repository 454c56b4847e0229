/* Memory of JSON trees for the fuzz targets: one block that begins anew with each input, since
 * malloc() under ASan takes most of the time that a tree takes. ASan watches it all the same: a
 * piece is poisoned when it is freed, and so are the bytes between pieces.
 *
 *     size_t before = json_pool_begin();
 *     ... json_open(), json_close() ...
 *     json_pool_end(before);                  fails if a tree was not freed
 */
#ifndef KOIKOI_FUZZ_JSON_POOL_H
#define KOIKOI_FUZZ_JSON_POOL_H

#include <assert.h>
#include <cjson/cJSON.h>
#include <sanitizer/asan_interface.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { JSON_POOL_BYTES = 1 << 24, JSON_POOL_ALIGN = 16 };

static _Alignas(JSON_POOL_ALIGN) unsigned char json_pool[JSON_POOL_BYTES];
static size_t json_pool_used, json_pool_pieces;

/* A piece is its size, itself, and at least one poisoned byte behind it. */
static void *json_pool_get(size_t size)
{
    size_t room = JSON_POOL_ALIGN + (size / JSON_POOL_ALIGN + 1) * JSON_POOL_ALIGN;
    json_pool_pieces++;
    if (room > JSON_POOL_BYTES - json_pool_used)
        return malloc(size);
    unsigned char *at = json_pool + json_pool_used;
    json_pool_used += room;
    ASAN_UNPOISON_MEMORY_REGION(at, sizeof size);
    *(size_t *)(void *)at = size;
    ASAN_POISON_MEMORY_REGION(at, room);
    ASAN_UNPOISON_MEMORY_REGION(at + JSON_POOL_ALIGN, size);
    return at + JSON_POOL_ALIGN;
}

static void json_pool_free(void *piece)
{
    unsigned char *at = piece;
    if (!at)
        return;
    assert(json_pool_pieces > 0);
    json_pool_pieces--;
    if (at < json_pool || at >= json_pool + JSON_POOL_BYTES) {
        free(piece);
        return;
    }
    size_t *size = (size_t *)(void *)(at - JSON_POOL_ALIGN);
    ASAN_UNPOISON_MEMORY_REGION(size, sizeof *size);
    ASAN_POISON_MEMORY_REGION(size, JSON_POOL_ALIGN + *size);
}

static inline size_t json_pool_begin(void)
{
    static bool hooked;
    if (!hooked) {
        cJSON_InitHooks(&(cJSON_Hooks){json_pool_get, json_pool_free});
        hooked = true;
    }
    if (json_pool_pieces == 0)
        json_pool_used = 0;
    return json_pool_pieces;
}

static inline void json_pool_end(size_t before)
{
    assert(json_pool_pieces == before);
}

#endif
