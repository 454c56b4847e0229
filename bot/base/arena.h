/* Memory by lifetime: one arena is reset at each turn of the loop, another lives as long as the
 * process. Pieces are not freed one by one. Memory is zeroed, except by arena_room(). An arena that
 * reaches its ceiling aborts, a bug of ours; the store is safe. */
#ifndef KOIKOI_ARENA_H
#define KOIKOI_ARENA_H

#include <stdarg.h>

#include "str.h"

struct arena;

struct arena *arena_open(size_t ceiling); /* grows in chunks up to `ceiling` bytes */
void arena_reset(struct arena *a);        /* frees all pieces; keeps chunks */
void arena_close(struct arena *a);
/* aligned for anything, zeroed */
void *arena_alloc(struct arena *a, size_t size) __attribute__((returns_nonnull));
#define arena_new(a, type)      ((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_alloc_array((a), sizeof(type), (n)))
void *arena_alloc_array(struct arena *a, size_t size, size_t n) __attribute__((returns_nonnull));
/* not zeroed */
char *arena_room(struct arena *a, size_t size) __attribute__((returns_nonnull));
struct str arena_str(struct arena *a, struct str s); /* a copy, with a NUL behind it */
struct str arena_print(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct str arena_print_args(struct arena *a, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
size_t arena_used(const struct arena *a);

#endif
