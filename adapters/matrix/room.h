/* Table of rooms, in memory only: the first sync of a process (full state) fills it, later events
 * update it. A pointer to a room is valid until the next rooms_get or rooms_tidy. */
#ifndef KOIKOI_MATRIX_ROOM_H
#define KOIKOI_MATRIX_ROOM_H

#include "wire.h"

/* Strings of a room beyond ROOM_BYTES in all are dropped; so is a list of levels or creators that
 * no event could hold. */
enum {
    MAX_ROOMS = 100000,
    ROOM_BYTES = 128 * 1024 * 1024,
    MAX_LEVELS = 64 * 1024,
    MAX_NAMES = 64 * 1024,
    MAX_BOTS = 4 * 1024,
    LEVEL_ADMIN = 50,
    LEVEL_OWNER = 100,
    LEVEL_CREATOR = 1000000
};

#define WIDGET_TYPE "im.vector.modular.widgets"

struct room {
    struct str id, name;
    struct str with;     /* the one person, if it passes for a private chat with the bot; else
                            empty. A hint: each send looks who is there */
    struct str creators; /* of rooms of version 12 and later: "@a:x @b:y " */
    struct str levels;   /* "@a:x 100\n@b:y 50\n" */
    struct str names;    /* of those who spoke: "@a:x Ann\n@b:y \n" */
    struct str bots;     /* who sends notices: "@a:x @b:y " */
    struct str inviter;  /* of the bot, as far as known */
    int64_t users_default, state_default, tombstone, widget, message; /* power levels */
    bool joined;                                                      /* the bot is in it */
    bool ours;                                                        /* made by the bot */
    bool noted;                                                       /* stands in m.direct */
    bool followed; /* it replaced another: no UPDATE_JOINED */
    /* Neither: unknown. Plain: all its state was read, and encrypts nothing. */
    bool encrypted, plain;
    /* of its keys, by the room's state; 0: not said */
    int64_t rotation_ms, rotation_messages;
    uint8_t visibility; /* of its history: index + 1 in ROOM_VISIBILITIES */
    bool deaf;          /* `with` has no device that reads what is encrypted there */
    bool told;          /* UPDATE_RIGHTS "encrypted" was made in this process */
    bool members_known; /* `members` holds all who are in it or invited */
    int members_turn;   /* one more with each change among them */
    struct str members; /* "@a:x @b:y " */
    bool left;          /* `with` left it, and is not back */
    bool crowded;       /* others than `with` are there, which the next sync tells */
    struct str moved;   /* the room that has replaced it */
    int64_t shut;       /* unix ms of its first refusal of a message; 0 = none */
};

extern const char *const ROOM_VISIBILITIES[4];

struct rooms *rooms_open(void);
void rooms_close(struct rooms *rs);
void rooms_tidy(struct rooms *rs);                        /* frees replaced strings */
struct room *rooms_find(struct rooms *rs, struct str id); /* NULL if unknown */
struct room *rooms_get(struct rooms *rs, struct str id);  /* added if unknown; NULL if full */
/* The private chat with a person, who is in it or else was: a readable one, else one that the bot
 * created, else NULL. */
struct room *rooms_with(struct rooms *rs, struct str user);
/* A private chat that this person has left; or NULL. */
struct room *rooms_left_by(struct rooms *rs, struct str user);
struct room *rooms_crowded(struct rooms *rs); /* one that passes for private and is not; or NULL */
int rooms_joined(const struct rooms *rs);
void rooms_set(struct rooms *rs, struct str *field, struct str value); /* *field = a copy; empty if
                                                                          full */

/* Writes the private chats into m.direct, this room as that with `with` (may be empty). */
void rooms_ask_directs(struct matrix *m, struct arena *a, struct str room, struct str with,
                       struct request *ret);
/* Reads the content of m.direct; adds entries and removes none. */
void rooms_read_directs(struct rooms *rs, struct arena *a, struct json content);

/* Applies a state event. */
void room_read_state(struct rooms *rs, struct arena *a, struct str self, struct room *room,
                     struct json event);
/* Reads the list of members of an answer to /members. Returns false for any other answer. */
bool room_read_members(struct rooms *rs, struct arena *a, struct room *room, struct json answer);
/* True if all of its known members are the two; one of them may be missing. */
bool room_is_pair(const struct room *room, struct str self, struct str with);
/* True if the server has sent the member's name to this process; *ret is valid until the next
 * change of a room, and empty if the member has none. */
bool room_name_of(const struct room *room, struct str user, struct str *ret);
/* True if another one who spoke has that name. */
bool room_name_is_shared(const struct room *room, struct str user, struct str name);
/* Notes another bot. */
void room_add_bot(struct rooms *rs, struct arena *a, struct room *room, struct str user);
/* Beyond MAX_NAMES bytes the names before it are forgotten. */
void room_set_name(struct rooms *rs, struct arena *a, struct room *room, struct str user,
                   struct str name);
/* True if the word is in a list with blanks between. */
bool room_in_words(struct str list, struct str word);
int64_t room_level(const struct room *room, struct str user);
bool room_may_write(const struct room *room, struct str user);

#endif
