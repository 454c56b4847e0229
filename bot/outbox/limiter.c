/* See limiter.h. */
#include "limiter.h"

#include "alloc.h"

enum { MINUTE = 60000 };

/* ---- window ---- */

struct rate rate_of_chat(const struct limits *limits)
{
    return (struct rate){limits->per_chat_minute > 0 ? limits->per_chat_minute : 0, MINUTE};
}

struct rate rate_of_person(const struct limits *limits)
{
    return (struct rate){limits->per_person_minute > 0 ? limits->per_person_minute : 0, MINUTE};
}

/* The i-th oldest moment. */
static int64_t moment(const struct window *w, int i)
{
    return w->sent[(w->first + i) % w->cap];
}

/* A clock of whole milliseconds may be almost one behind: with one more a message never leaves the
 * window too early. */
static int64_t leaves(struct rate rate, int64_t sent)
{
    return sent + rate.span + 1;
}

int window_used(const struct window *w, struct rate rate, int64_t now)
{
    int gone = 0;
    while (gone < w->n && leaves(rate, moment(w, gone)) <= now)
        gone++;
    return w->n - gone;
}

int64_t window_next(const struct window *w, struct rate rate, int ahead, int64_t now)
{
    if (rate.most == 0)
        return 0;
    int used = window_used(w, rate, now), over = used + ahead - rate.most;
    if (over < 0)
        return now;
    return leaves(rate, over < used ? moment(w, w->n - used + over) : now);
}

int64_t window_even(const struct window *w, struct rate rate, int64_t last, int64_t now)
{
    enum { LEAST = 8 }; /* a smaller window is full at once */
    int used = rate.most < LEAST ? 0 : window_used(w, rate, now), left = rate.most - used;
    if (used == 0 || used < rate.most * 3 / 4 || left < 0)
        return now;
    int64_t opens = leaves(rate, moment(w, w->n - used));
    return opens <= last ? now : last + (opens - last) / (left + 1);
}

void window_charge(struct window *w, struct rate rate, int64_t now)
{
    if (rate.most == 0)
        return;
    int used = window_used(w, rate, now);
    if (w->n > used)
        w->first = (w->first + w->n - used) % w->cap;
    w->n = used;
    if (w->n == w->cap) {
        int cap = w->cap ? w->cap * 2 : 8;
        int64_t *sent = alloc_array((size_t)cap, sizeof *sent);
        for (int i = 0; i < w->n; i++)
            sent[i] = moment(w, i);
        free(w->sent);
        w->sent = sent;
        w->first = 0;
        w->cap = cap;
    }
    w->sent[(w->first + w->n++) % w->cap] = now;
}

int64_t window_idle_at(const struct window *w, struct rate rate)
{
    return w->n ? leaves(rate, moment(w, w->n - 1)) : 0;
}

void window_close(struct window *w)
{
    free(w->sent);
    *w = (struct window){0};
}

/* ---- bucket ---- */

struct refill refill_of_account(const struct limits *limits)
{
    if (limits->account_per_second_x100 <= 0)
        return (struct refill){0};
    return (struct refill){100000 / limits->account_per_second_x100,
                           limits->account_burst > 0 ? limits->account_burst : 1};
}

int64_t bucket_next(const struct bucket *b, struct refill refill)
{
    return refill.interval ? b->due - refill.interval * (refill.burst - 1) : 0;
}

void bucket_charge(struct bucket *b, struct refill refill, int64_t now)
{
    if (refill.interval)
        b->due = (b->due > now ? b->due : now) + refill.interval;
}

bool bucket_half_left(const struct bucket *b, struct refill refill, int64_t now)
{
    return b->due - now <= refill.interval * (refill.burst / 2) || !refill.interval;
}
