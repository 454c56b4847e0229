/* The steps ahead of an event in an encrypted room. */
#ifndef KOIKOI_MATRIX_SEALED_H
#define KOIKOI_MATRIX_SEALED_H

#include "progress.h"
#include "room.h"
#include "seal.h"

/* The step to take instead of `step`: one of SEND_MEMBERS to SEND_SEAL, SEND_WAIT or SEND_QUEUE, or
 * `step` itself. *ret is the request of SEND_KEYS. Drops a ciphertext that is not for this room. */
enum send_step sealed_next(struct matrix *m, struct arena *a, const struct outgoing *out,
                           struct progress *p, struct str room, enum send_step step,
                           struct seal_request *ret);
void sealed_request(struct matrix *m, struct arena *a, const struct outgoing *out, struct str room,
                    enum send_step step, const struct seal_request *keys, struct request *ret);
/* Reads a good answer to SEND_MEMBERS or SEND_KEYS. */
bool sealed_read(struct matrix *m, struct arena *a, const struct outgoing *out, struct str room,
                 enum send_step step, const struct reply *reply, struct err *err) MUST_CHECK;
/* Sets the ciphertext in *p; frees `content`. */
bool sealed_make(struct matrix *m, struct arena *a, struct str room, const char *type,
                 cJSON *content, struct progress *p, struct err *err) MUST_CHECK;
/* Seals the body of an upload, if the room is encrypted. */
void sealed_upload(struct matrix *m, struct arena *a, const struct outgoing *out, struct str room,
                   struct request *ret);

#endif
