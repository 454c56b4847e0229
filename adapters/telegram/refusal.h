/* Refusal: the readable parts of an answer of the Bot API that is not "ok". */
#ifndef TELEGRAM_REFUSAL_H
#define TELEGRAM_REFUSAL_H

#include "arena.h"
#include "request.h"

struct refusal {
    int code; /* 0: no answer */
    bool api; /* in the form of the Bot API, so not from a proxy or login page in between */
    struct str why;
    int64_t retry_ms, moved_to; /* retry_ms: -1 if not given */
};
/* True if the answer is "ok"; else *ret is set. */
bool tg_refusal_read(struct arena *a, const struct reply *reply, struct refusal *ret);
/* True if a send may succeed later: no answer, a server's error, or a gate in between. */
bool tg_refusal_is_transient(const struct refusal *no);

#endif
