/* Encrypted events of a timeline, opened. */
#ifndef KOIKOI_MATRIX_SEALED_EVENT_H
#define KOIKOI_MATRIX_SEALED_EVENT_H

#include "room.h"

/* True if the event is to be read: as it is, or what was sealed in it if *ret is set, which
 * cJSON_Delete frees. False if its key has not come (it waits in the vault then), if it never
 * opens, or if somebody said in the clear what in this room is said sealed. */
bool sealed_event_open(struct matrix *m, struct arena *a, struct room *room, const cJSON *event,
                       cJSON **ret);

#endif
