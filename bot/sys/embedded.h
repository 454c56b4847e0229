/* Built-in copies of the files under config/: rule sets, texts, schema, pages. The daemon needs no
 * file beside it; a file of the same name in the configured folder overrides the copy. Those of pages
 * ("web/...") are compressed by gzip, and named as they are asked for. */
#ifndef KOIKOI_EMBEDDED_H
#define KOIKOI_EMBEDDED_H

#include "str.h"

struct embedded {
    const char *name;
    struct str bytes;
}; /* "rules/sensei.json" */

/* All of them, in the order of their names: 0 ... embedded_count() - 1. */
int embedded_count(void);
struct embedded embedded_at(int i);
/* Returns {NULL, 0} if not found. The bytes live as long as the process. */
struct str embedded_find(struct str name);
/* The commit that the program was built from, "5a386236"; empty: unknown. */
struct str embedded_commit(void);

#endif
