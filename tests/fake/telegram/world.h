/* State of the fake network: options, people, chats, messages, taps, pictures. Ids are never
 * reused. */
#ifndef FAKE_WORLD_H
#define FAKE_WORLD_H

#include "arguments.h"
#include "serve.h"

enum { BOT_ID = 123456, ANONYMOUS_ID = 1087968824 };
enum { GROUP_MINUTE = 20 }; /* most sends and edits in any minute */

/* Of the server and of the bot under test, from the command line: main.c has their table. */
struct options {
    const char *label, *token, *exec, *log, *event_log, *die;
    int port, seed, kill_signal, through;
    int64_t kill_every, kills;
    double max_s, restart_ms, delay_ms;
    double p_429, retry_after, p_502, p_reset, p_cut, p_double, p_swap;
    bool limits, hidden_counts, trace;
};
extern struct options opt;
extern struct serve *server;

struct tg_person {
    int64_t id;
    const char *name, *handle, *language; /* handle may be "" */
    bool opened, blocked;                 /* the private chat with the bot */
    bool owner;                           /* of every group */
};

struct tg_message {
    int64_t id;            /* of an ephemeral message: its ephemeral_message_id */
    int64_t receiver;      /* the only person who sees it; 0: everybody */
    int64_t thread, from;  /* from: 0 is the bot */
    uint64_t event;        /* number of the send or edit that gave it its content */
    char *text, *entities; /* entities: JSON array */
    cJSON *markup;         /* NULL: no buttons */
    char *photo;           /* file id of its largest size; NULL: none */
    char *document;        /* what is in the file that came with it; NULL: none */
    char *inlined;         /* inline_message_id if it was sent by way of the bot, else NULL */
    bool gone;
};

enum chat_kind { CHAT_PRIVATE, CHAT_GROUP, CHAT_SUPERGROUP };
extern const char *const chat_kinds[]; /* as the API names them */
enum tg_standing { BOT_MEMBER, BOT_ADMIN, BOT_LEFT, BOT_KICKED };

struct tg_chat {
    int64_t id;
    enum chat_kind kind;
    enum tg_standing bot;
    const char *title;
    bool forum, bare; /* bare: ephemeral messages are refused */
    int64_t moved_to;
    struct tg_message *messages;
    size_t n, cap;
    int64_t refused_at, refused_until; /* time of the last 429, and until when it holds (ns) */
    uint64_t refused_what;             /* hash of the call that got the 429 */
    bool held;                         /* answers are held */
    bool owed;                         /* a refused message was not sent again yet */
    int64_t last_message;              /* of a supergroup */
    int64_t *sent; /* times (ns) of the last sends and edits, a ring of GROUP_MINUTE */
    int n_sent;
    double tokens; /* of a private chat */
    int64_t tokens_at;
};

struct tap {   /* a callback query */
    int64_t n; /* its id on the wire is "tap" and this number */
    int64_t person, chat, at;
    bool late, answered;
    char *answer; /* as shown to the person; NULL until answered */
};

/* False for loads: every chat exists, messages are counted but not kept. */
extern bool world_keeps;
/* An old server: knows only the calls of every server and ignores unknown parameters. */
extern bool world_old;
/* No edit turns an ephemeral text into a picture. */
extern bool world_stiff;
extern uint64_t world_events; /* sends and edits of the bot so far */

/* The strings must outlive the world. */
struct tg_person *world_person_new(struct tg_person one);
struct tg_person *world_person(int64_t id); /* NULL if not found */
struct tg_chat *world_chat_new(int64_t id, enum chat_kind kind, const char *title);
struct tg_chat *world_chat(int64_t id); /* NULL if not found; created in a load */
/* The next message id: each supergroup has its own numbers, all other chats share theirs. c may be
 * NULL: a chat of the latter. */
int64_t world_message_id(struct tg_chat *c);
/* Takes ownership of the message's strings. */
struct tg_message *world_say(struct tg_chat *c, struct tg_message m);
/* NULL if gone or unknown. */
struct tg_message *world_message(struct tg_chat *c, int64_t id, int64_t receiver);
struct tg_message *world_inlined(const char *id, struct tg_chat **ret); /* by inline_message_id */
struct tap *world_tap_new(int64_t person, int64_t chat);
struct tap *world_tap(const char *id); /* NULL if not found */
bool world_all_answered(void);         /* true if no tap waits, late ones aside */
double world_chance(void);             /* 0 <= x < 1, from the seed */
/* Stores an uploaded picture; *ret is the file id of its largest size. Returns NULL, or the
 * server's error text. */
const char *world_photo(const char *bytes, size_t n, const char **ret);
/* The file id of a picture's largest size, from that of any size. NULL if not found. */
const char *world_photo_id(const char *file_id);

/* Append their JSON as the API gives it. */
void person_json(struct text_buffer *t, const struct tg_person *p);
void chat_json(struct text_buffer *t, const struct tg_chat *c);
void bot_json(struct text_buffer *t, bool whole); /* whole: as in getMe */
void message_json(struct text_buffer *t, const struct tg_chat *c, const struct tg_message *m,
                  bool edited);

#endif
