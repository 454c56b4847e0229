/* Encrypted events of a timeline, opened; those that cannot be are kept or said. */
#ifndef KOIKOI_MATRIX_SEALED_EVENT_H
#define KOIKOI_MATRIX_SEALED_EVENT_H

#include "read.h"

/* What is to be done with an event. */
enum sealed_event {
    SEALED_READ, /* it is read: what was sealed in it if *ret is set, which cJSON_Delete frees; else
                    as it is */
    SEALED_SKIP, /* nothing: its key has not come and it waits in the vault, or somebody said in the
                    clear what is said sealed in this room */
    SEALED_SAY   /* it never opens, and *ret_said says so */
};
enum sealed_event sealed_event_open(struct matrix *m, struct arena *a, struct room *room,
                                    const cJSON *event, cJSON **ret, struct update *ret_said);

/* An event that waits: {since, told, event}, under "wait TAB room TAB event id". */
void sealed_event_keep(struct matrix *m, struct arena *a, const char *name, int64_t since,
                       bool told, const cJSON *event);
/* True, with the update that says so, for an event that cannot be opened; false if one in this room
 * was said and its sender's next one has not been opened since. */
bool sealed_event_unread(struct matrix *m, struct arena *a, struct room *room, const cJSON *event,
                         struct update *ret);
/* An event was opened. */
void sealed_event_opened(struct matrix *m, struct arena *a, const struct room *room,
                         const cJSON *event);

#endif
