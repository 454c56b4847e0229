/* Spans of time in the life of a match. */
#ifndef KOIKOI_SPANS_H
#define KOIKOI_SPANS_H

#include <stdint.h>

enum { HOUR_MS = 3600 * 1000, WRONG_CODES = 5 };
#define MINUTE_MS   ((int64_t)60 * 1000)
#define DAY_MS      ((int64_t)24 * HOUR_MS)
#define OFFER_MS    DAY_MS          /* life of a challenge */
#define PAUSE_MS    (3 * MINUTE_MS) /* between rounds */
#define ABANDON_MS  (30 * DAY_MS)   /* a match without clock and moves: closed, no result */
#define CLAIM_MS    (7 * DAY_MS)    /* an overdue match without a claim: the same */
#define WARNED_MS   (2 * MINUTE_MS) /* what is left of a total clock: less ends without a warning */
#define AWAY_MS     (2 * MINUTE_MS) /* not heard of for longer: away */
#define CHOOSE_MS   DAY_MS          /* to choose whether to play on without one of three */
#define NUDGE_MS    ((int64_t)HOUR_MS) /* between two nudges */
#define LINK_MS     (10 * MINUTE_MS)   /* life of a code for linking */
#define RESIGN_MS   (5 * MINUTE_MS)    /* a second /resign confirms the first */
#define REMEMBER_MS (7 * DAY_MS)       /* later matches of the chat skip a failed channel */
#define RETRY_MS    (10 * MINUTE_MS)   /* a channel that failed is tried again on demand */

#endif
