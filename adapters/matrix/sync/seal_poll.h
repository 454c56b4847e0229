/* Requests of the seal between two syncs: the signing of this device, keys to upload, devices to
 * look up. */
#ifndef KOIKOI_MATRIX_SEAL_POLL_H
#define KOIKOI_MATRIX_SEAL_POLL_H

#include "cursor.h"

/* True, with a request or REQUEST_NONE for a moment, if one is due before the next sync. */
bool seal_poll(struct matrix *m, struct arena *a, struct request *ret);
bool seal_poll_read(struct matrix *m, struct arena *a, const struct reply *reply,
                    struct matrix_session *next, struct batch *ret, struct err *err) MUST_CHECK;

#endif
