/* Sending: one outgoing -> one request after another, and their answers -> a receipt. The files
 * call downwards only:
 *
 *     send.c                        the next step, its request, its receipt
 *     direct.c  encrypted_send.c    the steps to a private chat; those ahead of an encrypted event
 *     content.c                     the event that a message becomes, as JSON
 *     markup.c                      marked text as the two bodies of a message
 */
#ifndef KOIKOI_MATRIX_SEND_H
#define KOIKOI_MATRIX_SEND_H

#include "crypto.h"

void matrix_send(void *account, struct arena *a, const struct outgoing *out, struct request *ret);
bool matrix_edits(void *account, const struct outgoing *out);
void matrix_receipt(void *account, struct arena *a, const struct outgoing *out,
                    const struct reply *reply, struct receipt *ret);

/* The request of a send that is under way. */
enum send_step {
    SEND_NOTHING,          /* no request: the message counts as sent */
    SEND_WAIT,             /* no session yet */
    SEND_PAUSE,            /* ahead of the second attempt after a refusal */
    SEND_QUEUE,            /* waits for another row that writes m.direct: two writes at once
                              could undo each other */
    SEND_WIDGET,           /* a state event, never encrypted */
    SEND_INVITE,           /* the person is not in the private chat: invite them again */
    SEND_CREATE,           /* create a private chat */
    SEND_CREATE_PUBLIC,    /* by the public preset: the server encrypts the other */
    SEND_CHECK_ENCRYPTION, /* is the room encrypted? */
    SEND_KICK,             /* it did: take the invitation back */
    SEND_ABANDON,          /* and leave it; the next one uses another preset */
    SEND_NOTE_DIRECT,      /* write it into m.direct */
    SEND_MEMBERS,          /* who is there: ahead of what is private or encrypted */
    SEND_BARRED,           /* no request: the message may not go there */
    /* in encrypted rooms, ahead of what is encrypted */
    SEND_KEYS,    /* a request of the machine */
    SEND_STORED,  /* no request: the keys are stored first */
    SEND_FRESH,   /* no request: the picture is wanted as bytes, to be encrypted */
    SEND_ENCRYPT, /* no request: the event is encrypted */
    SEND_FILL,    /* the picture's bytes, behind the message */
    SEND_RESERVE, /* an address for them, ahead of it */
    SEND_UPLOAD,  /* the bytes, ahead of it */
    SEND_IMAGE,   /* the picture in an event of its own, ahead of a poll */
    SEND_EVENT,   /* the message */
    SEND_REDACT,  /* what is to go: a message, a poll that is over */
    SEND_TYPING
};

/* What earlier steps have found out: the content of outgoing.progress. */
struct progress {
    struct str room;    /* the private chat; empty until known */
    struct str picture; /* mxc://...; "-": the server refused the upload */
    struct str image;   /* the event of SEND_IMAGE; empty until it is sent */
    /* The private chat: created by us; unencrypted; written into m.direct; this row invited. */
    bool made, open, noted, in;
    bool abandon, public_preset; /* leave it; made, or to be made, by the public preset */
    bool renew;                  /* the known private chat is of no use */
    bool bare;                   /* it was refused: without what it answers, thread, picture */
    bool anew;                   /* and once more, later, as a new one */
    bool reserved, said;         /* the picture's bytes follow the message; it is there */
    struct str before;           /* the poll whose place it takes, and which goes then */
    bool able;                   /* not stored: the person can read an encrypted private chat */
    /* The ciphertext of the next event, and the room it is for. The last of the words. */
    struct str encrypted_for, encrypted;
};

/* One step of a send. */
struct sending {
    struct matrix *m;
    struct arena *a;
    const struct outgoing *out;
    enum send_step step;
    struct progress progress;
    struct crypto_request keys; /* of SEND_KEYS */
    /* once it is answered */
    const struct reply *reply;
    struct json answer; /* no value if the reply is not good */
    struct wire_error error;
    struct receipt *receipt;
};

/* ---- direct.c ---- */

/* True if only one person may see the message. */
bool direct_is_private(const struct sending *s);
/* The next step, or SEND_EVENT if the message can go to progress.room, which is set if known. */
enum send_step direct_next(struct sending *s);
/* True if this row has asked who is in the room, whose members are the same since then. */
bool direct_looked(const struct sending *s, const struct room *room);
void direct_request(const struct sending *s, struct request *ret);
/* Reads a good or final answer. True: the send goes on with the new progress; else see receipt. */
bool direct_read(struct sending *s);

/* ---- encrypted_send.c ---- */

/* The step to take instead of `step`: one of SEND_MEMBERS to SEND_ENCRYPT, SEND_CHECK_ENCRYPTION,
 * SEND_WAIT or SEND_QUEUE, or `step` itself. Sets s->keys. Drops a ciphertext that is not for this
 * room. What is for one person alone goes only past this call: see may_go(). */
enum send_step encrypted_next(struct sending *s, enum send_step step);
void encrypted_request(const struct sending *s, struct request *ret);
/* Reads a good answer to SEND_MEMBERS or SEND_KEYS; SEND_ENCRYPT makes the event's ciphertext. */
bool encrypted_read(struct sending *s, const char *type, struct str content,
                    struct err *err) MUST_CHECK;
/* Encrypts the body of an upload, if the room is encrypted. */
void encrypted_upload(const struct sending *s, struct request *ret);

/* ---- content.c ---- */

#define PICTURE_NAME "koikoi.png"

/* The destination: a room, and perhaps a thread in it. */
struct room_ref {
    struct str room, thread;
};
struct room_ref content_place(const struct sending *s);
bool content_is_poll(const struct sending *s);
bool content_is_post_of_poll(struct str post);
/* The picture, as content_picture_name() names it; empty if it has none. */
struct str content_picture(const struct sending *s);
/* An uploaded picture as a word with width, height and bytes: "mxc://server/id#800,612,45123". */
struct str content_picture_name(struct arena *a, struct str mxc, struct str png);
/* True if the file or picture has no address yet. */
bool content_uploads(const struct sending *s);
/* The event id in the id of a post. */
struct str content_event_id(struct str post);
/* The event that this one edits, of the same kind; empty for a new event. Edits notify no one. */
struct str content_replaced(const struct sending *s);

/* An event that is to be sent; `part` tells it from others of its row. */
struct room_event {
    const char *type;
    struct str content;
    char part;
};
struct room_event content_event(const struct sending *s, bool image_alone);

/* ---- markup.c ---- */

enum { MAX_NAMED = 16 };

struct rendered {
    struct str plain; /* for screen readers, notifications and old clients */
    struct str html;  /* empty if the text has no mark */
    int n_named;
    struct str named[MAX_NAMED]; /* ids of the people in the text, each once */
};
struct rendered markup_render(struct arena *a, struct str text);

#endif
