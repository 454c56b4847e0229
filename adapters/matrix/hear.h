/* One event of a room -> at most one update. */
#ifndef KOIKOI_MATRIX_HEAR_H
#define KOIKOI_MATRIX_HEAR_H

#include "room.h"

/* Where an event was found: `members` and `more` are lists of events that may name its people. */
struct scene {
    struct room *room;
    const cJSON *members, *more;
};

/* False: nothing to pass on (an echo, a notice, chatter in a group, something garbled). */
bool hear_event(struct matrix *m, struct arena *a, const struct scene *at, const cJSON *event,
                struct update *ret);
/* The room cannot be read: for one explanation, and for a way out to `who` (may be nobody) in a
 * chat of our own, which is why it counts as no private chat. False if that was said before. */
bool hear_encrypted(struct arena *a, struct room *room, struct sender who, struct update *ret);
struct sender hear_sender(struct arena *a, const struct scene *at, struct str user);

#endif
