/* See search_race.h. */
#include "search_race.h"

#include "exact_math.h"

#include <math.h>
#include <string.h>

/* A move this many standard errors behind the leader is dropped. */
static const float z_to_prune = 3.2f;

void race_start(struct race *ret, int n)
{
    memset(ret, 0, sizeof *ret);
    ret->n = n;
}

int race_leader(const struct race *r)
{
    int best = -1;
    for (int i = 0; i < r->n; i++)
        if (!r->at[i].out && (best < 0 || r->at[i].worth > r->at[best].worth))
            best = i;
    return best;
}

int race_left(const struct race *r)
{
    int n = 0;
    for (int i = 0; i < r->n; i++)
        n += !r->at[i].out;
    return n;
}

void race_add(struct race *r, const float *worth)
{
    for (int i = 0; i < r->n; i++) {
        if (r->at[i].out)
            continue;
        r->at[i].worth += worth[i];
        r->at[i].n++;
        for (int j = 0; j <= i; j++)
            r->cross[i][j] += r->at[j].out ? 0 : (double)worth[i] * worth[j];
    }
}

/* Expected loss of choosing the leader if the other move may be better after all: probability times
 * size, for a difference of `mean` with standard error `error`. */
static double expected_loss(double mean, double error)
{
    double z = mean / error;
    return error * (0.39894228 * exact_exp(-0.5 * z * z) - z * 0.5 * exact_erfc(z * 0.70710678));
}

double race_prune(struct race *r)
{
    int best = race_leader(r);
    double n = r->at[best].n, regret = 0;
    for (int i = 0; i < r->n; i++) {
        if (i == best || r->at[i].out)
            continue;
        double mean = (r->at[best].worth - r->at[i].worth) / n;
        double both = i > best ? r->cross[i][best] : r->cross[best][i];
        double square = (r->cross[best][best] + r->cross[i][i] - 2 * both) / n;
        double error = sqrt(fmax(square - mean * mean, 0) / n) + 1e-9;
        r->at[i].out = mean > z_to_prune * error;
        regret += r->at[i].out ? 0 : expected_loss(mean, error);
    }
    return regret;
}
