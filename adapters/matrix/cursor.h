/* The account's durable state as one line of JSON. It holds tokens: the shell stores it and shows
 * it to nobody. What cannot be read, or was made for other options, is an empty session of the same
 * birth. */
#ifndef KOIKOI_MATRIX_CURSOR_H
#define KOIKOI_MATRIX_CURSOR_H

#include "wire.h"

void cursor_read(const struct matrix *m, struct arena *a, struct str cursor, struct session *ret);
struct str cursor_write(struct arena *a, const struct session *s);

/* Puts a thing to do at the end (or first in line). False: the list is full. */
bool todo_add(struct session *s, struct todo todo);
bool todo_first(struct session *s, struct todo todo);
void todo_drop(struct session *s);                        /* the first one is done */

#endif
