/* One event of a room -> at most one update. */
#ifndef KOIKOI_MATRIX_READ_H
#define KOIKOI_MATRIX_READ_H

#include "room.h"

/* The surroundings of an event: its room, and two lists of events that may name its people. */
struct event_context {
    struct room *room;
    const cJSON *members, *more;
};

/* False if there is no update in it (an echo, a notice, a message not for the bot, garbage). */
bool matrix_read_event(struct matrix *m, struct arena *a, const struct event_context *at,
                       const cJSON *event, struct update *ret);
/* UPDATE_RIGHTS `what` about the room, from `who` (may be empty). The room does not count as a
 * private chat then. */
struct update matrix_read_rights(struct arena *a, const struct room *room, const char *what,
                                 struct sender who);
/* The room is encrypted: one update, so that the bot explains itself once and offers `who` a
 * private chat of its own. False if that update was made before. */
bool matrix_read_encrypted(struct arena *a, struct room *room, struct sender who,
                           struct update *ret);
struct sender matrix_read_sender(struct arena *a, const struct event_context *at, struct str user);

#endif
