/* Rendering: effects become messages. The only room that finds words, and the only one that asks
 * what a network can do.
 *
 * What a network cannot do is done the next best way: without buttons the text names the commands;
 * without edits boards are posted anew and kept short; without ephemeral messages in the group a
 * hand goes to the private chat, and without a private chat into a popup. */
#ifndef KOIKOI_PRESENT_H
#define KOIKOI_PRESENT_H

#include "ability.h"
#include "step.h"

/* One login to a network, and what can be done with it. */
struct network {
    int64_t account; /* in the store */
    uint32_t can;    /* bits of enum ability */
    struct limits limits;
    const uint8_t *key;    /* signs button data, PRESS_KEY_BYTES */
    struct str name, link; /* how people find the bot there; empty: not known */
};
struct networks {
    int n;
    const struct network *at;
};

/* Each notice in every venue, and in private to those who cannot read it there; the answer to a
 * press. */
enum { MAX_OUTGOING = MAX_NOTICES * (MAX_VENUES + MAX_PLAYERS) + 1 };

struct message {
    int64_t account;
    struct outgoing out;
};

/* Returns the number of messages in ret; their strings live in fx->arena. Messages for accounts
 * outside `networks` are left out: that network is not connected now. */
int present(const struct world *w, const struct event *e, const struct effects *fx,
            const struct networks *networks, struct message ret[static MAX_OUTGOING]);

#endif
