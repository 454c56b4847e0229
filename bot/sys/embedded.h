/* The files under config/ as they were at build time, inside the program: rule sets, texts, schema.
 * A daemon needs no file beside it; a file of the same name in the configured folder wins over
 * these. */
#ifndef KOIKOI_EMBEDDED_H
#define KOIKOI_EMBEDDED_H

#include "str.h"

struct embedded { const char *name; struct str bytes; };    /* "rules/sensei.json" */

/* All of them, in the order of their names: 0 ... embedded_count() - 1. */
int embedded_count(void);
struct embedded embedded_at(int i);
/* The bytes of one, {NULL, 0} if there is none. Constant, for ever. */
struct str embedded_find(struct str name);

#endif
