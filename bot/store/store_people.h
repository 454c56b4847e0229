/* People in the store: handles, and which of them are one person. See store.h. */
#ifndef KOIKOI_STORE_PEOPLE_H
#define KOIKOI_STORE_PEOPLE_H

#include "adapter.h"
#include "rows.h"

struct store;

/* A handle: a person as one network knows them. */
struct person {
    int64_t id, account;
    int64_t who;           /* person it counts as: its own id, or that of the handle it is linked
                              to */
    int64_t owner;         /* that handle; 0: none */
    struct str network_id; /* empty: known by handle alone, never heard from */
    struct str name, handle, language;
    struct str handle_key;  /* the handle in lower case */
    struct str prefs;       /* a line of the core's */
    struct str direct_chat; /* key of the private chat; empty: unknown */
    bool reachable;         /* false: the private chat was closed, or never opened */
    int64_t banned;         /* since then, unix ms; 0: not. The same for all their handles */
    int64_t ban_told;       /* when they last read so; 0: never */
    struct str left_chats;  /* chats that the handle has left: person_has_left() */
};
ROW_LIST(people, struct person);

/* Persons by their names alone. */
struct named_row {
    int64_t who;
    struct str name;
};
ROW_LIST(named_rows, struct named_row);

/* Finds a person by network id, else by handle, or adds one; updates name, handle and language. A
 * person known by handle alone keeps the row and gets the id. `who` must have an id or a handle,
 * and its strings live as long as the result. A new person's name is that of `who`, or the handle,
 * or the id. A new one with an id that another account of the same network knows counts as the
 * person known there. */
struct person store_person(struct store *s, struct arena *a, int64_t account,
                           const struct sender *who);
/* The same of somebody who speaks in the private chat `direct` (empty: elsewhere), by which they can
 * be reached from now on. */
struct person store_person_speaks(struct store *s, struct arena *a, int64_t account,
                                  const struct sender *who, struct str direct);
const struct person *store_person_by_id(struct store *s, struct arena *a, int64_t id);
const struct person *store_person_by_network_id(struct store *s, struct arena *a, int64_t account,
                                                struct str network_id);
/* Handles compare without ASCII case, with or without '@'. */
const struct person *store_person_by_handle(struct store *s, struct arena *a, int64_t account,
                                            struct str handle);
void store_set_prefs(struct store *s, int64_t person, struct str prefs);
/* Handles of a person, and of whoever has one of their network ids on any account of that network,
 * linked or not; at most 64. */
struct people store_all_handles(struct store *s, struct arena *a, int64_t who);
/* Bans all of these from now on, or not any more (0). The ban holds for the network ids: also for a
 * handle that is new, or comes back after it was forgotten. Told: they read so at that time. */
void store_set_ban(struct store *s, int64_t who, int64_t since);
void store_set_ban_told(struct store *s, int64_t who, int64_t now);
/* An empty chat leaves the stored one. */
void store_set_direct(struct store *s, const struct person *p, struct str direct_chat,
                      bool reachable);
/* True if the handle has left the chat and not been heard there since. */
bool person_has_left(const struct person *p, int64_t chat);
/* Of the chats that a handle has left the newest few are kept. */
void store_set_left(struct store *s, const struct person *p, int64_t chat, bool left);

/* ---- one person, several handles ---- */

/* All handles of a person, its own included. */
struct people store_handles(struct store *s, struct arena *a, int64_t who);
/* Makes the handles of `other` count as `who`. Both must be persons, not handles that count as
 * another. */
void store_link(struct store *s, int64_t who, int64_t other);
/* Makes the handle, and each that counted as it, count as itself. */
void store_part(struct store *s, int64_t handle);
/* Stores the link code of a handle in place of an older one. */
void store_set_code(struct store *s, int64_t handle, struct str code, int64_t expires);
/* The handle that has this code; 0 if the code is unknown or expired. */
int64_t store_code(struct store *s, struct str code, int64_t now);
/* All times of codes move, with the wall clock. */
void store_move_codes(struct store *s, int64_t ms);
/* Deletes the codes of all handles of a person. */
void store_drop_codes(struct store *s, int64_t who);
/* Counts a wrong code typed by a handle; a count that began before `since` starts again. */
void store_wrong_code(struct store *s, int64_t handle, int64_t now, int64_t since);
int store_wrong_codes(struct store *s, int64_t handle, int64_t since);

/* ---- logins of browsers ---- */

/* A browser that counts as a person of a network, or a ticket for that. Or a window of a network's
 * program, which needs a proof besides, each time. */
struct login {
    struct str hash; /* of a secret, lower-case hex */
    bool ticket;
    int64_t account;
    struct str network_id;
    int64_t until;   /* unix ms */
    struct str code; /* that the person is still to write in a chat; mostly empty */
};
enum { WINDOW_CODE_MS = 10 * 60 * 1000 };           /* so long a code waits, ... */
#define WINDOW_MS (INT64_C(365) * 24 * 3600 * 1000) /* ... and so long a window counts, unused */

void store_put_login(struct store *s, const struct login *l);
/* Returns NULL if not found, or expired. */
const struct login *store_login(struct store *s, struct arena *a, struct str hash, bool ticket,
                                int64_t now);
void store_drop_login(struct store *s, struct str hash);
/* Deletes all of a person's, tickets too. */
void store_drop_logins(struct store *s, int64_t account, struct str network_id);
/* True if a window waits for this person to write that code; it waits no more, and counts until then. */
bool store_login_waits(struct store *s, int64_t account, struct str network_id, struct str code,
                       int64_t now);
void store_confirm_login(struct store *s, int64_t account, struct str network_id, struct str code,
                         int64_t until);
/* Deletes those that count no more. */
void store_forget_logins(struct store *s, int64_t now);

/* ---- updates, before they are handled ---- */

/* What an update will ask for; texts may be empty. */
struct foreseen {
    struct str id; /* of the update */
    int64_t what;
    struct str person, handle; /* its sender's */
    struct str chat;           /* its key */
};
/* Reads it all in one round trip, so that no update waits for a server by itself, and marks the
 * updates as heard: store_hear() says for each whether that is new. Inside a transaction, before
 * its updates are handled; each of them must then be handled in it. */
void store_look_ahead(struct store *s, int64_t account, int n, const struct foreseen *at,
                      int64_t now);

#endif
