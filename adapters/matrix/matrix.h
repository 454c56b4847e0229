/* The Matrix adapter, seen from inside its folder. The folders see this one; they do not see one
 * another.
 *
 *     matrix       the adapter row and the options
 *     cursor       the account's durable state: one line of JSON, stored with every batch
 *     room         what is known of rooms, in memory: names, power levels, private chats, encryption
 *     wire         URLs, headers, JSON in and out
 *     seal         end-to-end encryption: the library's machine over the account's vault
 *     poll_errors  polls that fail: retry, give up, get a new token
 *     examine      checks of the account, for koikoi doctor
 *     auth/        getting and keeping an access token
 *     sync/        polls: syncs, the events in them, actions on rooms between two syncs
 *     send/        one outgoing -> requests, and their answers -> a receipt
 *
 * Durable is struct matrix_session, parsed from the cursor at each poll and constant between polls:
 * a new token is used only after it has been stored. The rest is found again after a start. */
#ifndef KOIKOI_MATRIX_H
#define KOIKOI_MATRIX_H

#include "adapter.h"

enum { MAX_ACTIONS = 256, MAX_FRESH = 64, ID_BYTES = 255, POLL_ANSWERS = 20 };
enum { FLIGHTS = 64, FILE_KEYS = 600, KEY_POLL = -1 };

/* Actions on rooms, done in order before the next sync. */
enum room_action_kind {
    ACTION_JOIN,  /* accept the invite to `room`; `who` invited, `direct`: as a
                     private chat */
    ACTION_LEAVE, /* leave `room` (or refuse its invite) */
    ACTION_FORGET,
    ACTION_DIRECT, /* write into m.direct that `room` is the private chat with `who` */
    ACTION_FILL,   /* `room` has a gap: read it from `at` up to `to` */
    ACTION_FOLLOW, /* `to` replaces `room`: join it, by way of the server `at` */
    ACTION_PROVE,  /* `to` is joined: does it name `room` as its predecessor? */
    ACTION_LOOK,   /* `room` is joined by the invite of `who`: is it a space, does it replace a
                      room of ours? */
    ACTION_NAMES,  /* whom does `event`, a command in `room`, name? */
    ACTION_TRACE,  /* `to` says that it replaces `room`: does that say so too? */
    N_ACTIONS
};
struct room_action {
    enum room_action_kind kind;
    struct str room, who, at, to;
    struct str event; /* JSON */
    bool direct;
    int64_t tries;
};

/* The durable state: see cursor.c. Times are unix ms. */
struct matrix_session {
    struct str setup; /* hash of the options it was made for; with others it starts anew */
    int64_t born;     /* when it was made: part of every transaction id */
    struct str base;  /* "https://matrix.example.org", no slash at the end */
    struct str user, device;
    struct str access, refresh;
    int64_t expires;      /* of access; 0 = unknown or never */
    int64_t life;         /* lifetime of access tokens, ms; 0 = not given */
    int64_t logged_in;    /* when the last login succeeded */
    int64_t early;        /* 1: it followed the one before within an hour */
    int64_t tried, tries; /* the last login tried; how many since one succeeded */
    /* OAuth */
    struct str client, token_url, device_url, register_url;
    struct str code; /* the device code that a person must confirm; may be empty */
    int64_t interval, code_expires;
    /* sync */
    struct str since;
    int n_actions;
    struct room_action actions[MAX_ACTIONS];
    int n_fresh; /* rooms just joined, before their own join event came */
    struct str fresh[MAX_FRESH];
};

/* The request whose answer read() gets. */
enum poll_step {
    STEP_FIND,
    STEP_FLOWS,
    STEP_LOGIN,
    STEP_REFRESH,
    STEP_METADATA,
    STEP_REGISTER,
    STEP_CODE,
    STEP_GRANT,
    STEP_WHOAMI,
    STEP_DIRECTS,
    STEP_ACTION,
    STEP_SEAL,
    STEP_SYNC
};

struct rooms;
struct matrix_seal;

/* The step of a send that is under way (enum send_step), by row. */
struct send_flight {
    int64_t row;
    int step;
    char key_id[ID_BYTES + 1], key_kind[16]; /* SEND_KEYS: the request of the seal */
    int members_turn;                        /* SEND_MEMBERS: of the room, when it was asked */
    char file[FILE_KEYS];                    /* SEND_UPLOAD: the keys of a sealed file */
};

/* What the seal's requests between two syncs have come to: see sync/seal_poll.c. */
struct seal_turn {
    int phase;           /* its enum seal_phase */
    struct cJSON *queue; /* requests that sign this device */
    int at;
    char *session;                   /* of the server's question for the password */
    char id[ID_BYTES + 1], kind[16]; /* the request under way */
    bool ready;                      /* this device is signed */
    bool refused;                    /* until the next sync */
    bool off;                        /* encryption cannot be used */
    int waiting, young;              /* events that wait for a key; those of the last minute */
    char trouble[512];               /* why it cannot be used */
};

struct matrix {
    /* options */
    struct str homeserver, user, token, password, device, prefix, allow, threads;
    int64_t rooms, pace, burst;
    struct str e2ee, recovery_key;
    bool oauth, polls, pictures;
    struct vault *vault; /* NULL: none was given */
    /* set by open */
    struct arena *own; /* holds `session` */
    struct matrix_session session;
    struct rooms *known;
    /* forgettable */
    enum poll_step step;
    int64_t now;                 /* of the last reply; 0 before the first */
    bool checked;                /* whoami said who we are */
    bool directs_known;          /* m.direct was read */
    bool synced;                 /* the first sync of this process was read */
    bool sync_short, sync_names; /* the last sync was too large, or lacked names: ask anew */
    bool refused;                /* the server refused the access token: refresh it */
    bool may_log_in;             /* a password attempt is stored in the cursor and may be made */
    uint64_t access_mark;        /* hash of the access token that the flags above are about */
    bool encrypts_directs;       /* the server encrypts private chats by itself */
    struct send_flight flight[FLIGHTS];
    int64_t direct_row;       /* the row that writes its private chat into m.direct; 0: none */
    struct matrix_seal *seal; /* end-to-end encryption; NULL: none */
    struct seal_turn turn;
    /* The row whose requests of the seal are under way, KEY_POLL for the poll's; 0: none. One at a
     * time: the machine forgets which users it asked about when it is asked again. */
    int64_t key_row;
    int failures;             /* polls in a row that brought nothing */
    const struct exam *asked; /* by koikoi doctor; NULL while the bot runs */
    int exam, exam_account;   /* steps of examine.c and examine_account.c, theirs alone */
};

#endif
