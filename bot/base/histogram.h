/* Histogram of durations: how many lasted at most so long, and all of them together.
 *
 *     struct histogram h = {0};
 *     histogram_add(&h, ms);
 */
#ifndef KOIKOI_HISTOGRAM_H
#define KOIKOI_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BOUNDS = 13 };

struct histogram {
    int64_t up_to[HISTOGRAM_BOUNDS]; /* above the bound before, at most histogram_bound_ms[] */
    int64_t n, sum_ms;               /* of all, those above the last bound too */
};

/* From an answer on the machine itself to a chat that is held up by its rate limit. */
static const int histogram_bound_ms[HISTOGRAM_BOUNDS] = {5,    10,   25,   50,    100,   250,  500,
                                                         1000, 2500, 5000, 10000, 30000, 60000};

/* A negative duration counts as 0. */
static inline void histogram_add(struct histogram *h, int64_t ms)
{
    int i = 0;
    ms = ms < 0 ? 0 : ms;
    h->n++;
    h->sum_ms += ms;
    while (i < HISTOGRAM_BOUNDS && ms > histogram_bound_ms[i])
        i++;
    if (i < HISTOGRAM_BOUNDS)
        h->up_to[i]++;
}

#endif
