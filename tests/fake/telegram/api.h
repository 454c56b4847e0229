/* The methods of the Bot API, their refusals, and the faults that can be ordered. */
#ifndef FAKE_API_H
#define FAKE_API_H

#include "params.h"
#include "world.h"

/* What the load or the play wants to be told; all must be set before the loop runs. */
struct hooks {
    void (*polled)(void);                                              /* getUpdates arrived */
    void (*handed)(uint32_t tag, int64_t now);                         /* an update left */
    void (*said)(struct chat *c, struct message *m, const char *text); /* m: NULL in a load */
    void (*answered)(struct tap *t);
};
extern struct hooks hooks;

struct counts {
    int64_t polls, full_polls, handed, doubled, swapped, brought, side_by_side, refused_hooks;
    int64_t sends, edits, erased, answers, pictures, other, refused;
    int64_t n_429, early_429, resent_429, n_502, resets, cuts;
};
extern struct counts counts;

void api_request(struct request *r);
/* An answer {"ok":false,...} with the status `code`. */
void api_refuse(uint64_t from, int code, const char *why);
/* Draws the faults of the command line: true if the request has been answered with 502; else *harm
 * says what is to happen to its answer. */
bool api_faults(uint64_t from, enum harm *harm);
/* The next n messages to any chat: refused with 429 for so many seconds, or 502, or done but the
 * connection is reset before the answer. */
enum api_fault { FAULT_429, FAULT_502, FAULT_LOST };
void api_order(enum api_fault what, int n, int seconds);
/* What is said in this chat is done, and answered only when it is let go. */
void api_hold(struct chat *c);
void api_release(struct chat *c);

#endif
