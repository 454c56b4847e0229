/* Memory for a library that asks malloc() and free() for each small piece of a tree that goes as a
 * whole:
 *
 *     library_use(pool_take, pool_give);        once
 *     pool_fill(&pool);  ... the library builds or changes the tree ...  pool_fill(NULL);
 *     pool_free(&pool);                         the tree is gone
 *
 * What the library frees while a pool is filled stays until pool_free(); otherwise both are malloc()
 * and free(). Each thread fills its own. */
#ifndef KOIKOI_POOL_H
#define KOIKOI_POOL_H

#include <stddef.h>

/* Zero is an empty one. */
struct pool {
    struct pool_block *newest;
};

void pool_fill(struct pool *p); /* from now on; NULL: none */
/* The first block: so many bytes, if that is known to be less than the usual size. */
void pool_expect(struct pool *p, size_t bytes);
void pool_free(struct pool *p);

void *pool_take(size_t n) __attribute__((returns_nonnull, malloc));
void pool_give(void *p);

#endif
