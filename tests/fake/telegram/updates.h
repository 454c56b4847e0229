/* The queue of updates and getUpdates. */
#ifndef FAKE_UPDATES_H
#define FAKE_UPDATES_H

#include "params.h"

#include <time.h>

/* Puts an update into the queue: `kind` as the API names it ("message"), `tag` comes back through
 * hooks.handed. Takes over `body` (the value of the kind). Returns the update's id, or -1 if the
 * bot has not asked for this kind. */
int64_t updates_push(const char *kind, uint32_t tag, struct text body);
int64_t updates_confirmed(void); /* all ids below it have been confirmed */
int64_t updates_waiting(void);
void updates_age(int64_t seconds); /* what waits has waited so much longer */
void updates_twist(bool twice, bool backwards); /* how the next answer is: each twice, in reverse */

void updates_ask(struct request *r, struct params *p); /* getUpdates */
void updates_hand_out(void);                           /* once per round of the loop */
void updates_conflict(uint64_t from, const char *why); /* 409, at most one in 3 s, else after 3 s */
extern char *updates_webhook;                          /* its URL; NULL: none */
extern const char *updates_webhook_fault;              /* why bringing failed last; NULL: it did
                                                          not */
extern time_t updates_webhook_fault_at;
/* The webhook is set (NULL: taken away); updates are brought to it from now on. */
void updates_set_webhook(const char *url, const char *secret, bool drop);
/* allowed_updates; none: as before. False: it cannot be read. */
bool updates_choose_kinds(struct params *p);

#endif
