/* Quarantine: updates that could not be handled, and damaged sessions, which leave play. What is
 * left of either stays for the operator, who may have it tried again. See store.h. */
#ifndef KOIKOI_STORE_QUARANTINE_H
#define KOIKOI_STORE_QUARANTINE_H

#include "store_session.h"

/* Keeps an update that could not be handled: raw as the network gave it, packed (update.h) to
 * be tried again. */
void store_quarantine(struct store *s, int64_t account, int64_t now, struct str raw,
                      struct str packed, struct str why);

/* Takes a damaged session out of play: copies it to the quarantine, and no call finds it from then
 * on but store_session(), by id, with due = DUE_QUARANTINED. Returns the chats where it was
 * live. */
enum { DUE_QUARANTINED = -1 };
struct ids store_quarantine_session(struct store *s, struct arena *a, int64_t session, int64_t now,
                                    struct str why);
/* Puts it back into play with its deadline `due`; fails if its checksum or one of its record does
 * not hold now. */
void store_take_back(struct store *s, struct arena *a, int64_t session, int64_t due);

/* A row of the quarantine that the operator wants tried again. */
struct retry {
    int64_t id;
    int64_t account; /* 0: the session `session` */
    int64_t session;
    int64_t at;    /* when it came into quarantine, unix ms */
    int64_t again; /* 1 and how often it was begun before, as store_retry_begin() counts */
    struct str packed;
};
bool store_retry_waits(struct store *s);
/* The first of them. */
const struct retry *store_retry(struct store *s, struct arena *a);
void store_retry_begin(struct store *s, int64_t id);
/* It was handled, and its row leaves; it could not be, and its row stays with this reason. */
void store_retry_done(struct store *s, int64_t id);
void store_retry_failed(struct store *s, int64_t id, struct str why);

/* ---- for the host ---- */

struct quarantined {
    int64_t id;
    struct str account; /* empty: a damaged match */
    int64_t at;         /* unix ms */
    struct str why, raw;
    bool again; /* it waits to be tried again */
};
ROW_LIST(quarantined_rows, struct quarantined);
struct quarantined_rows store_quarantined(struct store *s, struct arena *a, int64_t after,
                                          int most);
/* Returns false if there is no such row. */
bool store_drop_quarantined(struct store *s, int64_t id);
/* Asks the daemon that holds the store to try the row again, as soon as it looks. Returns false if
 * there is no such row. */
bool store_want_again(struct store *s, int64_t id);

#endif
