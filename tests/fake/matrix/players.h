/* Players on the fake homeserver. They act by themselves after each answer of the server: they
 * join, accept, move and say that they are ready, until the match is over. Their actions depend
 * only on the messages they can see, so a story repeats exactly. */
#ifndef KOIKOI_FAKE_PLAYERS_H
#define KOIKOI_FAKE_PLAYERS_H

#include "home.h"

enum { MOST_PLAYERS = 3 };

enum players_way {
    PLAYERS_VOTE, /* by a poll in the private chat */
    PLAYERS_TYPE, /* types a number in the private chat */
    PLAYERS_REACT /* reacts with a number to the hand in the private chat */
};

struct players;
struct players_progress {
    int moves, boards;
    bool over;
    char result[160]; /* the message that says so, as far as it fits */
};

/* Players with these user names; the bot is @bot:koi.test. The first creates the room "Tea room",
 * invites all, and sends "!koi challenge ... PRESET" once the bot has joined. `h` must outlive
 * their last action. */
struct players *players_open(struct home *h, int n, const char *const *names, const char *preset,
                             enum players_way way);
void players_close(struct players *p); /* after home_close() */
struct players_progress players_progress(struct players *p);
const char *players_room(struct players *p);
/* In place of a challenge the first says "!koi join CODE", and all accept. */
void players_join(struct players *p, const char *code);
/* They stop after so many moves; 0: they go on. */
void players_stop_after(struct players *p, int moves);
/* The first player upgrades the room after so many moves. */
void players_upgrade_after(struct players *p, int moves);

#endif
