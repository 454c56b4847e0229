/* What the operator asks and orders in a chat: figures, announcements, who is banned. See
 * store.h. */
#ifndef KOIKOI_STORE_OPERATOR_H
#define KOIKOI_STORE_OPERATOR_H

#include "store_people.h"

struct store_status {
    int64_t running; /* matches and open challenges */
    int64_t chats;   /* that have any of them */
    int64_t waiting; /* messages in the outbox */
    int64_t quarantined, banned;
    int64_t recent; /* chats that an announcement reaches */
};
/* `since`: as in store_announce(). */
struct store_status store_status(struct store *s, int64_t since);

/* At most `most`, the latest first. */
struct people store_banned(struct store *s, struct arena *a, int most);

/* For one chat. */
struct announcement {
    int64_t chat, due; /* unix ms */
    struct str text;
};
/* A row for every chat with a match that runs, or that ended since then. */
void store_announce(struct store *s, struct str text, int64_t now, int64_t since);
/* The first that is due. */
const struct announcement *store_announcement(struct store *s, struct arena *a, int64_t now);
void store_put_off_announcement(struct store *s, const struct announcement *at, int64_t ms);
void store_drop_announcement(struct store *s, const struct announcement *at);

#endif
