/* What is known of rooms, in memory only: the first sync of a process brings it (full state), later
 * events keep it. Values are flat; a pointer to a room is good until the next rooms_get or
 * rooms_tidy. */
#ifndef KOIKOI_MATRIX_ROOM_H
#define KOIKOI_MATRIX_ROOM_H

#include "wire.h"

enum { MAX_ROOMS = 100000, LEVEL_ADMIN = 50, LEVEL_CREATOR = 1000000 };

struct room {
    struct str id, name;
    struct str with;            /* the one person, if it is a private chat with the bot; else
                                   empty */
    struct str creators;        /* of rooms of version 12 and later: "@a:x @b:y " */
    struct str levels;          /* "@a:x 100\n@b:y 50\n" */
    int64_t users_default, state_default, tombstone;      /* power levels */
    bool joined;                /* the bot is in it */
    bool ours;                  /* made by the bot */
    bool noted;                 /* stands in m.direct */
    bool followed;              /* it replaced another: no new acquaintance */
    bool encrypted;
    bool told;                  /* that it is encrypted was passed on in this process */
    struct str moved;           /* the room that has replaced it */
    int64_t shut;               /* when it first refused to be written in; 0 = not */
    bool with_known, with_in;   /* is the one person in it (or invited)? */
};

struct rooms *rooms_open(void);
void rooms_close(struct rooms *rs);
void rooms_tidy(struct rooms *rs);                        /* gives back what changed strings left
                                                             behind */
struct room *rooms_find(struct rooms *rs, struct str id); /* NULL: unknown */
struct room *rooms_get(struct rooms *rs, struct str id);  /* made if unknown; NULL: too many */
/* The private chat with them, one that can be read if there is one, else one of ours; or NULL. */
struct room *rooms_with(struct rooms *rs, struct str user);
int rooms_joined(const struct rooms *rs);
void rooms_keep(struct rooms *rs, struct str *field, struct str value);   /* *field = a copy */

/* The content of m.direct, both ways. What is heard is added, never taken away. */
cJSON *rooms_directs(const struct rooms *rs, struct arena *a);
void rooms_hear_directs(struct rooms *rs, struct arena *a, const cJSON *content);

/* Takes over a state event. */
void room_state(struct rooms *rs, struct arena *a, struct str self, struct room *room,
                const cJSON *event);
int64_t room_level(const struct room *room, struct str user);

#endif
