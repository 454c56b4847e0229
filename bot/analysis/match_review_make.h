/* Review of a match record: makes the struct match_review of bot/core/session/match_review.h.
 *
 *     match_review_make(record, &how, &review, &end, &rules, &names, &line, &err)
 *
 * The record is replayed and checked (replay.h); then every decision is searched from the view of
 * the player who made it. The same record, visits and seed give the same review. One decision costs
 * at most twice `visits` playouts; a match of 12 rounds takes a second or two with REVIEW_VISITS,
 * and long matches get fewer visits a decision, so that none takes more than about ten. Below about
 * 500 visits doubtful losses are not counted, and all players look better than they are.
 */
#ifndef KOIKOI_MATCH_REVIEW_MAKE_H
#define KOIKOI_MATCH_REVIEW_MAKE_H

#include "cache.h"
#include "err.h"
#include "match_review.h"
#include "str.h"
#include "work.h"

struct match_review_how {
    uint32_t visits;
    uint64_t seed;
    void (*progress)(void *arg, int done, int of); /* may be NULL */
    bool (*spent)(void *arg);                      /* true: stop; may be NULL */
    void *arg;
};

/* *ret is malloc'd; the caller frees it. *ret_end is the finished match, ret_names gets the
 * players' names by seat, one a line. On failure *ret_line is the wrong line of the record. */
bool match_review_make(struct str record, const struct match_review_how *how,
                       struct match_review **ret, struct match *ret_end, struct rules *ret_rules,
                       struct buf *ret_names, int *ret_line, struct err *err) MUST_CHECK;

/* Jobs for the worker pool (work.h). Hint: takes a `struct hint_ask`, gives the hint as
 * hint_write() writes it. Review: takes the record, gives REVIEW_SIZE bytes, or none if the record
 * is wrong. */
struct hint_ask {
    struct view view;
    uint64_t seed;
};
void match_review_hint_job(struct str input, const struct job_pace *pace, struct buf *ret);
void match_review_job(struct str input, const struct job_pace *pace, struct buf *ret);

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
