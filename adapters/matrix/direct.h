/* The steps that lead to a private chat with one person. */
#ifndef KOIKOI_MATRIX_DIRECT_H
#define KOIKOI_MATRIX_DIRECT_H

#include "say.h"

/* The next step, or SAY_EVENT when p->room can be spoken in. Sets p->room if it is known. */
enum say_step direct_next(struct matrix *m, const struct outgoing *out, struct progress *p);
void direct_ask(struct matrix *m, struct arena *a, const struct outgoing *out,
                const struct progress *p, enum say_step step, struct request *ret);
/* A good or final answer to such a request: true if it goes on (p says how far), else a receipt. */
bool direct_did(struct matrix *m, struct arena *a, const struct outgoing *out, struct progress *p,
                enum say_step step, const struct reply *reply, struct receipt *ret);

#endif
