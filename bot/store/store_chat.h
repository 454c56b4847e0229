/* Chats in the store. See store.h. */
#ifndef KOIKOI_STORE_CHAT_H
#define KOIKOI_STORE_CHAT_H

#include "store_people.h"

struct store;

struct chat {
    int64_t id, account;
    struct str key; /* the network's, opaque */
    struct str name;
    bool direct;
    struct str settings; /* a line of the core's */
    struct str link;     /* the name in its link, once it was renewed; else empty */
};

/* Finds a chat by key, or adds one; stores the name if it has changed and is not empty. */
struct chat store_chat(struct store *s, struct arena *a, int64_t account, struct str key,
                       struct str name, bool direct);
/* Return NULL if not found. */
const struct chat *store_chat_by_key(struct store *s, struct arena *a, int64_t account,
                                     struct str key);
const struct chat *store_chat_by_id(struct store *s, struct arena *a, int64_t id);
void store_set_settings(struct store *s, int64_t chat, struct str settings);
/* Gives the chat's link another name. */
void store_set_chat_link(struct store *s, int64_t chat, struct str link);
/* The chat that a link of this name leads to: by its newest name, or by its key if it has no other.
 * Returns NULL if not found. */
const struct chat *store_chat_by_link(struct store *s, struct arena *a, int64_t account,
                                      struct str link, struct str key);
/* Gives the chat another key; it keeps id, matches and seasons, and forgets where its messages
 * stand. A chat that has the new key already is merged into it: its matches and seasons move over
 * (session_row.chat is rewritten); its settings count only if the moving chat has none. Returns
 * true if there was a chat with the old key. */
bool store_move_chat(struct store *s, int64_t account, struct str key, struct str new_key);
/* True if there is a chat with that key, and no message of ours stands there. */
bool store_chat_is_bare(struct store *s, int64_t account, struct str key);

/* ---- what comes daily: when each chat gets the next one of a kind, in a table of its own ---- */

struct sql_table;
struct daily_post {
    int64_t chat;
    int64_t due; /* unix ms; 0: the chat gets none */
    int64_t day; /* of the last one posted; 0: none */
};
/* Days count from 1970-01-01. Of a chat; zeros if it never had one. */
struct daily_post store_daily_post(struct store *s, const struct sql_table *posts, int64_t chat);
void store_set_daily_post(struct store *s, const struct sql_table *posts,
                          const struct daily_post *post);
/* The one that is due first, if it is due by `now`; else its chat is 0. */
struct daily_post store_daily_due(struct store *s, const struct sql_table *posts, int64_t now);

/* People who have taken part in what comes daily in the chat, as each feature says, since that day;
 * without banned ones. */
struct named_rows store_daily_people(struct store *s, struct arena *a, int64_t chat, int64_t since);

/* ---- letters: what is said on a network whose far end is the daemon ---- */

struct letter {
    int64_t id, account;     /* id: from 1, a later letter has a larger one */
    struct str chat, reader; /* network id of the one reader; empty: all in the chat */
    struct str slot;         /* empty: it stays */
    struct str said;         /* JSON, as the network writes it */
    int64_t at;
};
ROW_LIST(letters, struct letter);

enum { LETTERS_KEPT = 200 /* in a chat */ };

/* Adds a letter in place of one of the same slot and reader; the oldest of a full chat go. */
int64_t store_put_letter(struct store *s, const struct letter *l);
/* Letters of two chats (one may be empty) that the reader may read, with an id above `after`, in
 * order; the newest `most` of them. */
struct letters store_letters(struct store *s, struct arena *a, int64_t account,
                             const struct str chat[static 2], struct str reader, int64_t after,
                             int most);
/* Deletes letters from before, at most `most`. */
void store_forget_letters(struct store *s, int64_t before, int most);

#endif
