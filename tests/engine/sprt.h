/* Means of scores, their intervals, and the sequential test of a mean.
 *
 *     sample_add(&s, x)                  x: the score of a pair of matches, as 0 ... 1
 *     sprt_verdict(&s, 0.50, 0.52, 0.05)  after each: go on until it is settled
 *
 * The test (Wald's, with the likelihoods of a normal law whose variance is the sample's, as chess
 * programs use it) takes one of two hypotheses, "the mean is `low`" and "the mean is `high`". Where
 * one of them holds, the other is taken in at most the share `error` of all runs. It needs no fixed
 * number of matches; a mean outside the two is settled sooner.
 */
#ifndef KOIKOI_TESTS_SPRT_H
#define KOIKOI_TESTS_SPRT_H

struct sample {
    double n, sum, squares;
};

void sample_add(struct sample *s, double x);
double sample_mean(const struct sample *s);
double sample_variance(const struct sample *s); /* of one x; 0 with fewer than two */
double
sample_interval(const struct sample *s); /* half-width at 95 %; INFINITY with fewer than two */

enum sprt { SPRT_GOES_ON, SPRT_LOW, SPRT_HIGH };
/* Fewer scores settle nothing: their variance is not known well enough. */
enum { SPRT_LEAST = 30 };

/* Logarithm of how much likelier the scores are under `high` than under `low`. */
double sprt_ratio(const struct sample *s, double low, double high);
enum sprt sprt_verdict(const struct sample *s, double low, double high, double error);

#endif
