/* See sprt.h. */
#include "sprt.h"

#include <math.h>

void sample_add(struct sample *s, double x)
{
    s->n++;
    s->sum += x;
    s->squares += x * x;
}

double sample_mean(const struct sample *s)
{
    return s->sum / s->n;
}

double sample_variance(const struct sample *s)
{
    if (s->n < 2)
        return 0;
    double mean = sample_mean(s);
    return fmax(s->squares / s->n - mean * mean, 0) * s->n / (s->n - 1);
}

double sample_interval(const struct sample *s)
{
    return s->n < 2 ? INFINITY : 1.96 * sqrt(sample_variance(s) / s->n);
}

double sprt_ratio(const struct sample *s, double low, double high)
{
    double variance = sample_variance(s);
    if (s->n < SPRT_LEAST || variance <= 0)
        return 0;
    return (high - low) * (s->sum - s->n * (low + high) / 2) / variance;
}

enum sprt sprt_verdict(const struct sample *s, double low, double high, double error)
{
    double ratio = sprt_ratio(s, low, high), bound = log((1 - error) / error);
    return ratio >= bound ? SPRT_HIGH : ratio <= -bound ? SPRT_LOW : SPRT_GOES_ON;
}
