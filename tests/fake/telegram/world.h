/* Who and what there is on the fake network: people, chats, messages, taps. Nothing is ever taken
 * out but by the rules of the network; ids are never used twice. */
#ifndef FAKE_WORLD_H
#define FAKE_WORLD_H

#include "text.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

enum { BOT_ID = 123456, ANONYMOUS_ID = 1087968824 };

struct person {
    int64_t id;
    const char *name, *handle, *language; /* handle may be "" */
    bool opened, blocked;                 /* of the private chat with the bot */
};

struct message {
    int64_t id;            /* of an ephemeral message: its ephemeral_message_id */
    int64_t receiver;      /* the only person who sees it; 0: everybody */
    int64_t thread, from;  /* from: 0 is the bot */
    uint64_t event;        /* number of the send or edit that made it what it is */
    char *text, *entities; /* entities: JSON array */
    cJSON *markup;         /* NULL: no buttons */
    char *photo;           /* file id of its largest size; NULL: none */
    char *inlined;         /* inline_message_id, if it was said through the bot; NULL: it was not */
    bool gone;
};

enum chat_kind { CHAT_PRIVATE, CHAT_GROUP, CHAT_SUPERGROUP };
enum standing { BOT_MEMBER, BOT_ADMIN, BOT_LEFT, BOT_KICKED };

struct chat {
    int64_t id;
    enum chat_kind kind;
    enum standing bot;
    const char *title;
    bool forum, bare; /* bare: nothing may be whispered there */
    int64_t moved_to;
    struct message *messages;
    size_t n, cap;
    int64_t refused_at, refused_until; /* a 429 was said, is in force until then (ns) */
    uint64_t refused_what;             /* the call that it was said to, by its hash */
    bool held;             /* answers are kept back */
    bool owed;             /* a send was refused and has not come again */
    int64_t last_message;  /* of a supergroup */
    double tokens;
    int64_t tokens_at;
};

struct tap {   /* a callback query */
    int64_t n; /* its id on the wire is "tap" and this number */
    int64_t person, chat, at;
    bool late, answered;
    char *answer; /* what the person saw; NULL until answered */
};

/* False while loads are measured: every chat exists, messages are counted but not kept. */
extern bool world_keeps;
/* The server knows fewest calls and parameters, and passes over the parameters that it does not
 * know. */
extern bool world_old;
extern uint64_t world_events; /* sends and edits of the bot so far */

/* The strings must live on. */
struct person *world_person_new(struct person one);
struct person *world_person(int64_t id); /* NULL: nobody */
struct chat *world_chat_new(int64_t id, enum chat_kind kind, const char *title);
struct chat *world_chat(int64_t id);                         /* NULL: none; in a load it is made */
/* The next: each supergroup counts its own, all other chats together. NULL: one of those. */
int64_t world_message_id(struct chat *c);
struct message *world_say(struct chat *c, struct message m); /* takes over its strings */
struct message *world_message(struct chat *c, int64_t id,
                              int64_t receiver); /* NULL: gone, unknown */
struct message *world_inlined(const char *id, struct chat **ret); /* by inline_message_id */
struct tap *world_tap_new(int64_t person, int64_t chat);
struct tap *world_tap(const char *id); /* NULL: unknown */
bool world_all_answered(void);  /* no tap waits, but for those that come too late */
double world_chance(void);             /* 0 <= x < 1, from the seed */

/* Their descriptions as the API gives them. */
void person_json(struct text *t, const struct person *p);
void chat_json(struct text *t, const struct chat *c);
void bot_json(struct text *t, bool whole); /* whole: as getMe answers */
void message_json(struct text *t, const struct chat *c, const struct message *m, bool edited);

#endif
