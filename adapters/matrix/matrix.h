/* The Matrix adapter, seen from inside its folder.
 *
 *     matrix            the adapter row and the options
 *     cursor            the account's durable state: one line of JSON, stored with every batch
 *     room              what is known of rooms, in memory: names, power levels, encryption
 *     wire              URLs, headers, JSON in and out
 *     polled            one answer to a poll; polls that fail: retry, give up, get a new token
 *     auth              getting and keeping an access token
 *     sync events       syncs, and the events in them
 *     read              one event as an update, the people that it names
 *     room_actions      actions on rooms between two syncs
 *     send content      one outgoing -> requests, and their answers -> a receipt
 *     direct markup     private chats; marked text as HTML
 *     widget            the daemon's page beside a room, the proofs of its readers
 *     crypto            end-to-end encryption: the library's machine over the account's vault
 *     crypto_poll, encrypted_send   its part of polls and sends
 *     examine           checks of the account, for koikoi doctor
 *
 * Durable is struct matrix_session, parsed from the cursor at each poll and constant between polls:
 * a new token is used only after it has been stored. The rest is found again after a start. */
#ifndef KOIKOI_MATRIX_H
#define KOIKOI_MATRIX_H

#include "adapter.h"
#include "cursor.h"
#include "json.h"

enum { ID_BYTES = 255, POLL_ANSWERS = 20 };
#define COMMAND_WORDS "words" /* the argument of a command that a client sends as such */
enum { FLIGHTS = 64, FILE_KEYS = 600, KEY_POLL = -1 };

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
    STEP_KEYS,
    STEP_SYNC
};

struct rooms;
struct matrix_crypto;

/* The step of a send that is under way (enum send_step), of one row. */
struct send_flight {
    int64_t row;
    int64_t turn; /* when it was last sent, by matrix.turns */
    bool busy;    /* its answer is not known yet */
    int step;
    char key_id[ID_BYTES + 1], key_kind[16]; /* SEND_KEYS: the request of the machine */
    int members_turn;                        /* SEND_MEMBERS: of the room, when it was asked */
    bool looked;                             /* and the answer was good */
    bool paused;                             /* SEND_PAUSE is over */
    char file[FILE_KEYS];                    /* SEND_UPLOAD: the keys of an encrypted file */
};

/* An action that runs beside the polls. */
struct room_aside {
    int kind; /* enum room_action_kind; 0: none */
    char room[ID_BYTES + 1];
};

/* What the requests between two syncs have come to: see crypto_poll.c. */
struct crypto_progress {
    int phase;                       /* its enum crypto_phase */
    struct json queue;               /* an answer with the requests that sign this device, */
    bool known;                      /* whose identity the server has, */
    int at;                          /* and the next of them */
    char *session;                   /* of the server's question for the password */
    char id[ID_BYTES + 1], kind[16]; /* the request under way */
    bool ready;                      /* this device is signed */
    bool refused;                    /* until the next sync */
    bool off;                        /* encryption cannot be used, */
    int64_t again;                   /* ... but is tried again then; 0: it is not */
    int waiting, young, cancels;     /* events without a key; new ones; see crypto_cancel() */
    char trouble[512];               /* why it cannot be used */
};

struct matrix {
    /* options */
    struct str homeserver, user, token, password, device, prefix, allow, threads;
    struct str widget_homeservers;
    int64_t rooms, pace, burst;
    struct str e2ee, recovery_key;
    bool oauth, polls, pictures;
    struct vault *vault;           /* NULL: none was given */
    const struct menu_lists *menu; /* NULL: none yet */
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
    bool encrypts_directs;       /* the server encrypts private chats by itself, */
    bool reserves_none;          /* or has no addresses for pictures that are still to come */
    struct send_flight flight[FLIGHTS]; /* see send_flight_of() */
    int64_t turns;
    int action;                 /* STEP_ACTION: its number */
    struct room_aside beside;   /* the action beside the polls */
    struct invited invited[64]; /* by whom, today; the oldest is replaced */
    int n_invited;
    int64_t direct_row;           /* the row that writes its private chat into m.direct; 0: none */
    struct matrix_crypto *crypto; /* end-to-end encryption; NULL: none */
    struct crypto_progress keys;
    /* The row whose requests of the machine are under way, KEY_POLL for the poll's; 0: none. One at
     * a time: the machine forgets which users it asked about when it is asked again. */
    int64_t key_row;
    int n_unstored;     /* syncs in a row whose place the loop need not store */
    int failures, lost; /* polls in a row that brought nothing; tokens, that were refused */
    int unknown;        /* answers in a row that refused a stored word: m.direct, a position */
    const struct exam *asked; /* by koikoi doctor; NULL while the bot runs */
    int exam;                 /* the step of examine.c */
};

/* The state of a row's send, or else what its next send may take: the one that is longest unused. */
static inline struct send_flight *send_flight_of(struct matrix *m, int64_t row)
{
    struct send_flight *found = &m->flight[0];
    for (struct send_flight *f = m->flight; f < m->flight + FLIGHTS; f++) {
        if (f->row == row)
            return f;
        if (f->busy != found->busy ? found->busy : f->turn < found->turn)
            found = f;
    }
    return found;
}

/* ---- examine.c ---- */

void matrix_exam(void *account, const struct exam *exam);
void matrix_examine(void *account, struct arena *a, const struct reply *reply, struct request *next,
                    struct findings *ret);

#endif
