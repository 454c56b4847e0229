/* The state of one Telegram account, and what its files share. telegram.c is the row and the order
 * in which things are asked, menu.c one of them, weather.c what may go wrong with them; hear.c
 * reads updates, hook.c those that are brought; say.h is about speaking; call.c, html.c and json.c
 * write. */
#ifndef TELEGRAM_H
#define TELEGRAM_H

#include "adapter.h"
#include "json.h"

enum {
    TEXT_UNITS = 4096,
    CAPTION_UNITS = 1024,
    POPUP_UNITS = 200,
    DATA_BYTES = 64,
    LABEL_UNITS = 64,
    NAME_CHARS = 40,
    HANDLE_SIZE = 40,
    MAX_UPDATES = 100,
    KNOWN_ADMINS = 64
};

/* What is asked next. */
enum asking {
    ASK_ME,     /* getMe: our own name */
    ASK_FIRST,  /* the first start: what is older is passed over */
    ASK_NEWS,   /* getUpdates */
    ASK_UNHOOK, /* a webhook is in the way: deleteWebhook */
    ASK_HOOK,   /* setWebhook: news are brought to us */
    ASK_HOOKED, /* getWebhookInfo: is it still ours? */
    ASK_MENU,   /* setMyCommands, one language and scope at a time */
    ASK_ADMIN   /* getChatMember: may this person change settings? */
};

/* Does this server hide what one person alone may see? See hide.c. */
enum hiding { HIDING_UNTRIED, HIDING_PROVEN, HIDING_MISSING };

struct known_admin {
    int64_t chat, person, until;
    bool admin;
};

struct telegram {
    /* options */
    struct str token, api_root;
    int64_t pace, poll_s;
    bool pictures;
    struct str webhook_url, webhook_secret; /* no url: news are polled */
    /* state */
    struct str base; /* api_root/botTOKEN/ : never logged */
    enum asking asking;
    char handle[HANDLE_SIZE]; /* our own, without '@'; empty until known */
    bool answers_queries;     /* inline mode is on */
    int64_t id;
    bool short_poll;        /* the next poll does not wait */
    int failures;           /* in a row */
    int64_t conflict_since; /* unix ms; 0: none */
    int64_t began;          /* unix ms of the first answer */
    const struct menu_entry *menu;
    int n_menu, menu_at;
    struct known_admin admin[KNOWN_ADMINS]; /* found by chat and person; oldest given up */
    int admin_next;
    int64_t wanted_chat, wanted_person;     /* to be asked next */
    int64_t asked_chat, asked_person;       /* ASK_ADMIN */
    bool wants_admin;                       /* what was brought waits for it */
    enum hiding hiding;
    bool trying;       /* a message is under way that tells whether one can be hidden */
    int64_t tried_row; /* which it is */
};

/* ---- place.c: ids that go through the house ----
 * A chat is "-1001234" or, with a topic, "-1001234/7"; a message of ours in a chat that we are not
 * in is a chat of its own, 'i' and its inline_message_id. A post is "123"; with a picture "123p";
 * one that a single person sees begins with 'e'. A press is 'q' and the query's id; a command typed
 * unseen is answered to 'e' and its message id; an inline query to 'i', a guest's to 'g' and its
 * id. */
struct place {
    int64_t chat, thread;
};
/* The id of the message that is all there is of this chat; empty: it is another chat. */
struct str tg_one_post(struct str chat);
bool tg_place_read(struct str chat, struct place *ret);
struct post {
    int64_t id;
    bool hidden, picture;
};
bool tg_post_read(struct str post, struct post *ret);
struct str tg_post_write(struct arena *a, struct post p);
enum { ANONYMOUS_ADMIN = 1087968824 }; /* an account that stands for all administrators of a
                                          group */
/* True for the accounts that stand for a group or a channel: nothing can be said to them alone, so
 * it is said to all. */
bool tg_is_nobody(struct str id);

/* ---- hear.c ---- */
enum heard { HEARD_NOTHING, HEARD, HEARD_NEEDS_ADMIN };
/* One update of getUpdates. HEARD_NEEDS_ADMIN: it cannot be passed on before it is known whether
 * t->wanted_person may change settings in t->wanted_chat. */
enum heard tg_hear(struct telegram *t, struct arena *a, const cJSON *update, int64_t now,
                   struct update *ret);

/* ---- hook.c: news that are brought ---- */
/* The options are in order; true too if no webhook is wanted. */
bool tg_hook_check(const struct telegram *t, struct err *err) MUST_CHECK;
bool tg_hook(const struct telegram *t, struct hook *ret);
void tg_hook_set(struct telegram *t, struct arena *a, bool first, struct request *ret);
/* The answer of getWebhookInfo: is the webhook ours? Says in *ret_note what went wrong with it
 * lately. */
bool tg_hook_ours(const struct telegram *t, struct arena *a, const struct reply *reply,
                  struct str *ret_note);
bool tg_brought(struct telegram *t, struct arena *a, const struct reply *reply, struct batch *ret,
                struct err *err) MUST_CHECK;
/* What is heard at all, as getUpdates and setWebhook want it. */
extern const struct str tg_kinds;

/* ---- call.c ---- */
struct request tg_call(struct telegram *t, struct arena *a, const char *method,
                       const struct fields *f);
/* The same with the bytes of a picture, which fields name "attach://picture". */
struct request tg_call_with_picture(struct telegram *t, struct arena *a, const char *method,
                                    const struct fields *f, struct str bytes);

/* ---- menu.c ---- */
bool tg_menu_left(const struct telegram *t); /* there is a list to be set */
struct request tg_menu_ask(struct telegram *t, struct arena *a);
void tg_menu_done(struct telegram *t); /* that list is set, or refused for good */

/* ---- weather.c ---- */
struct refusal;
/* How long to wait before the next question: longer each time, until one is answered. ms */
int64_t tg_back_off(struct telegram *t);
/* A question was not answered, or refused: says why in *err, and in *ret how long to wait and
 * whether that is the end. Always false. */
bool tg_failed(struct telegram *t, const struct reply *reply, const struct refusal *no,
               struct batch *ret, struct err *err);

/* ---- examine.c ---- */
void tg_examine(struct telegram *t, struct arena *a, const struct reply *reply,
                struct request *next, struct findings *ret);

/* ---- verdict.c ---- */
/* What a refusal says, whatever of it could be read. */
struct refusal {
    int code;  /* 0: no answer */
    bool api;  /* it is in the words of the Bot API, not in those of a gate in between */
    struct str why;
    int64_t retry_ms, moved_to;
};
bool tg_refusal_read(struct arena *a, const struct reply *reply,
                     struct refusal *ret); /* true: it is "ok" */

#endif
