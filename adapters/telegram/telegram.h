/* The state of one Telegram account, and the functions its files share.
 *
 *     telegram   the adapter row; the webhook, the order of the polls, the list of commands
 *     read       updates, and the people that they name
 *     start_data whom the start data of a Mini App proves
 *     send       requests of a send, by its plan; receipt: what their answers mean; html: text
 *     wire       ids, calls, answers as bytes and JSON
 *     examine    checks of the account, for koikoi doctor */
#ifndef TELEGRAM_H
#define TELEGRAM_H

#include "wire.h"

enum {
    TEXT_UNITS = 4096, /* limits of the Bot API, in UTF-16 units */
    CAPTION_UNITS = 1024,
    POPUP_UNITS = 200,
    LABEL_UNITS = 64,
    NAME_CHARS = 40,
    HANDLE_SIZE = 40,
    MAX_UPDATES = 100,
    KNOWN_ADMINS = 64,
    KNOWN_CLOSED = 256
};

/* The question of the next poll. */
enum asking {
    ASK_ME,             /* getMe: our own name */
    ASK_FIRST,          /* getUpdates at the very first start: skips older updates */
    ASK_UPDATES,        /* getUpdates */
    ASK_WEBHOOK_DELETE, /* deleteWebhook: one that is set blocks getUpdates */
    ASK_WEBHOOK_SET,    /* setWebhook */
    ASK_WEBHOOK_INFO    /* getWebhookInfo: is it still ours? */
};

enum { ADMIN_MS = 300000 }; /* life of an answer to OUT_ASK */
struct known_admin {
    int64_t chat, person, until; /* until: unix ms */
    bool admin;
};

/* A way to one person that Telegram refused: see plan.c. */
struct closed_way {
    int64_t chat, until; /* until: unix ms */
    char person[24];
};

struct telegram {
    /* options */
    struct str token, api_root;
    int64_t pace, poll_s;
    bool pictures;
    struct str webhook_url, webhook_secret; /* no url: updates are polled */
    struct str app;                         /* short name of the Mini App; empty: none */
    /* state */
    struct str base; /* api_root/botTOKEN/ : never logged */
    enum asking asking;
    char handle[HANDLE_SIZE]; /* our own, without '@'; empty until known */
    int64_t named;            /* unix ms of that answer */
    bool answers_queries;     /* inline mode is on */
    int64_t id;
    int failures;                           /* in a row */
    bool too_large;                         /* so was the last answer: ask for one update */
    int64_t conflict_since;                 /* unix ms; 0: none */
    int64_t began;                          /* unix ms of the first answer */
    const struct menu_lists *menu;          /* NULL: none yet */
    int menu_at;                            /* the next list and scope to be told */
    struct known_admin admin[KNOWN_ADMINS]; /* a ring: the oldest is overwritten */
    int admin_next;
    int webhook_sets; /* in a row, each in vain */
    bool confirmed;   /* the last answer brought no updates: the server has dropped those before */
    struct closed_way closed[KNOWN_CLOSED]; /* a ring as well */
    int closed_next, n_closed;              /* n_closed: of them in use, mostly none */
    int64_t now;                            /* unix ms of the last answer */
    bool hides;          /* the server has hidden an ephemeral message; see plan.c */
    int64_t shows_until; /* unix ms; it has shown one: until then it is not tried again */
    bool probing;        /* a message is under way that shows whether the server hides one */
    int64_t probe_row;   /* its row */
};

/* ---- read.c ---- */
enum read_result { READ_NOTHING, READ_UPDATE };
/* One update of getUpdates. */
enum read_result tg_read(struct telegram *t, struct arena *a, struct json update, int64_t now,
                         struct update *ret);
/* The kinds of updates that tg_read knows, as getUpdates and setWebhook take them. */
extern const struct str tg_read_kinds;
/* A user as Telegram describes one, in updates and start data. */
struct sender tg_sender(struct arena *a, struct json user);

/* ---- start_data.c ---- */
enum proved tg_prove(void *account, struct arena *turn, const struct proving *p, struct proof *ret);

/* ---- plan.c ---- */
/* True if the server has shown an ephemeral message to everybody within the last day. */
bool tg_hides_nothing(const struct telegram *t);
/* Something has changed in this chat: what was refused there may work. */
void tg_closed_forget(struct telegram *t, int64_t chat);

/* ---- examine.c ---- */
/* The answer of getWebhookInfo: is the webhook ours? *ret_log_text says what went wrong with it
 * lately, or is empty. */
bool tg_webhook_ours(const struct telegram *t, struct arena *a, const struct reply *reply,
                     struct str *ret_log_text);
void tg_examine(void *account, struct arena *a, const struct reply *reply, struct request *next,
                struct findings *ret);

#endif
