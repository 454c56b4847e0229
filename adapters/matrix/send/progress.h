/* Progress of a send: its steps, and the data kept between them. */
#ifndef KOIKOI_MATRIX_PROGRESS_H
#define KOIKOI_MATRIX_PROGRESS_H

#include "adapter.h"

/* The request of a send that is under way. */
enum send_step {
    SEND_NOTHING,          /* no request: the message counts as sent */
    SEND_WAIT,             /* no session yet */
    SEND_QUEUE,            /* waits for another row that writes m.direct: two writes at once
                              could undo each other */
    SEND_MEMBER,           /* is the person still in the private chat? */
    SEND_INVITE,           /* no: invite them again */
    SEND_CREATE,           /* create a private chat */
    SEND_CREATE_PUBLIC,    /* by the public preset: the server encrypts the other */
    SEND_CHECK_ENCRYPTION, /* did the server encrypt it? */
    SEND_KICK,             /* it did: take the invitation back */
    SEND_ABANDON,          /* and leave it; the next one uses another preset */
    SEND_NOTE_DIRECT,      /* write it into m.direct */
    /* in encrypted rooms, ahead of what is sealed */
    SEND_MEMBERS, /* who is in the room */
    SEND_KEYS,    /* a request of the seal */
    SEND_STORED,  /* no request: the keys are stored first */
    SEND_FRESH,   /* no request: the picture is wanted as bytes, to be sealed */
    SEND_SEAL,    /* no request: the event is sealed */
    SEND_UPLOAD,  /* the picture's bytes */
    SEND_IMAGE,   /* the picture in an event of its own, ahead of a poll */
    SEND_EVENT,   /* the message */
    SEND_POLL_END,
    SEND_REDACT
};

/* The content of outgoing.progress. */
struct progress {
    struct str room;    /* the private chat; empty until known */
    struct str picture; /* mxc://...; "-": the server refused the upload */
    struct str image;   /* the event of SEND_IMAGE; empty until it is sent */
    /* The private chat: created by us; found unencrypted; written into m.direct; its person is a
     * member. */
    bool made, open, noted, in;
    bool abandon, public_preset; /* leave it; made, or to be made, by the public preset */
    bool renew;                  /* the known private chat is of no use */
    bool able;                   /* not stored: the person can read a sealed private chat */
    /* The ciphertext of the next event, and the room it is for. The last of the words. */
    struct str sealed_for, sealed;
};
struct progress progress_read(struct str text);
struct str progress_write(struct arena *a, const struct progress *p);

#endif
