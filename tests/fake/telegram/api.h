/* Methods of the Bot API: their refusals, limits, and faults on demand. */
#ifndef FAKE_API_H
#define FAKE_API_H

#include "fake/telegram/http/params.h"
#include "world.h"

/* Callbacks of a load or a story; all must be set before the loop runs. */
struct hooks {
    void (*polled)(void);                      /* getUpdates arrived */
    void (*handed)(uint32_t tag, int64_t now); /* an update was delivered */
    void (*said)(struct tg_chat *c, struct tg_message *m, const char *text); /* m: NULL in a load */
    void (*answered)(struct tap *t);
};
extern struct hooks hooks;

struct counts {
    int64_t polls, full_polls, handed, doubled, swapped, webhook_read, side_by_side, refused_hooks;
    int64_t sends, edits, erased, answers, pictures, other, refused;
    int64_t bytes; /* of requests, but for polls */
    int64_t n_429, early_429, resent_429, n_502, resets, cuts;
};
extern struct counts counts;

void api_request(struct wire_request *r);
/* An answer {"ok":false,...} with the status `code`. */
void api_refuse(uint64_t from, int code, const char *why);
/* Draws the faults of the command line. Returns true if it answered the request with 502; else
 * *harm is what happens to the answer. */
bool api_faults(uint64_t from, enum harm *harm);
/* Faults of the next n messages, to any chat: 429 with that many seconds, 502, or done with the
 * connection reset before the answer. */
enum api_fault { FAULT_429, FAULT_502, FAULT_LOST };
void api_order(enum api_fault what, int n, int seconds);
/* Holds the answers to calls for this chat, which are carried out at once, until api_release(). */
void api_hold(struct tg_chat *c);
void api_release(struct tg_chat *c);

#endif
