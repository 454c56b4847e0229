/* The keys in an answer to /sync, and the encrypted events that waited for one. */
#ifndef KOIKOI_MATRIX_SEALED_WAITING_H
#define KOIKOI_MATRIX_SEALED_WAITING_H

#include "sync_events.h"

/* Gives the machine its part of the answer, ahead of the rooms, then reads events whose key
 * came. */
void sealed_waiting_read(struct sync_events *g, const cJSON *sync);

#endif
