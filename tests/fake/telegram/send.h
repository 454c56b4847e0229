/* Methods that send, edit and delete messages. */
#ifndef FAKE_SEND_H
#define FAKE_SEND_H

#include "api.h"

struct tg_call {
    const char *method;
    struct params *p;
    uint64_t from;
    enum harm harm;             /* what happens to its answer */
    const struct tg_chat *held; /* chat whose release the answer waits for; may be NULL */
};

void send_message(struct tg_call *c);
void send_edit(struct tg_call *c);
void send_erase(struct tg_call *c);
const char *send_markup_fault(const cJSON *markup); /* NULL if it is valid */
struct tg_chat *send_to(struct tg_call *c); /* the chat of the call; NULL if the call was refused */

/* Answers a call. */
void api_ok(struct tg_call *c, struct text_buffer result);
void api_true(struct tg_call *c);
void api_bad(struct tg_call *c, const char *why); /* 400 with "Bad Request: " and `why` */
/* How --limits counts a call. */
enum tg_rate { COUNTED, COUNTED_HIDDEN, COUNTED_NOT };
/* Returns true if it answered with 429. */
bool api_flooded(struct tg_call *c, struct tg_chat *chat, enum tg_rate counted);
/* Returns true if it answered: 400 if there is a fault, or 502. */
bool api_refused(struct tg_call *c, const char *fault);

#endif
