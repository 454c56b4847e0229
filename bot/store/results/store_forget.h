/* What the store keeps of one person: listed, and taken out of it. Results stay, without a name.
 * See store.h. */
#ifndef KOIKOI_STORE_FORGET_H
#define KOIKOI_STORE_FORGET_H

#include "store_match.h"
#include "store_people.h"

/* The sessions with an id above `after`: as many as `scanned` are looked at, and `most` of those
 * found. */
struct session_window {
    int64_t after;
    int scanned, most;
};
/* Sessions of the window in which the handle has or had a seat, in order of id: also those that it
 * left while others played on. *ret_reached is the last id looked at, INT64_MAX if the window is
 * empty. */
bool store_sessions_naming(struct store *s, struct arena *a, int64_t who, struct session_window w,
                           struct session_rows *ret, int64_t *ret_reached,
                           struct err *err) MUST_CHECK;
/* The first piece of a record; *ret_id 0 if it has none. */
bool store_record_head(struct store *s, struct arena *a, int64_t session, int64_t *ret_id,
                       struct str *ret, struct err *err) MUST_CHECK;
bool store_rewrite_record(struct store *s, int64_t id, int64_t session, struct str lines,
                          struct err *err) MUST_CHECK;
/* Handles with that handle, with or without '@', or network id, or number of a person ("#12"), on
 * any network; at most 64. */
bool store_handles_called(struct store *s, struct arena *a, struct str called, struct people *ret,
                          struct err *err) MUST_CHECK;
/* Every handle of the person loses name, handle, network id, language, choices and private chat;
 * codes, badges, answers to puzzles and the places of private messages go. `name` stands in for all
 * of them. Their matches are left to store_forgetting(). */
bool store_forget_handles(struct store *s, int64_t who, const struct people *handles,
                          struct str name, struct err *err) MUST_CHECK;

/* A person whose matches still hold the name. */
struct forgetting {
    int64_t who;
    struct people handles; /* of each: id, account, direct_chat */
    struct str name;       /* what stands in for theirs */
    int next;              /* the handle to go on with; -1: all are done */
    int64_t reached;       /* its sessions up to this id are done */
};
/* The first of them. */
bool store_forgetting(struct store *s, struct arena *a, struct forgetting *ret, bool *ret_found,
                      struct err *err) MUST_CHECK;
/* Stores how far the handle `next` is; INT64_MAX: it is done. */
bool store_forgotten_up_to(struct store *s, const struct forgetting *f, int64_t reached,
                           struct err *err) MUST_CHECK;
/* All is done. */
bool store_forgotten(struct store *s, const struct forgetting *f, struct err *err) MUST_CHECK;

#endif
