/* The only place that knows sentences, and the only one that asks what a network can.
 *
 * Effects go in, messages come out. What cannot be done is done the next best way: no buttons - the
 * commands are named; no edits - boards are posted anew and kept short; no private message in the group -
 * the private chat; no private chat - a popup. */
#ifndef KOIKOI_PRESENT_H
#define KOIKOI_PRESENT_H

#include "step.h"

enum { MAX_OUTGOING = 48 };

struct place {                          /* where words go */
    uint32_t can;
    struct limits limits;
    const uint8_t *key;                 /* for button data, PRESS_KEY_BYTES */
};

/* Returns how many; strings live in fx->arena. */
int present(const struct world *w, const struct event *e, const struct effects *fx, const struct place *p,
            struct outgoing ret[static MAX_OUTGOING]);

#endif
