/* Speaking: one outgoing -> one call after another, and what their answers mean. say.c decides
 * which call it is, keyboard.c has its buttons, elsewhere.c what is said where we are not; hide.c
 * sees to it that a secret stays one; verdict.c reads the answers. */
#ifndef TELEGRAM_SAY_H
#define TELEGRAM_SAY_H

#include "telegram.h"

/* ---- say.c ---- */
enum saying {
    SAYING_NOTHING, /* there is nothing to do */
    SAYING_LATER,   /* not before our own name is known */
    SAYING_ANSWER,
    SAYING_ARTICLES,
    SAYING_NEW,
    SAYING_EDIT,
    SAYING_ONE_POST, /* an edit by inline_message_id */
    SAYING_ERASE,
    SAYING_ROOM,      /* a picture is erased to make room for a text */
    SAYING_TRY,       /* a message without words goes ahead: is it hidden? */
    SAYING_TAKE_BACK, /* it was not: it is erased */
    SAYING_UNHIDDEN   /* nothing can be hidden by this server */
};
/* What is called next for it, where, and for which message. */
struct step {
    enum saying saying;
    struct place place;
    struct post post;
    bool hidden; /* a new message, for one person alone */
};
struct step tg_step(const struct telegram *t, const struct outgoing *out);
void tg_say(struct telegram *t, struct arena *a, const struct outgoing *out, struct request *ret);

/* ---- elsewhere.c ---- */
/* What a person may say where we are not. */
struct request tg_articles(struct telegram *t, struct arena *a, const struct outgoing *out);

/* ---- keyboard.c ---- */
/* Buttons under a message that `out` brings about; empty: none of them can be shown. */
struct str tg_keyboard(const struct telegram *t, struct arena *a, const struct outgoing *out,
                       const struct button *buttons, int n);

/* ---- hide.c ---- */
/* What earlier steps of saying it found out, from the words of its progress: "bytes" (the network's
 * own id of the picture is refused), "text" (the picture is), "plain" (our formatting is), "erased"
 * (the picture that stood there is gone), "#29" (the hidden message 29 waits for its words), "!41"
 * (everybody sees message 41). */
struct way {
    bool no_file, no_picture, plain, erased;
    int64_t filling, exposed; /* 0: none */
};
struct way tg_way(struct str progress);
/* A new message that has to be hidden: what is done first. */
void tg_hide(const struct telegram *t, const struct outgoing *out, struct way w, struct step *s);
void tg_try(struct telegram *t, const struct outgoing *out); /* it is under way */
/* It was sent, and is hidden as this message; 0: it is not known. */
void tg_tried(struct telegram *t, struct arena *a, const struct outgoing *out, int64_t hidden,
              struct receipt *ret);
/* It was sent, as this message, and everybody sees it. */
void tg_seen_by_all(struct telegram *t, struct arena *a, const struct outgoing *out, int64_t seen,
                    struct receipt *ret);

/* ---- verdict.c ---- */
/* MORE, with one word more of progress. */
void tg_more(struct arena *a, const struct outgoing *out, struct str word, struct str note,
             struct receipt *ret);
void tg_verdict(struct telegram *t, struct arena *a, const struct outgoing *out,
                const struct reply *reply, struct receipt *ret);

#endif
