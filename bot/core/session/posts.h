/* Messages whose buttons go dead together with what they are about, counted by session. One of each
 * kind stands at most; their buttons carry its number, so that a press on an older one is known. */
#ifndef KOIKOI_POSTS_H
#define KOIKOI_POSTS_H

#include <stdint.h>

enum posted {
    POSTED_OFFER,    /* while the challenge is open */
    POSTED_PAUSE,    /* between two rounds */
    POSTED_QUESTION, /* while it is open: enum ask */
    POSTED_TIME,     /* while the player to move is out of time */
    POSTED_REMINDER, /* while the match runs */
    N_POSTED
};

struct posts {
    uint32_t n;                  /* so far */
    uint32_t standing[N_POSTED]; /* the number of the one that stands; 0 = none */
};

#endif
