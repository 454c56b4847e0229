/* Duels in the store: the day that runs in a chat, and the tries at it, which are stored by handle and
 * read by person. Days count from 1970-01-01. See store.h. */
#ifndef KOIKOI_STORE_DUEL_H
#define KOIKOI_STORE_DUEL_H

#include "adapter.h"
#include "rows.h"

struct store;

struct duel_row {
    int64_t chat;
    int64_t due; /* unix ms; 0: never */
    int64_t day; /* that runs; 0: none */
    struct str seed, rules;
};
/* Of a chat; its other members are zero if it never had one. */
struct duel_row store_duel(struct store *s, struct arena *a, int64_t chat);
void store_set_duel(struct store *s, const struct duel_row *row);
/* The one that is due first, if it is due by `now`; else its chat is 0. */
struct duel_row store_duel_due(struct store *s, struct arena *a, int64_t now);
/* A chat of the person in which a day runs: they have played there before. First one in which they
 * have no try yet. Returns 0 if not found. */
int64_t store_duel_of_person(struct store *s, int64_t who);

struct duel_try_row {
    int64_t chat, day, handle, session, state, points, at;
    int64_t account; /* under which the store keeps the row */
    int64_t who;     /* when read: the person, */
    struct str name; /* and their name */
};
ROW_LIST(duel_try_rows, struct duel_try_row);
void store_add_duel_try(struct store *s, const struct duel_try_row *row);
void store_end_duel_try(struct store *s, int64_t session, int64_t state, int64_t points);
/* Those of a day, the best that were played (state 1) first, without those of banned people. */
struct duel_try_rows store_duel_tries(struct store *s, struct arena *a, int64_t chat, int64_t day);
/* Those of a person in a chat up to a day, the newest first; chat 0: in all chats, without names. */
struct duel_try_rows store_duel_tries_of(struct store *s, struct arena *a, int64_t chat,
                                         int64_t who, int64_t day);
/* The chat of a try by its session; and the session of one that has not ended (state 0) in a chat.
 * Both return 0 if not found. */
int64_t store_duel_chat(struct store *s, int64_t session);
int64_t store_duel_open_try(struct store *s, int64_t chat);

#endif
