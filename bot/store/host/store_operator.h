/* What the operator asks and orders in a chat: figures, announcements, who is banned. See store.h. */
#ifndef KOIKOI_STORE_OPERATOR_H
#define KOIKOI_STORE_OPERATOR_H

#include "store_people.h"

struct store;

struct store_status {
    int64_t running; /* matches and open challenges */
    int64_t chats;   /* that have any of them */
    int64_t waiting; /* messages in the outbox */
    int64_t quarantined, banned;
    int64_t recent; /* chats that an announcement reaches */
};
/* `since`: as in store_announce(). */
bool store_status(struct store *s, int64_t since, struct store_status *ret,
                  struct err *err) MUST_CHECK;

/* At most `most`, the latest first. */
bool store_banned(struct store *s, struct arena *a, int most, struct people *ret,
                  struct err *err) MUST_CHECK;

/* For one chat. */
struct announcement {
    int64_t chat, due; /* unix ms */
    struct str text;
};
/* A row for every chat with a match that runs, or that ended since then. */
bool store_announce(struct store *s, struct str text, int64_t now, int64_t since,
                    struct err *err) MUST_CHECK;
/* The first that is due. */
bool store_announcement(struct store *s, struct arena *a, int64_t now, struct announcement *ret,
                        bool *ret_found, struct err *err) MUST_CHECK;
bool store_put_off_announcement(struct store *s, const struct announcement *at, int64_t ms,
                                struct err *err) MUST_CHECK;
bool store_drop_announcement(struct store *s, const struct announcement *at,
                             struct err *err) MUST_CHECK;

#endif
