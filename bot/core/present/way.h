/* Ways of a message: which account sends it, to which chat, in which form. A way that is shut
 * passes it on to the next one. To add one: a row of `ways` in way.c. */
#ifndef KOIKOI_WAY_H
#define KOIKOI_WAY_H

#include "page.h"

/* Sends what d->notice says to all who are to read it. */
void way_take(struct draft *d);

/* NOTICE_INVITES, NOTICE_MOVES: answers an inline query. */
void inline_articles(struct draft *d);
/* All notices of this event for an inline venue, as the one message that stands there. */
void inline_post(struct draft *d);

#endif
