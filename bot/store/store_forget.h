/* What the store keeps of one person: listed, and taken out of it. Results stay, without a name.
 * See store.h. */
#ifndef KOIKOI_STORE_FORGET_H
#define KOIKOI_STORE_FORGET_H

#include "store_people.h"
#include "store_session.h"

/* The sessions with an id above `after`: as many as `scanned` are looked at, and `most` of those
 * found. */
struct session_window {
    int64_t after;
    int scanned, most;
};
/* Sessions of the window in which the handle has or had a seat, in order of id: also those that it
 * left while others played on. *ret_reached is the last id looked at, INT64_MAX if the window is
 * empty. */
struct session_rows store_sessions_naming(struct store *s, struct arena *a, int64_t handle,
                                          struct session_window w, int64_t *ret_reached);
/* Handles with that handle, with or without '@', or network id, or number of a person ("#12"), on
 * any network; at most 64. */
struct people store_handles_called(struct store *s, struct arena *a, struct str called);
/* Every handle of the person loses name, handle, network id, language, choices and private chat;
 * codes, badges, answers to puzzles and the places of private messages go. `name` stands in for all
 * of them. Their matches are left to store_forgetting(). */
void store_forget_handles(struct store *s, int64_t who, const struct people *handles,
                          struct str name);

/* A person whose matches still hold the name. */
struct forgetting {
    int64_t who;           /* 0 if no person is being forgotten */
    struct people handles; /* of each: id, account, direct_chat */
    struct str name;       /* what stands in for theirs */
    int next;              /* the handle to go on with; -1: all are done */
    int64_t reached;       /* its sessions up to this id are done */
};
/* The first of them. */
struct forgetting store_forgetting(struct store *s, struct arena *a);
/* Stores how far the handle `next` is; INT64_MAX: it is done. */
void store_forgotten_up_to(struct store *s, const struct forgetting *f, int64_t reached);
/* All is done. */
void store_forgotten(struct store *s, const struct forgetting *f);

#endif
