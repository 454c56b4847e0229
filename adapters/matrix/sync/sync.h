/* Polls once there is a token: syncs, and the actions on rooms between them. */
#ifndef KOIKOI_MATRIX_SYNC_H
#define KOIKOI_MATRIX_SYNC_H

#include "cursor.h"

void sync_poll(struct matrix *m, struct arena *a, struct request *ret);
bool sync_read(struct matrix *m, struct arena *a, const struct reply *reply,
               struct matrix_session *next, struct batch *ret, struct err *err) MUST_CHECK;

#endif
