/* Routed message: one outgoing message with its account, chat and form. Shared by the files that
 * route notices: present.c, message_asker.c, message_table.c, message_inline.c.
 *
 *     message_from_account(render, account)        chooses the account, and with it the network
 *     body = message_body(render, notice)          writes the words
 *     o = message_new(render, OUT_POST, TO_CHAT)   adds a message; the caller fills in the address
 *     message_text(render, o, body, chars)         puts the words in
 */
#ifndef KOIKOI_MESSAGE_H
#define KOIKOI_MESSAGE_H

#include "present.h"
#include "present_bodies.h"

/* Context of one call of present(). */
struct render {
    const struct world *w;
    const struct event *e;
    const struct effects *fx;
    const struct networks *networks;
    const struct network *network; /* the one that sends what is written now */
    struct network one_post;       /* a copy of it, cut down by message_one_post() */
    struct card_names *names;      /* cache, see body.h */
    struct message *out;           /* MAX_OUTGOING */
    int n;
};

/* Makes this account the sender of what follows. Returns false if no network has it. */
bool message_from_account(struct render *render, int64_t account);
/* Limits what follows to what one message that everybody shares can do (inline mode). */
void message_one_post(struct render *render);
bool message_can(const struct render *render, enum ability a);
/* The table as venue i sees it: ids of people on other networks than the sender's are empty. */
const struct table *message_table_at(const struct render *render, const struct table *t, int i);

/* A body for this notice in its reader's language: empty, or written. */
struct body *message_blank_body(struct render *render, const struct notice *notice);
struct body *message_body(struct render *render, const struct notice *notice);
/* Makes this notice the subject of what is written next. */
void message_about(struct body *body, const struct notice *notice);

/* Adds a message to the chat of the event. */
struct outgoing *message_new(struct render *render, enum out_kind kind, enum out_where where);
/* Puts in the body's words and buttons, cut to `chars` units; 0: no limit. */
void message_text(struct render *render, struct outgoing *o, struct body *body, int chars);
/* Puts in the body's picture if the words fit its caption, else leaves it out. Call it after
 * message_text(). */
void message_picture(struct render *render, struct outgoing *o, const struct body *body);
/* The same for results: if the words do not fit, as many lines as do stand under the picture, and
 * the others with the buttons in a second message, which makes no sound. */
void message_picture_first(struct render *render, struct outgoing *o, const struct body *body);
/* "board:12", "ping:12:3"; n -1: without the third part. */
struct str message_slot(struct render *render, const char *what, int64_t no, int64_t n);
/* Addresses a message to the sender of the event. */
void message_to_sender(struct render *render, struct outgoing *o);

/* ---- routes: each adds as many messages as the notice needs ---- */

/* TO_ASKER. */
void message_to_asker(struct render *render, const struct notice *notice, struct body *body);
/* TO_TOURNAMENT. */
void message_to_tournament(struct render *render, const struct notice *notice);
/* NOTICE_EXPORT: the record as a file in private, else as text in as many messages as it takes. */
void message_record(struct render *render, const struct notice *notice);
/* NOTICE_MYDATA, in private: as a file where the network has them. */
void message_data(struct render *render, const struct notice *notice);
/* TO_SEAT. */
void message_to_seat(struct render *render, const struct notice *notice);
/* TO_TABLE. */
void message_to_table(struct render *render, const struct notice *notice);
/* TO_HANDLE. */
void message_to_handle(struct render *render, const struct notice *notice);

/* All notices of this event for an inline venue, as the one message that stands there. */
void message_inline_post(struct render *render);
/* NOTICE_INVITES, NOTICE_MOVES: answers an inline query. */
void message_inline_articles(struct render *render, const struct notice *notice);

#endif
