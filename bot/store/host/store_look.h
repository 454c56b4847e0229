/* What a host looks at beside a running daemon: messages that wait, and what is in quarantine. See
 * store.h; only the tools call these. */
#ifndef KOIKOI_STORE_LOOK_H
#define KOIKOI_STORE_LOOK_H

#include "adapter.h"

struct store;

/* A row of the outbox without what it says. */
struct waiting_message {
    int64_t id;
    struct str account, lane, slot; /* the account's name; lane: the chat's key on the network */
    bool attempted;                 /* it may have been sent */
    int64_t tries, not_before, bytes;
};
struct waiting_messages {
    int n;
    struct waiting_message *at;
};
/* With an id above `after`, in order, at most `most`. */
bool store_waiting_messages(struct store *s, struct arena *a, int64_t after, int most,
                            struct waiting_messages *ret, struct err *err) MUST_CHECK;

struct quarantined {
    int64_t id;
    struct str account; /* empty: a damaged match */
    int64_t at;         /* unix ms */
    struct str why, raw;
    bool again; /* it waits to be tried again */
};
struct quarantined_rows {
    int n;
    struct quarantined *at;
};
bool store_quarantined(struct store *s, struct arena *a, int64_t after, int most,
                       struct quarantined_rows *ret, struct err *err) MUST_CHECK;
bool store_drop_quarantined(struct store *s, int64_t id, bool *ret_found,
                            struct err *err) MUST_CHECK;
/* Asks the daemon that holds the store to try the row again, as soon as it looks. */
bool store_want_again(struct store *s, int64_t id, bool *ret_found, struct err *err) MUST_CHECK;

#endif
