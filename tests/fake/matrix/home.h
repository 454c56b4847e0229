/* A small Matrix homeserver, for tests: as much of the client-server API as the daemon uses, in a
 * thread of the test. It refuses what a real server refuses, keeps a list of what is wrong with
 * requests, and makes bad weather when told to.
 *
 *     home_open(&now, 0)          rooms, people and everything that is said live until home_close()
 *     home_user(h, "ann")            "@ann:koi.test" with the password "pw-ann"
 *     home_room(h, "ann", "Tea room", NULL)
 *     home_says(h, "ann", room, "!koi help")       people act by these calls, the bot over HTTP
 *
 * Time is the test's: with `now` nothing is ever waited for, a sync without news is answered at
 * once. Without it (NULL) it is the machine's, and syncs are held for as long as they ask.
 *
 * Strings that are handed back live until home_close().
 */
#ifndef KOIKOI_HOME_H
#define KOIKOI_HOME_H

#include <cjson/cJSON.h>

#include "str.h"

struct home;

struct home *home_open(const _Atomic int64_t *now, int port);      /* 0: any free port */
void home_close(struct home *h);
const char *home_root(const struct home *h);                       /* "http://127.0.0.1:1234" */

/* ---- how it is set up ---- */

struct home_setup {
    const char *version;        /* of new rooms; "12" has ids without a server and creators above
                                   all */
    bool encrypts;              /* private chats are encrypted whether their maker wishes it or
                                   not */
    bool encrypts_all;          /* so is every other room */
    bool oauth;                 /* no login by password: OAuth alone */
    int64_t token_ms;           /* how long access tokens live; 0: for ever */
    double per_second;          /* events of one account, after `burst` at once; 0: no limit */
    double burst;
    int page;                   /* a timeline or a page has at most so many events; 0: as asked */
};
struct home_setup *home_setup(struct home *h);                     /* to be changed at any time */

/* ---- people ---- */

const char *home_user(struct home *h, const char *name);
/* A token for that user that never dies, and whose device is "D". */
const char *home_token(struct home *h, const char *user);
void home_blocks_invites(struct home *h, const char *user);
/* content NULL: a room as people's clients make it; else initial state events, a JSON list. */
const char *home_room(struct home *h, const char *user, const char *name, const char *state);
void home_invites(struct home *h, const char *user, const char *room, const char *who, bool direct);
void home_joins(struct home *h, const char *user, const char *room);
void home_leaves(struct home *h, const char *user, const char *room);
const char *home_says(struct home *h, const char *user, const char *room, const char *text);
/* Any event, state if `key` is not NULL; its id, NULL if they may not. Takes the content. */
const char *home_puts(struct home *h, const char *user, const char *room, const char *type,
                      const char *key, cJSON *content);
void home_votes(struct home *h, const char *user, const char *poll, const char *answer);
void home_reacts(struct home *h, const char *user, const char *post, const char *key);
/* The room is replaced by another, whose id is returned; nobody else is in that yet. */
const char *home_upgrades(struct home *h, const char *user, const char *room);
/* Somebody opens the page and confirms (or denies) the code; false: no such code waits. */
bool home_confirms(struct home *h, const char *user, const char *user_code, bool allow);

/* Called in the server's thread each time a request was answered, and no part of it holds a
 * lock. */
void home_watched(struct home *h, void (*watch)(void *), void *arg);

/* ---- what there is ---- */

struct home_event {
    const char *id, *room, *sender, *type, *key;    /* key: NULL if it is no state */
    const char *txn;                                /* NULL: it was not put with one */
    const cJSON *content;
    int64_t at;
    bool redacted;
};
int home_events(struct home *h);                                   /* they are numbered from 0 */
struct home_event home_event(struct home *h, int i);
/* "leave": never in */
const char *home_membership(struct home *h, const char *room, const char *user);
const char *home_room_of(struct home *h, int i);                  /* the i-th room; NULL: no more */

struct home_counts {
    int requests, syncs, sent;  /* sent: events the bot has put in, redactions among them */
    int limited, early;         /* 429s; requests that came although they had been told to wait */
    int logins, refreshes;
    int codes, hurried;         /* device codes given out; questions about them that came too
                                   soon */
    int repeated;               /* puts of a transaction that was known */
    int rooms_made;             /* by requests */
    int uploads, doubled;       /* doubled: of bytes that had been uploaded before */
    int pictures;               /* m.image, edits among them */
};
struct home_counts home_counts(struct home *h);
/* What was wrong with requests, a line each; "" if nothing was. */
const char *home_problems(struct home *h);

/* ---- weather ---- */

enum home_fault {
    HOME_LIMITS_BODY,           /* 429 with retry_after_ms */
    HOME_LIMITS_HEADER,         /* 429 with Retry-After */
    HOME_CUTS,                  /* nothing is done, no answer comes */
    HOME_LOSES,                 /* it is done, no answer comes */
    HOME_HALVES,                /* it is done, half of the answer comes */
    HOME_FALLS,                 /* 502, HTML; nothing is done */
    HOME_BABBLES                /* it is done, and 200 with something that is no JSON comes */
};
/* The n-th request from now on (from 1) whose path holds `part` goes wrong. */
void home_fails(struct home *h, enum home_fault fault, const char *part, int n, int times);
bool home_failed(struct home *h);                               /* all of the above have happened */
/* The n-th request whose path holds `part` ends that process with SIGKILL: before it is looked at,
 * or after it was done, unanswered. */
void home_kills(struct home *h, const char *part, int n, int pid, bool done);
/* No request is answered before that time; connections break. */
void home_rests(struct home *h, int64_t until);
/* All access tokens of that user die now. soft: refreshing still works. */
void home_logs_out(struct home *h, const char *user, bool soft);

#endif
