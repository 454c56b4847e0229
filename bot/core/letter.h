/* Inside present: a letter in the making, from which account it is and what stands in it; shared by
 * the files that decide where each say goes (present, letter_asker, letter_table,
 * letter_elsewhere).
 *
 *     letter_by_account(pr, account)          who says what follows, and what that network can
 *     page = letter_page(pr, say)             the words
 *     o = letter_new(pr, OUT_POST, TO_CHAT)   the letter; its other fields are filled in by the caller
 *     letter_text(pr, o, page, chars)         the words go in
 */
#ifndef KOIKOI_LETTER_H
#define KOIKOI_LETTER_H

#include "page.h"

struct presenting {
    const struct world *w;
    const struct event *e;
    const struct effects *fx;
    const struct places *places;
    const struct place *p;              /* of what is being said */
    struct place narrow;                /* the same where there is one message only */
    struct card_names *names;           /* as far as they were asked for */
    struct letter *out;                 /* MAX_OUTGOING */
    int n;
};

/* What follows is said by this account; false: it is not there. */
bool letter_by_account(struct presenting *pr, int64_t account);
/* What follows is said where there is but one message. */
void letter_in_one_post(struct presenting *pr);
bool letter_can(const struct presenting *pr, enum ability a);
/* The table as it is looked at from venue i, by the account that speaks. */
const struct table *letter_seen_at(const struct presenting *pr, const struct table *t, int i);

/* A page for this say, in the language of who reads it: with nothing on it, or written. */
struct page *letter_blank(struct presenting *pr, const struct say *say);
struct page *letter_page(struct presenting *pr, const struct say *say);
/* What the page writes about from here on. */
void letter_about(struct page *pg, const struct say *say);

/* Adds a letter to the chat of the event. */
struct outgoing *letter_new(struct presenting *pr, enum out_kind kind, enum out_where where);
/* The page's words and buttons; chars: what the place holds, 0 = no limit. */
void letter_text(struct presenting *pr, struct outgoing *o, struct page *pg, int chars);
/* The page's picture too, if its words fit under one: else they go alone. After letter_text(). */
void letter_picture(struct presenting *pr, struct outgoing *o, const struct page *pg);
/* "board:12", "ping:12:3"; n -1: without. */
struct str letter_slot(struct presenting *pr, const char *what, int64_t no, int64_t n);

/* To the person who asked, and nobody else. */
void letter_to_asker(struct presenting *pr, const struct say *say, struct page *pg);
/* The same for a long text: in as many messages as it takes, cut between lines. */
void letter_to_asker_long(struct presenting *pr, const struct say *say);
/* Names who asked as the one it is for. */
void letter_whom(struct presenting *pr, struct outgoing *o);

void letter_to_seat(struct presenting *pr, const struct say *say);
void letter_to_table(struct presenting *pr, const struct say *say);
/* In the private chat of somebody on another network. */
void letter_to_handle(struct presenting *pr, const struct say *say);

/* In a chat that the bot is not in: the one message there, of all that was said at its table. */
void letter_one_post(struct presenting *pr);
/* Answers who looks for something to say there. */
void letter_articles(struct presenting *pr, const struct say *say);

#endif
