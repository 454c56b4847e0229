/* One answer to a poll: what is read from it, and what becomes of a poll that fails. A server
 * decides how many events an answer has: beyond MAX_EVENTS, or MAX_BATCH updates, the rest is not
 * read, with a line in the log. */
#ifndef KOIKOI_MATRIX_POLLED_H
#define KOIKOI_MATRIX_POLLED_H

#include "room.h"

enum { MAX_EVENTS = 50 * 1000, MAX_BATCH = 4000 };

struct polled {
    struct matrix *m;
    struct arena *a;
    const struct reply *reply;
    struct json answer;          /* no value if the reply is not good */
    struct wire_error error;     /* of such a reply */
    struct matrix_session *next; /* stored before its tokens are used */
    struct batch *batch;
    struct err *err;
    int cap;             /* of the batch */
    int n_events;        /* read so far */
    struct update spare; /* additions to a full batch go here */
};

/* True if another attempt may succeed: no answer, a server's error, a rate limit. */
bool polled_may_retry(const struct polled *p);
/* The poll brought nothing and is tried again, in 1, 2, 4 ... 64 s, or later if the server asks for
 * it. Always returns false, with the error. */
bool polled_retry(struct polled *p, const char *what);
/* The account cannot work. Always returns false. */
bool polled_fatal(struct polled *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The server refuses the access token: plans a refresh or a new login in p->next. Returns false,
 * fatal, if the token is the configured one. */
bool polled_token_lost(struct polled *p) MUST_CHECK;

struct update *polled_add(struct polled *p); /* zeroed, at the end of the batch */
/* UPDATE_JOINED; `when` makes its id unique. */
void polled_add_joined(struct polled *p, const struct room *room, struct str when);
/* Counts one event. False if it must not be read. */
bool polled_count(struct polled *p);

/* ---- auth.c: getting and keeping an access token ---- */

/* The next request towards a working token; false if there is one already. */
bool auth_poll(struct matrix *m, struct arena *a, struct request *ret) MUST_CHECK;
/* Reads its answer into p->next. */
bool auth_read(struct polled *p) MUST_CHECK;

/* The body of a login by password, as this device; whether a server offers one. */
void auth_login_body(const struct matrix *m, struct arena *a, struct str device,
                     struct request *ret);
bool auth_offers_password(struct json answer);

/* ---- sync.c: polls once there is a token: syncs, keys, and the actions on rooms between two of
 * them ---- */

/* The kinds of events that are read. */
#define TIMELINE_TYPES                                                                             \
    "\"m.room.message\",\"m.room.encrypted\",\"m.reaction\",\"m.room.member\",\"m.room.name\","    \
    "\"m.room.power_levels\",\"m.room.encryption\",\"m.room.tombstone\","                          \
    "\"m.room.history_visibility\",\"m.room.redaction\","                                          \
    "\"org.matrix.msc3381.poll.response\",\"m.poll.response\""

void sync_poll(struct matrix *m, struct arena *a, struct request *ret);
bool sync_read(struct polled *p) MUST_CHECK;

/* The surroundings of an event: its room, and two lists of events that may name its people. */
struct event_context {
    struct room *room;
    struct json members, more;
};
/* ---- room_actions.c: one request each, durable in the cursor until done ---- */

/* The next action ahead of a sync, and the one beside the polls. Returns false without one. */
bool room_actions_poll(struct matrix *m, struct arena *a, struct request *ret);
bool room_actions_beside(void *account, struct arena *a, struct request *ret);
bool room_actions_read(struct polled *p) MUST_CHECK;
bool room_actions_read_beside(struct polled *p) MUST_CHECK;
/* A sync shows rooms that we are still to join: they are joined. True if there are such, and what
 * is to be known of them comes before the sync. */
bool room_actions_joined(struct polled *p, struct json rooms);

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
/* True for a command that names another bot: of two that hear the same prefix it is the other's. */
bool read_is_for_another(const struct room *room, const struct update *u);
struct sender read_sender(struct arena *a, const struct event_context *at, struct str user);

/* Replaces each name that is typed in a command ("@bo") by the id of the one member it fits, who is
 * then mentioned. `joined`: of the answer to /joined_members, may be missing. The first name that
 * fits no member, or several, becomes u->unnamed. */
void names_resolve(const struct matrix *m, struct arena *a, struct json joined, struct update *u);

/* ---- events.c ---- */

/* Reads the events of a room in order, from number `first` on: updates, and changes of state. */
void events_read(struct polled *p, const struct event_context *at, struct json events, int first);
/* Follows a tombstone among the first `n` events of a room's state; -1: all. True if there is
 * one. */
bool events_replaced(struct polled *p, const struct room *room, struct json events, int n);
/* The bot is in a room now. One where it cannot read or write gets no greeting, which would offer what
 * cannot be. */
void events_joined(struct polled *p, const struct event_context *at);
/* The state of a room was read: if the bot may write there now, says hello where it might not when it
 * came, or tells of a right that it did not have `before`. `when` makes the update's id unique. */
void events_may_write(struct polled *p, const struct event_context *at, bool before,
                      struct str when);
/* The match of a private chat goes where its person is: from one that they left (may be NULL) to
 * another. */
void private_chat_moves(struct polled *p, struct room *left, const struct room *to);
/* Tells of the rooms that pass for private chats and have others in them. */
void events_crowded(struct polled *p);
/* Gives the machine its part of the answer, ahead of the rooms, then reads events whose key
 * came. */
void events_take_waiting(struct polled *p, struct json sync);

#endif
