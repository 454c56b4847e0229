/* People who play on a homeserver of the test by themselves, each time the server has answered a
 * request: they go where they are invited, accept, vote in the polls of moves, say that they are
 * ready, until the match is over. What they do follows from what they were told alone, so that a
 * story can be told again. */
#ifndef KOIKOI_HOME_PEOPLE_H
#define KOIKOI_HOME_PEOPLE_H

#include "home.h"

enum { MOST_PEOPLE = 3 };

enum people_way {
    PEOPLE_VOTE,                /* in polls, in the private chat */
    PEOPLE_TYPE,                /* a number, in the private chat */
    PEOPLE_REACT                /* with a number, to the hand in the private chat */
};

struct people;
struct people_said { int moves, boards; bool over; };

/* They are users of these names; the bot is @bot:koi.test. The first makes the room `room_name`,
 * invites all, and says "!koi challenge ... PRESET" once the bot is in. Their server is h until it
 * is closed. */
struct people *people_open(struct home *h, int n, const char *const *names, const char *preset,
                           enum people_way way);
void people_close(struct people *p);            /* after home_close() */
struct people_said people_said(struct people *p);
const char *people_room(struct people *p);
/* They make no more than so many moves; 0: they go on. */
void people_rest(struct people *p, int moves);
/* The first upgrades the room when so many moves were made. */
void people_upgrade(struct people *p, int moves);

#endif
