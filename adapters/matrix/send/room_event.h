/* The event that a message of the outbox becomes: where it goes, what it is, what it replaces. */
#ifndef KOIKOI_MATRIX_ROOM_EVENT_H
#define KOIKOI_MATRIX_ROOM_EVENT_H

#include "content.h"
#include "progress.h"
#include "room.h"

/* The destination: a room, and perhaps a thread in it. */
struct room_ref {
    struct str room, thread;
};
struct room_ref room_event_place(const struct outgoing *out, const struct progress *p);
bool room_event_is_poll(const struct matrix *m, const struct outgoing *out, struct str room);
bool room_event_is_post_of_poll(struct str post);
/* The picture, as content_picture() names it; empty if it has none. */
struct str room_event_picture(const struct outgoing *out, const struct progress *p);
/* The event id in the id of a post. */
struct str room_event_id(struct str post);
/* True if the file or picture must still be uploaded. */
bool room_event_uploads(const struct matrix *m, const struct outgoing *out,
                        const struct progress *p);
/* The event that this one edits; empty for a new event. The old one must be of the same kind, and
 * an edit notifies no one. */
struct str room_event_replaced(const struct matrix *m, const struct outgoing *out,
                               const struct progress *p, struct str room);

/* An event that is to be sent; `part` tells it from others of its row. */
struct room_event {
    const char *type;
    cJSON *content;
    char part;
};
struct room_event room_event_make(struct matrix *m, struct arena *a, const struct outgoing *out,
                                  const struct progress *p, bool image_alone);

#endif
