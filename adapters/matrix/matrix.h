/* The Matrix adapter, seen from inside its folder.
 *
 *     cursor   the account's durable state: one line of JSON that the shell stores with every batch
 *     login    getting and keeping an access token: discovery, password, refresh
 *     oauth    the same where a person has to confirm it: the device grant
 *     sync     asking for news; invites, gaps and moves become things to do before the next sync
 *     todo     doing them: one request each
 *     gather   the updates of one answer, as they are found
 *     hear     one event -> one update
 *     room     what is known of rooms in memory: names, power, direct chats, encryption
 *     say      one outgoing -> requests, and the answers -> a receipt
 *     progress how far a send has come, as words
 *     content  what stands in an event
 *     direct   the steps that lead to a private chat
 *     seal     the seam where end-to-end encryption would sit
 *     mark     text with marks -> plain body and HTML
 *     wire     URLs, headers, JSON in and out
 *     examine  what is right and wrong with the account, for koikoi doctor; examine_room, in a room of its own
 *
 * Two kinds of state. Durable: struct session, parsed from the cursor at each poll and never
 * changed between two polls, so that a new token is in use only after it has been stored.
 * Forgettable: rooms and flags, found again after a start (whoami, m.direct, one sync with full
 * state).
 */
#ifndef KOIKOI_MATRIX_H
#define KOIKOI_MATRIX_H

#include "adapter.h"

enum { MAX_TODO = 256, MAX_FRESH = 64, ID_BYTES = 255, POLL_ANSWERS = 20, FLIGHTS = 64 };

/* What must be done, in order, before news is asked for again. */
enum todo_kind {
    TODO_JOIN,                  /* accept the invite to `room`; `who` invited, `direct`: as a
                                   private chat */
    TODO_LEAVE,                 /* leave `room` (or refuse its invite) */
    TODO_FORGET,
    TODO_DIRECT,                /* note in m.direct that `room` is the private chat with `who` */
    TODO_FILL,                  /* `room` has a gap: read on from `at` up to `to` */
    TODO_FOLLOW,                /* `room` was replaced by `to`: join that, by way of the server
                                   `at` */
    TODO_PROVE,                 /* `to` is joined: does it name `room` as its predecessor? */
    N_TODOS
};
struct todo {
    enum todo_kind kind;
    struct str room, who, at, to;
    bool direct;
    int64_t tries;
};

/* Durable: see cursor.c. Times are unix ms. */
struct session {
    struct str setup;           /* the options it was made for; others mean: begin anew */
    int64_t born;               /* when it was first made: part of every transaction id */
    struct str base;            /* "https://matrix.example.org", no slash at the end */
    struct str user, device;
    struct str access, refresh;
    int64_t expires;            /* of access; 0 = unknown or never */
    int64_t life;               /* how long access tokens live, ms; 0 = not said */
    int64_t logged_in;          /* when the last login succeeded */
    int64_t tried, tries;       /* when login was last tried, and how often since it last
                                   succeeded */
    /* OAuth */
    struct str client, token_url, device_url, register_url;
    struct str code;            /* device code that waits for a person; empty: none */
    int64_t interval, code_expires;
    /* news */
    struct str since;
    int n_todo;
    struct todo todo[MAX_TODO];
    int n_fresh;                /* rooms just joined, whose own join event has not come yet */
    struct str fresh[MAX_FRESH];
};

/* The request whose answer read() gets. */
enum step {
    STEP_FIND, STEP_FLOWS, STEP_LOGIN, STEP_REFRESH,
    STEP_METADATA, STEP_REGISTER, STEP_CODE, STEP_GRANT,
    STEP_WHOAMI, STEP_DIRECTS, STEP_TODO, STEP_SYNC
};

struct rooms;

/* Which step of a send is on its way (enum say_step), by row. */
struct flight { int64_t row; int step; };

struct matrix {
    /* options */
    struct str homeserver, user, token, password, device, prefix, allow, threads;
    int64_t rooms, pace, burst;
    bool oauth, polls, pictures;
    /* set by open */
    struct arena *own;          /* holds `session` */
    struct session session;
    struct rooms *known;
    /* forgettable */
    enum step step;
    int64_t now;                /* of the last reply; 0 before the first */
    bool checked;               /* whoami said who we are */
    bool directs_known;         /* m.direct was read */
    bool synced;                /* the first sync of this process was read */
    bool refused;               /* the server does not take the access token: refresh it */
    bool may_log_in;            /* a password attempt was noted in the cursor and may be made */
    uint64_t access_mark;       /* of the access token that the flags above are about */
    bool forced;                /* the server encrypts private chats by itself */
    struct flight flight[FLIGHTS];
    int64_t noting;             /* the row whose chat is being written into m.direct; 0: none */
    int failures;               /* polls in a row that brought nothing */
    struct {                    /* of examine.c and examine_room.c alone */
        int step, said, tries;
        int64_t began, last;
        struct str room;
    } exam;
};

/* True when there is a session that may be spoken with. */
bool matrix_ready(const struct matrix *m);

#endif
