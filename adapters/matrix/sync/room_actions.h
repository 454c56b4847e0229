/* Actions on rooms between two syncs: one request each, durable in the cursor until done. */
#ifndef KOIKOI_MATRIX_ROOM_ACTIONS_H
#define KOIKOI_MATRIX_ROOM_ACTIONS_H

#include "sync_events.h"

void room_actions_poll(struct matrix *m, struct arena *a, const struct room_action *t,
                       struct request *ret);
bool room_actions_read(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct matrix_session *next, struct batch *ret, struct err *err) MUST_CHECK;

#endif
