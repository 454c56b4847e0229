/* Cache of match reviews, by session, so that their pages can be turned; also which of them are
 * being made. In memory alone: a review that is lost is made again and comes out the same. 16
 * sessions.
 *
 *     struct cache *c = review_cache_open();
 *     review_cache_find(c, session, now, &coming)    NULL, and not coming: start one, then
 *     review_cache_ask(c, session, now)              and when it is done
 *     review_cache_put(c, session, bytes)
 *     cache_close(c)
 */
#ifndef KOIKOI_REVIEW_CACHE_H
#define KOIKOI_REVIEW_CACHE_H

#include "cache.h"
#include "match_review.h"

enum { REVIEW_CACHE_SLOTS = 16, REVIEW_WAIT_MS = 60 * 1000 };

struct cache *review_cache_open(void);
/* Returns NULL if not found; *ret_coming is then true if it was requested within the last
 * REVIEW_WAIT_MS. The result is valid until the next _ask() or _put(). */
const struct match_review *review_cache_find(struct cache *c, int64_t session, int64_t now,
                                             bool *ret_coming);
/* Notes that a review is being made. */
void review_cache_ask(struct cache *c, int64_t session, int64_t now);
/* Keeps a copy of a review's bytes and returns it; NULL if they are no review. */
const struct match_review *review_cache_put(struct cache *c, int64_t session, struct str bytes);

#endif
