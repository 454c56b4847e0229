/* Ways of a message: which account sends it, to which chat, in which form. A way that is shut
 * passes it on to the next one. To add one: a row of `ways` in way.c. */
#ifndef KOIKOI_WAY_H
#define KOIKOI_WAY_H

#include "page.h"

#define CLOSE_MS ((int64_t)3600 * 1000) /* buttons that could not be closed by then stay */

/* Sends what d->notice says to all who are to read it. */
void way_take(struct draft *d);

/* Network ids of those who must learn d->notice in the chat d->at, as outgoing.learners: the player it
 * calls, all who sit there, or the people of a tournament. */
struct str apart_learners(const struct draft *d);
/* True in the quiet hours of the player it is for, or of one who plays in the venue: no ringing. */
bool apart_quiet(const struct draft *d);
/* The sender, of an answer in the group where they asked. */
struct str apart_asker(const struct draft *d);
/* What d->notice says in the chat d->at, in private to each of them who cannot read it there. */
void apart_put(struct draft *d);
/* Names a question to one player about the match, so that it can be closed; closes it, where it may be. */
void apart_name_asked(struct draft *d);
void apart_close_asked(struct draft *d);
/* Until when the network takes nothing in the chat of the event. */
void apart_tell_held(struct draft *d);
void apart_tell_tap(struct draft *d);
/* Calls the player of d->notice in plain words, some minutes after their hand: a poll may be all that
 * they got, and clients without polls show nothing of one. */
void apart_call(struct draft *d);
/* It goes, behind all that people wait for. */
void apart_uncall(struct draft *d);

/* NOTICE_INVITES, NOTICE_MOVES: answers an inline query. */
void inline_articles(struct draft *d);
/* All notices of this event for an inline venue, as the one message that stands there. */
void inline_post(struct draft *d);

#endif
