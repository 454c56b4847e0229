/* The account's durable state as one line of JSON. It holds tokens: it is stored and never shown. A
 * line that cannot be read, or of other options, becomes an empty session that keeps its birth. */
#ifndef KOIKOI_MATRIX_CURSOR_H
#define KOIKOI_MATRIX_CURSOR_H

#include "wire.h"

void cursor_read(const struct matrix *m, struct arena *a, struct str cursor,
                 struct matrix_session *ret);
struct str cursor_write(struct arena *a, const struct matrix_session *s);

/* Appends an action, or makes it the first. False if the list is full. */
bool cursor_add_action(struct matrix_session *s, struct room_action action);
bool cursor_add_action_first(struct matrix_session *s, struct room_action action);
void cursor_drop_action(struct matrix_session *s); /* the first one */

#endif
