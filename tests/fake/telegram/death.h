/* Where the bot dies, so that every step it takes can be its last: --die=WAYS, a list of
 *
 *     asked   its request has come, and is not done
 *     done    the request is done, and has no answer
 *     told    the request is answered
 *     soon    some milliseconds after the answer, whatever it is doing then
 *
 * Each request that differs from all before dies in the first way; when it comes again, in the
 * second, and so on; then it may live. Handing out news counts as a request that is answered. */
#ifndef FAKE_DEATH_H
#define FAKE_DEATH_H

#include "wire.h"

#include <stdbool.h>

void death_begin(void); /* reads the option, or ends the program */
/* The request has come, as yet unchanged. True: the bot is dead, and the request is not to be
 * done. */
bool death_before(const struct request *r);
/* It has been done, and answered if it could be at once. */
void death_after(void);
/* News up to this number is being handed out. */
void death_handed(int64_t update);
int64_t death_count(void);

#endif
