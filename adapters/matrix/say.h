/* One outgoing -> one request after another, and what their answers mean. */
#ifndef KOIKOI_MATRIX_SAY_H
#define KOIKOI_MATRIX_SAY_H

#include "progress.h"
#include "seal.h"

/* The request of a send that is under way. */
enum say_step {
    SAY_NOTHING,                /* nothing to do; it is as good as said */
    SAY_WAIT,                   /* there is no session to speak with */
    SAY_QUEUE,                  /* another private chat is being noted: two at once could undo each
                                   other */
    SAY_MEMBER,                 /* is the person still in the private chat? */
    SAY_INVITE,                 /* no: ask them back */
    SAY_CREATE,                 /* make a private chat */
    SAY_CLOSED,                 /* did the server make it an encrypted one? */
    SAY_ABANDON,                /* it did: leave it, and make one in another way */
    SAY_NOTE,                   /* note it in m.direct */
    SAY_UPLOAD,                 /* the picture's bytes */
    SAY_IMAGE,                  /* the picture by itself, ahead of a poll */
    SAY_EVENT,                  /* the message */
    SAY_REDACT
};

void say_send(struct matrix *m, struct arena *a, const struct outgoing *out, struct request *ret);
void say_receipt(struct matrix *m, struct arena *a, const struct outgoing *out,
                 const struct reply *reply, struct receipt *ret);

#endif
