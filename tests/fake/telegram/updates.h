/* Queue of updates, getUpdates and the webhook. */
#ifndef FAKE_UPDATES_H
#define FAKE_UPDATES_H

#include "fake/telegram/http/params.h"

#include <time.h>

/* Queues an update: `kind` as the API names it ("message"); `tag` comes back through hooks.handed.
 * Takes ownership of `body`, the value of the kind. Returns the update's id, or -1 if the bot has
 * not asked for this kind. */
int64_t updates_push(const char *kind, uint32_t tag, struct text_buffer body);
int64_t updates_confirmed(void); /* all ids below it are confirmed */
int64_t updates_waiting(void);
void updates_age(int64_t seconds); /* makes all waiting updates so much older */
/* The next answer has each update twice, or in reverse. */
void updates_twist(bool twice, bool backwards);

void updates_ask(struct wire_request *r, struct params *p); /* getUpdates */
void updates_hand_out(void);                                /* once per round of the loop */
/* Answers 409: at most once in 3 s, else after 3 s. */
void updates_conflict(uint64_t from, const char *why);
extern char *updates_webhook;             /* its URL; NULL: none */
extern const char *updates_webhook_fault; /* last failed delivery; NULL: none */
extern time_t updates_webhook_fault_at;
/* Sets the webhook that gets the updates from now on; NULL removes it. */
void updates_set_webhook(const char *url, const char *secret, bool drop);
/* Reads allowed_updates; if it is missing the choice stays. Returns false if it is malformed. */
bool updates_choose_kinds(struct params *p);

#endif
