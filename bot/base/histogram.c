/* See histogram.h. The bounds reach from an answer on the machine itself to a chat that is held up
 * by its rate limit. */
#include "histogram.h"

const int histogram_bound_ms[HISTOGRAM_BOUNDS] = {5,    10,   25,   50,    100,   250,  500,
                                                  1000, 2500, 5000, 10000, 30000, 60000};

void histogram_add(struct histogram *h, int64_t ms)
{
    ms = ms < 0 ? 0 : ms;
    h->n++;
    h->sum_ms += ms;
    for (int i = 0; i < HISTOGRAM_BOUNDS; i++)
        if (ms <= histogram_bound_ms[i]) {
            h->up_to[i]++;
            return;
        }
}
