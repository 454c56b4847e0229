/* Fake Matrix homeserver: the part of the client-server API that the daemon uses, in a thread of
 * the test. It refuses what a real server refuses, lists the faults of requests, and makes
 * transient errors on demand.
 *
 *     home_open(&now, 0)          rooms, people and messages live until home_close()
 *     home_user(h, "ann")            "@ann:koi.test" with the password "pw-ann"
 *     home_room(h, "ann", "Tea room", NULL)
 *     home_says(h, "ann", room, "!koi help")       people act by these calls, the bot over HTTP
 *
 * With `now` the time is the test's: the server never waits, and answers a sync without events at
 * once. With NULL it is the machine's, and a sync is held as long as it asks.
 *
 * Returned strings live until home_close().
 */
#ifndef KOIKOI_HOME_H
#define KOIKOI_HOME_H

#include "fake_json.h"

struct home;

struct home *home_open(const _Atomic int64_t *now, int port); /* 0: any free port */
void home_close(struct home *h);
const char *home_root(const struct home *h); /* "http://127.0.0.1:1234" */

/* ---- settings ---- */

struct home_setup {
    const char *version; /* of new rooms; "12": ids without a server, creators above all */
    bool encrypts; /* the server encrypts private chats even if the creator did not ask for it */
    bool encrypts_all; /* and every other room */
    bool oauth;        /* login by OAuth alone, not by password */
    int64_t token_ms;  /* lifetime of access tokens; 0: unlimited */
    double per_second; /* events of one account, after `burst` at once; 0: unlimited */
    double burst;
    int page; /* most events in a timeline or a page; 0: as many as asked for */
};
struct home_setup *home_setup(struct home *h); /* may be changed at any time */

/* ---- people ---- */

const char *home_user(struct home *h, const char *name);
/* A token for that user that never expires. Its device is "D". */
const char *home_token(struct home *h, const char *user);
void home_blocks_invites(struct home *h, const char *user);
/* With content NULL a room as clients create it; else `state` is a JSON list of initial state
 * events. */
const char *home_room(struct home *h, const char *user, const char *name, const char *state);
void home_invites(struct home *h, const char *user, const char *room, const char *who, bool direct);
void home_joins(struct home *h, const char *user, const char *room);
void home_leaves(struct home *h, const char *user, const char *room);
const char *home_says(struct home *h, const char *user, const char *room, const char *text);
/* Sends any event; a state event if `key` is not NULL. Returns its id, or NULL if the user lacks
 * the power. Takes ownership of the content. */
const char *home_sends_event(struct home *h, const char *user, const char *room, const char *type,
                             const char *key, cJSON *content);
void home_votes(struct home *h, const char *user, const char *poll, const char *answer);
void home_reacts(struct home *h, const char *user, const char *post, const char *key);
/* Replaces the room by a new one, which has no other members yet. Returns the new room's id. */
const char *home_upgrades(struct home *h, const char *user, const char *room);
/* The user opens the OAuth page and allows or denies the code. Returns false if no such code
 * waits. */
bool home_confirms(struct home *h, const char *user, const char *user_code, bool allow);

/* `watch` is called in the server's thread after each answer, with no lock held. */
void home_on_answer(struct home *h, void (*watch)(void *), void *arg);

/* ---- inspection ---- */

struct home_event {
    const char *id, *room, *sender, *type, *key; /* key: NULL if it is no state event */
    const char *txn;                             /* NULL if it was sent without one */
    const cJSON *content;
    int64_t at;
    bool redacted;
};
int home_events(struct home *h); /* number of events; they are numbered from 0 */
struct home_event home_event(struct home *h, int i);
/* "leave" also for people who never joined */
const char *home_membership(struct home *h, const char *room, const char *user);
/* Name and picture of an account: as the user's own id without its server, and "", at first. */
struct home_profile {
    const char *name, *picture;
};
struct home_profile home_profile(struct home *h, const char *user);
const char *home_room_id(struct home *h, int i); /* the i-th room; NULL if there are no more */

struct home_counts {
    int requests, syncs, sent; /* sent: events of the bot, redactions among them */
    int limited, early;        /* 429s; requests that came before the wait of a 429 was over */
    int logins, refreshes;
    int codes, hurried;   /* device codes issued; polls for a device code that came too soon */
    int repeated;         /* events sent again under a known transaction */
    int rooms_made;       /* by requests of the bot */
    int uploads, doubled; /* doubled: uploads of bytes that were uploaded before */
    int pictures;         /* m.image, edits among them */
};
struct home_counts home_counts(struct home *h);
/* Pictures that an event names and whose bytes have not come yet. */
int home_awaited(const struct home *h);
/* Faults of the requests so far, one a line; "" if there are none. */
const char *home_problems(struct home *h);

/* ---- transient errors ---- */

enum home_fault {
    HOME_LIMITS_BODY,   /* 429 with retry_after_ms */
    HOME_LIMITS_HEADER, /* 429 with Retry-After */
    HOME_CUTS,          /* the request is dropped, without an answer */
    HOME_LOSES,         /* it is carried out, without an answer */
    HOME_HALVES,        /* it is carried out, and half of the answer is sent */
    HOME_FALLS,         /* the request is dropped; 502 with HTML */
    HOME_BABBLES        /* it is carried out; 200 with a body that is not JSON */
};
/* The n-th request from now on (from 1) whose path contains `part` fails, and the `times` - 1 after
 * it. */
void home_fails(struct home *h, enum home_fault fault, const char *part, int n, int times);
bool home_failed(struct home *h); /* true once all of them have failed */
/* The n-th request whose path contains `part` kills the process `pid` with SIGKILL: before the
 * server carries it out, or (`done`) after, without an answer. */
void home_kills(struct home *h, const char *part, int n, int pid, bool done);
/* An outage: until that time connections break. */
void home_outage(struct home *h, int64_t until);
/* Expires all access tokens of that user. soft: they can still be refreshed. */
void home_logs_out(struct home *h, const char *user, bool soft);

#endif
