/* Memory that outlives a turn: malloc and its family, which never return NULL here. A failed
 * allocation prints one line and aborts; the store is safe, and the supervisor starts the daemon
 * again. So callers need no path for it. Release memory with free().
 *
 *     struct server *s = alloc_zeroed(sizeof *s);
 *     list->at = alloc_grow(list->at, (size_t)list->cap * sizeof *list->at);
 *     char *name = alloc_text(given);
 */
#ifndef KOIKOI_ALLOC_H
#define KOIKOI_ALLOC_H

#include "str.h"

void *alloc_zeroed(size_t size) __attribute__((returns_nonnull, malloc));
/* n pieces of `size` bytes, zeroed; n * size may not overflow. */
void *alloc_array(size_t n, size_t size) __attribute__((returns_nonnull, malloc));
/* Not zeroed. */
void *alloc_room(size_t size) __attribute__((returns_nonnull, malloc));
/* realloc(); the added bytes are not zeroed. */
void *alloc_grow(void *p, size_t size) __attribute__((returns_nonnull));
/* A copy with a NUL behind it. */
char *alloc_text(struct str s) __attribute__((returns_nonnull, malloc));
/* Gives freed memory back to the system. Takes milliseconds. */
void alloc_trim(void);

#endif
