/* Methods that put a message into a chat, change it or take it away. */
#ifndef FAKE_SAY_H
#define FAKE_SAY_H

#include "api.h"

struct call {
    const char *method;
    struct params *p;
    uint64_t from;
    enum harm harm; /* of its answer */
    const struct chat *held; /* it is kept back until this chat is let go; NULL: it is not */
};

void say_send(struct call *c);
void say_edit(struct call *c);
void say_erase(struct call *c);
const char *say_markup_fault(const cJSON *markup); /* NULL: it is good */
struct chat *say_chat(struct call *c); /* the chat it names; NULL: it has been refused */

/* Answers a call. */
void api_ok(struct call *c, struct text result);
void api_true(struct call *c);
void api_bad(struct call *c, const char *why);       /* 400, "Bad Request: " is put before */
bool api_flooded(struct call *c, struct chat *chat); /* true: answered with 429 */
bool api_refused(struct call *c, const char *fault); /* true: answered with 400 for this fault, or
                                                        with 502 */

#endif
