/* The only door to sentences: what is said, where and in what form, by what each network can.
 *
 * Effects go in, messages come out. What cannot be done is done the next best way: no buttons - the
 * commands are named; no edits - boards are posted anew and kept short; no private message in the
 * group - the private chat; no private chat - a popup. */
#ifndef KOIKOI_PRESENT_H
#define KOIKOI_PRESENT_H

#include "step.h"

enum { MAX_OUTGOING = MAX_SAYS * MAX_VENUES + 1 /* the answer to a press */ };

struct place {                          /* where words go: one network login */
    int64_t account;                    /* in the store */
    uint32_t can;
    struct limits limits;
    const uint8_t *key;                 /* for button data, PRESS_KEY_BYTES */
};
struct places { int n; const struct place *at; };

struct letter { int64_t account; struct outgoing out; };

/* Returns how many; strings live in fx->arena. What goes to an account that is none of the places
 * is left out: that network is not there now. */
int present(const struct world *w, const struct event *e, const struct effects *fx,
            const struct places *places, struct letter ret[static MAX_OUTGOING]);

#endif
