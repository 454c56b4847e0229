/* Methods of the Bot API: their refusals, limits, and faults on demand; the queue of updates;
 * inline mode, in which people query the bot in any chat and send one of its answers. */
#ifndef FAKE_API_H
#define FAKE_API_H

#include "params.h"
#include "world.h"

/* Callbacks of a load or a story, set before the server runs; each may be NULL. */
struct hooks {
    void (*polled)(void);                      /* getUpdates arrived */
    void (*handed)(uint32_t tag, int64_t now); /* an update was delivered */
    void (*said)(struct tg_chat *c, struct tg_message *m, const char *text); /* m: NULL in a load */
    void (*answered)(struct tap *t);
};
extern struct hooks hooks;

/* Counters, under their names in the result line. bytes: of requests, but for polls; brought: by
 * the webhook; side_by_side: while another was under way. */
#define COUNTS(X)                                                                                  \
    X(polls)                                                                                       \
    X(full_polls)                                                                                  \
    X(handed)                                                                                      \
    X(sends)                                                                                       \
    X(edits)                                                                                       \
    X(erased)                                                                                      \
    X(answers)                                                                                     \
    X(pictures)                                                                                    \
    X(bytes)                                                                                       \
    X(refused)                                                                                     \
    X(n_429)                                                                                       \
    X(early_429)                                                                                   \
    X(resent_429)                                                                                  \
    X(n_502)                                                                                       \
    X(resets)                                                                                      \
    X(cuts)                                                                                        \
    X(doubled_updates)                                                                             \
    X(swapped_polls)                                                                               \
    X(ordered_deaths)                                                                              \
    X(brought)                                                                                     \
    X(side_by_side)                                                                                \
    X(refused_hooks)
#define COUNT_MEMBER(name) int64_t name;
extern struct counts {
    COUNTS(COUNT_MEMBER)
} counts;

/* ---- calls ---- */

struct tg_call {
    const char *method;
    struct params *p;
    uint64_t from;
    enum serve_harm harm;       /* what happens to its answer */
    const struct tg_chat *held; /* chat whose release the answer waits for; may be NULL */
    bool answered;
};
/* A method answers by api_ok() or returns why it refuses: for a 403 with "Forbidden: " before it.
 * If it does neither, the result is true. */
typedef const char *tg_method(struct tg_call *c);
tg_method send_message, send_edit, send_erase, inline_answer, inline_answer_guest;

void api_request(void *unused, struct serve_request *r);
void api_ok(struct tg_call *c, struct text_buffer result);
/* The chat of the call. NULL if it cannot be entered: *ret_fault says why. */
struct tg_chat *send_to(struct tg_call *c, const char **ret_fault);
const char *send_markup_fault(const cJSON *markup); /* NULL if it is valid */

/* An answer {"ok":false,...} with the status `code`. `more`: further members, or "". */
void api_refuse(uint64_t from, int code, const char *why, const char *more);
/* How --limits counts a call. */
enum tg_rate { COUNTED, COUNTED_HIDDEN, COUNTED_NOT };
/* Returns true if it answered with 429. */
bool api_flooded(struct tg_call *c, struct tg_chat *chat, enum tg_rate counted);
/* Returns true if the call fails: for its own `fault`, if not NULL, or answered with 502. */
bool api_fails(struct tg_call *c, const char *fault);
/* Draws the faults of the command line. Returns true if it answered the request with 502; else
 * *harm is what happens to the answer. */
bool api_faults(uint64_t from, enum serve_harm *harm);
/* Faults of the next n messages, to any chat: 429 with that many seconds, 502, or done with the
 * connection reset before the answer. */
enum api_fault { FAULT_429, FAULT_502, FAULT_LOST };
void api_order(enum api_fault what, int n, int seconds);
/* Holds the answers to calls for this chat, which are carried out at once, until api_release(). */
void api_hold(struct tg_chat *c);
void api_release(struct tg_chat *c);
void api_said(struct tg_chat *c, struct tg_message *m, const char *text);

/* ---- formatted text: HTML, or plain text with entities ---- */

size_t utf16_length(const char *s, size_t n); /* of valid UTF-8, in UTF-16 code units */
size_t utf8_characters(const char *s);
/* Parses HTML into plain text and entities (a JSON array, "[]" if there are none). Returns NULL, or
 * the server's error text. */
const char *html_read(const char *html, struct text_buffer *plain, struct text_buffer *entities);
/* Checks a list of entities for this text. Returns NULL, or the server's error text. */
const char *entities_check(const char *plain, const cJSON *entities);

/* ---- updates ---- */

/* Queues an update: `kind` as the API names it ("message"); `tag` comes back through hooks.handed.
 * Takes ownership of `body`, the value of the kind. Returns the update's id, or -1 if the bot has
 * not asked for this kind. */
int64_t updates_push(const char *kind, uint32_t tag, struct text_buffer body);
int64_t updates_confirmed(void); /* all ids below it are confirmed */
int64_t updates_waiting(void);
void updates_age(int64_t seconds); /* makes all waiting updates so much older */
/* The next answer has each update twice, or in reverse. */
void updates_twist(bool twice, bool backwards);
void updates_ask(struct serve_request *r, struct params *p); /* getUpdates */
void updates_hand_out(void *unused);                         /* once per round of the server */
/* The webhook: its URL, NULL for none; its last failed delivery, NULL for none. */
extern char *updates_webhook;
extern const char *updates_webhook_fault;
extern time_t updates_webhook_fault_at;
/* Sets the webhook that gets the updates from now on; NULL removes it. */
void updates_set_webhook(const char *url, const char *secret, bool drop);
/* Reads allowed_updates; if it is missing the choice stays. Returns false if it is malformed. */
bool updates_choose_kinds(struct params *p);

/* ---- inline mode ---- */

extern bool inline_feedback; /* the bot is told of chosen answers */
/* An inline query: "@koikoi_bot words", typed and not sent. */
void inline_ask(struct tg_chat *c, int64_t person, const char *words);
/* Sends the first answer to this person's last query whose title passes. Returns false if there is
 * none yet. */
bool inline_say(struct tg_chat *c, int64_t person, bool (*passes)(const void *, const char *title),
                const void *with);
/* A message that mentions the bot in a chat where it is no member. */
void inline_mention(struct tg_chat *c, int64_t person, const char *words);

#endif
