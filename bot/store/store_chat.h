/* Chats in the store. See store.h. */
#ifndef KOIKOI_STORE_CHAT_H
#define KOIKOI_STORE_CHAT_H

#include "adapter.h"

struct store;

struct chat {
    int64_t id, account;
    struct str key; /* the network's, opaque */
    struct str name;
    bool direct;
    struct str settings; /* a line of the core's */
};

/* Finds a chat by key, or adds one; stores the name if it has changed and is not empty. */
struct chat store_chat(struct store *s, struct arena *a, int64_t account, struct str key,
                       struct str name, bool direct);
const struct chat *store_chat_by_id(struct store *s, struct arena *a, int64_t id);
void store_set_settings(struct store *s, int64_t chat, struct str settings);
/* Gives the chat another key; it keeps id, matches and seasons, and forgets where its messages
 * stand. A chat that has the new key already is merged into it: its matches and seasons move over
 * (session_row.chat is rewritten); its settings count only if the moving chat has none. Returns
 * true if there was a chat with the old key. */
bool store_move_chat(struct store *s, int64_t account, struct str key, struct str new_key);

#endif
