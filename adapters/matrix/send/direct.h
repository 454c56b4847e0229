/* The steps to a private chat with one person. */
#ifndef KOIKOI_MATRIX_DIRECT_H
#define KOIKOI_MATRIX_DIRECT_H

#include "progress.h"
#include "room.h"

/* The next step, or SEND_EVENT if the message can go to p->room. Sets p->room if it is known. */
enum send_step direct_next(struct matrix *m, const struct outgoing *out, struct progress *p);
void direct_request(struct matrix *m, struct arena *a, const struct outgoing *out,
                    const struct progress *p, enum send_step step, struct request *ret);
/* Reads a good or final answer. Returns true if the send goes on, with the new progress; else *ret
 * is the receipt. */
bool direct_read(struct matrix *m, struct arena *a, const struct outgoing *out, struct progress *p,
                 enum send_step step, const struct reply *reply, struct receipt *ret);

#endif
