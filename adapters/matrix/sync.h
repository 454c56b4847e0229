/* Polls once there is a token: syncs, the events in them, and the actions on rooms between two of
 * them. */
#ifndef KOIKOI_MATRIX_SYNC_H
#define KOIKOI_MATRIX_SYNC_H

#include "polled.h"

void sync_poll(struct matrix *m, struct arena *a, struct request *ret);
bool sync_read(struct polled *p) MUST_CHECK;

/* The surroundings of an event: its room, and two lists of events that may name its people. */
struct event_context {
    struct room *room;
    struct json members, more;
};
/* ---- room_actions.c: one request each, durable in the cursor until done ---- */

void room_actions_poll(struct matrix *m, struct arena *a, const struct room_action *t,
                       struct request *ret);
bool room_actions_read(struct polled *p) MUST_CHECK;

/* ---- read.c: one event of a room -> at most one update ---- */

/* False if there is no update in it (an echo, a notice, a message not for the bot, garbage). */
bool read_event(struct matrix *m, struct arena *a, const struct event_context *at,
                struct json event, struct update *ret);
/* Adds the update of one event, if it has one. A command with a name in it waits until the members
 * are known. */
void read_take(struct polled *p, const struct event_context *at, struct json event);
/* UPDATE_RIGHTS `what` about the room, from `who` (may be empty). The room does not count as a
 * private chat then. */
struct update read_rights(struct arena *a, const struct room *room, const char *what,
                          struct sender who);
/* The room is encrypted: one update, so that the bot explains itself once and offers `who` a
 * private chat of its own. False if that update was made before. */
bool read_encrypted(struct arena *a, struct room *room, struct sender who, struct update *ret);
struct sender read_sender(struct arena *a, const struct event_context *at, struct str user);

/* Replaces each name that is typed in a command ("@bo") by the id of the one member it fits, who is then mentioned. `joined`: of the answer
 * to /joined_members, may be missing. The first name that fits no member, or several, becomes
 * u->unnamed. */
void names_resolve(const struct matrix *m, struct arena *a, struct json joined, struct update *u);

/* ---- events.c ---- */

/* Reads the events of a room in order, from number `first` on: updates, and changes of state. */
void events_read(struct polled *p, const struct event_context *at, struct json events, int first);
/* Gives the machine its part of the answer, ahead of the rooms, then reads events whose key
 * came. */
void events_take_waiting(struct polled *p, struct json sync);

#endif
