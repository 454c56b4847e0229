/* Crashes of the bot at its requests: --die=WAYS, a list of
 *
 *     asked   when the request has come, before it is carried out
 *     done    when it is carried out, before the answer
 *     told    after the answer
 *     soon    some milliseconds after the answer
 *
 * A request that differs from all before kills the bot in the first way; when it comes again, in
 * the second, and so on; then it passes. A delivery of updates counts as an answered request. */
#ifndef FAKE_CRASH_H
#define FAKE_CRASH_H

#include "fake/telegram/http/wire.h"

#include <stdbool.h>

void crash_begin(void); /* reads the option, or ends the program */
/* Called before the request is carried out. Returns true if it killed the bot and the request must
 * be dropped. */
bool crash_before(const struct wire_request *r);
/* Called after the request was carried out and, unless the answer is held, answered. */
void crash_after(void);
/* Called when updates up to this id were delivered. */
void crash_handed(int64_t update);
int64_t crash_count(void);

#endif
