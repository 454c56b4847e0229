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

extern const int histogram_bound_ms[HISTOGRAM_BOUNDS]; /* ascending */

/* A negative duration counts as 0. */
void histogram_add(struct histogram *h, int64_t ms);

#endif
