/* Memory by lifetime. One arena lives as long as a turn of the loop and is reset when the loop
 * comes round; another as long as the process. Nothing is freed one by one. Memory is zeroed but
 * for arena_room(). Running out is a bug of ours (ceilings are set so that it cannot happen): it
 * aborts; the store is safe. */
#ifndef KOIKOI_ARENA_H
#define KOIKOI_ARENA_H

#include "str.h"

struct arena;

struct arena *arena_open(size_t ceiling);             /* grows in chunks up to `ceiling` bytes */
void arena_reset(struct arena *a);                    /* all that was handed out is gone; keeps
                                                         chunks */
void arena_close(struct arena *a);
/* aligned for anything, zeroed */
void *arena_alloc(struct arena *a, size_t size) __attribute__((returns_nonnull));
#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_alloc_array((a), sizeof(type), (n)))
void *arena_alloc_array(struct arena *a, size_t size, size_t n) __attribute__((returns_nonnull));
/* to be written: not zeroed */
char *arena_room(struct arena *a, size_t size) __attribute__((returns_nonnull));
struct str arena_str(struct arena *a, struct str s);  /* a copy, with a NUL behind it for
                                                         libraries */
struct str arena_print(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
size_t arena_used(const struct arena *a);

#endif
