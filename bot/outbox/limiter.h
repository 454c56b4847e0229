/* Rate limiters, each counting as the networks count.
 *
 * Window, for one chat: at most so many in any span of time. All go at once into a quiet chat; when
 * the window is full, the next goes when the oldest leaves it.
 *
 *     struct rate rate = rate_of_chat(&account->limits);
 *     if (window_next(&window, rate, 0, now) <= now) { send(); window_charge(&window, rate, now); }
 *
 * Bucket, for an account: a burst at once, then one each interval (a leaky bucket as a meter,
 * GCRA). One number holds the state: the moment at which the last one let through would have gone
 * if all had kept the interval.
 */
#ifndef KOIKOI_LIMITER_H
#define KOIKOI_LIMITER_H

#include "adapter.h"

/* ---- window ---- */

struct rate {
    int most;
    int64_t span;
}; /* span: ms; most 0 = no limit */
struct window {
    int64_t *sent;
    int first, n, cap;
}; /* a ring of moments, oldest first; all zero
      at first */

struct rate rate_of_chat(const struct limits *limits);
/* Messages that one person sees: hidden ones in a group, private chats. most 0: they have no window
 * of their own. */
struct rate rate_of_person(const struct limits *limits);

/* The moment from which one more may go, after `ahead` others that go now; in the past if now. */
int64_t window_next(const struct window *w, struct rate rate, int ahead, int64_t now);
/* The moment from which one more of a kind may go, if what is left of a window that is nearly full
 * (three quarters of it) is to last until it opens again; in the past if now. `last`: when the last
 * of that kind went. */
int64_t window_even(const struct window *w, struct rate rate, int64_t last, int64_t now);
/* How many were sent within the span before `now`. */
int window_used(const struct window *w, struct rate rate, int64_t now);
void window_charge(struct window *w, struct rate rate, int64_t now);
/* From then on the window is like a new one. */
int64_t window_idle_at(const struct window *w, struct rate rate);
void window_close(struct window *w);

/* ---- bucket ---- */

struct refill {
    int64_t interval;
    int burst;
}; /* interval: ms; 0 = no limit */
struct bucket {
    int64_t due;
}; /* unix ms; 0 at first */

struct refill refill_of_account(const struct limits *limits);

/* The moment from which the next one may go; in the past if it may go now. */
int64_t bucket_next(const struct bucket *b, struct refill refill);
void bucket_charge(struct bucket *b, struct refill refill, int64_t now);
/* True if at least half of the burst is left. */
bool bucket_half_left(const struct bucket *b, struct refill refill, int64_t now);

#endif
