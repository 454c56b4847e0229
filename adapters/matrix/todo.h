/* The things to do between two syncs: one request each, durable in the cursor until it is done. */
#ifndef KOIKOI_MATRIX_TODO_H
#define KOIKOI_MATRIX_TODO_H

#include "gather.h"

void todo_poll(struct matrix *m, struct arena *a, const struct todo *t, struct request *ret);
bool todo_read(struct matrix *m, struct arena *a, const struct reply *reply, struct session *next,
               struct batch *ret, struct err *err) MUST_CHECK;

#endif
