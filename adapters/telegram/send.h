/* Sending: one outgoing -> one call after another, and what their answers mean. The files call
 * downwards only:
 *
 *     send.c  receipt.c    requests, with buttons and articles; answers
 *     plan.c               which call is next, from what earlier ones found out
 *     html.c               our marked text as Telegram shows it
 */
#ifndef TELEGRAM_SEND_H
#define TELEGRAM_SEND_H

#include "telegram.h"

/* ---- plan.c: progress ---- */
/* What earlier steps of a send found out, from the words of outgoing.progress: "bytes" (the network
 * refuses its own id of the picture), "text" (it refuses the picture), "plain" (it refuses our
 * formatting), "erased" (the picture that stood there is deleted), "main" (the topic of the private
 * chat is gone), "alone" (the message that it answers is), "#29" (the ephemeral message 29 waits for
 * its text), "~29" (it could not get the text, and is to be deleted), "anew" (it is deleted), "!41"
 * (everybody sees message 41). */
struct send_progress {
    bool no_file, no_picture, plain, erased, no_topic, no_reply;
    int64_t hidden_post, stale_post, exposed_post; /* 0: none */
};

/* ---- plan.c: the next call ---- */
enum send_action {
    SEND_NOTHING,
    SEND_LATER,  /* waits: for our own name, or for the probe of another row */
    SEND_ASK,    /* getChatMember */
    SEND_TYPING, /* sendChatAction */
    SEND_ANSWER,
    SEND_ARTICLES,
    SEND_NEW,
    SEND_EDIT,
    SEND_INLINE_EDIT, /* an edit by inline_message_id */
    SEND_ERASE,
    SEND_CLOSE,         /* an edit that removes the buttons alone */
    SEND_ERASE_PICTURE, /* ahead of a text that takes its place */
    SEND_PROBE,         /* a message without text: does the server hide it? */
    SEND_CLEAR,         /* deletes that message, which could not get its text */
    SEND_RETRACT,       /* it does not: delete that message */
    SEND_NOT_HIDDEN     /* this server hides no message */
};
/* The next call for an outgoing, its chat, and the message it is about. */
struct send_plan {
    enum send_action action;
    struct chat_ref to;
    struct post post;
    bool hidden; /* a new message that is ephemeral */
};

/* One message on its way: the call that is due, or, with a receipt, was answered. */
struct tg_sending {
    struct telegram *t;
    struct arena *a;
    const struct outgoing *out;
    struct send_progress so_far;
    struct send_plan plan;
    struct receipt *receipt;
};
struct tg_sending tg_plan(struct telegram *t, struct arena *a, const struct outgoing *out);
/* True if the picture is there and may be used. *file: the network's own id of it, or empty. */
bool tg_plan_picture(const struct tg_sending *s, struct str *file);

/* ---- send.c ---- */
void tg_send(void *account, struct arena *a, const struct outgoing *out, struct request *ret);

/* ---- plan.c: ways that were refused lately ---- */
/* True if this message would be refused, as one was before: it is not sent. */
bool tg_closed(const struct tg_sending *s);
/* It was refused for its way. */
void tg_closed_add(const struct tg_sending *s);

/* ---- html.c ---- */
/* Both cut the text at `most` UTF-16 units as shown (Telegram counts after parsing the markup), put
 * an ellipsis there, and close all open tags. */
struct str tg_html(struct arena *a, struct str marked, size_t most);
struct str tg_html_plain(struct arena *a, struct str marked, size_t most);

/* ---- receipt.c ---- */
void tg_receipt(void *account, struct arena *a, const struct outgoing *out,
                const struct reply *reply, struct receipt *ret);

#endif
