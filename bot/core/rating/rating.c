/* See rating.h. Names follow the paper: mu and phi are points and deviation on its inner scale,
 * sigma the volatility, v the estimated variance of the rating from the games alone. */
#include "rating.h"

#include <math.h>

static const double SCALE = 173.7178, PI = 3.14159265358979323846;
/* How much the volatility may change; the paper takes 0.5 for its example. */
static const double TAU = 0.5;

enum {
    START_POINTS = 1500 * RATING_UNIT,
    START_DEVIATION = 350 * RATING_UNIT,
    START_VOLATILITY = 6000000, /* 0.06 */
    VOLATILITY_UNIT = 100000000,
    MONTH_DEVIATION = 25 * RATING_UNIT,
    MOST_MONTHS = 12 * 100
};

/* ---- exponential and logarithm ----
 *
 * The argument is halved or doubled into a small range, where a series is exact enough; multiplying
 * by 2 and 0.5 is exact. */

static const double LN2 = 0.693147180559945309417;

double rating_exp(double x)
{
    enum { TERMS = 18 };
    int twos = (int)(x / LN2 + (x < 0 ? -0.5 : 0.5));
    double rest = x - twos * LN2, term = 1, sum = 1;
    for (int k = 1; k <= TERMS; k++) {
        term = term * rest / k;
        sum += term;
    }
    for (; twos > 0; twos--)
        sum *= 2;
    for (; twos < 0; twos++)
        sum *= 0.5;
    return sum;
}

/* ln x = 2 artanh((x - 1) / (x + 1)) */
double rating_log(double x)
{
    enum { TERMS = 40 };
    int twos = 0;
    for (; x > 1.5; twos++)
        x *= 0.5;
    for (; x < 0.75; twos--)
        x *= 2;
    double z = (x - 1) / (x + 1), power = z, sum = 0;
    for (int k = 1; k <= TERMS; k += 2) {
        sum += power / k;
        power *= z * z;
    }
    return 2 * sum + twos * LN2;
}

/* ---- ratings ---- */

void rating_new(struct rating *ret)
{
    *ret = (struct rating){START_POINTS, START_DEVIATION, START_VOLATILITY};
}

static int64_t rounded(double x)
{
    return (int64_t)(x < 0 ? x - 0.5 : x + 0.5);
}

static int64_t capped_deviation(double thousandths)
{
    return thousandths < START_DEVIATION ? rounded(thousandths) : START_DEVIATION;
}

void rating_rest(struct rating *r, int64_t months)
{
    double was = (double)r->deviation, grows = MONTH_DEVIATION;
    int64_t n = months < 1 ? 1 : months > MOST_MONTHS ? MOST_MONTHS : months;
    r->deviation = capped_deviation(sqrt(was * was + (double)n * grows * grows));
}

static double mu_of(const struct rating *r)
{
    return (double)(r->points - START_POINTS) / RATING_UNIT / SCALE;
}

static double phi_of(const struct rating *r)
{
    return (double)r->deviation / RATING_UNIT / SCALE;
}

/* The function of step 5, whose root is the logarithm of the new variance. */
struct volatility {
    double delta, phi, v, a;
};

static double slope(const struct volatility *f, double x)
{
    double e = rating_exp(x), sum = f->phi * f->phi + f->v + e;
    return e * (f->delta * f->delta - sum) / (2 * sum * sum) - (x - f->a) / (TAU * TAU);
}

static double new_volatility(double sigma, double delta, double phi, double v)
{
    enum { MOST_STEPS = 100 };
    const double epsilon = 0.000001;
    struct volatility f = {delta, phi, v, rating_log(sigma * sigma)};
    double low = f.a, high;
    if (delta * delta > phi * phi + v)
        high = rating_log(delta * delta - phi * phi - v);
    else
        for (high = f.a - TAU; slope(&f, high) < 0; high -= TAU)
            continue;
    double at_low = slope(&f, low), at_high = slope(&f, high);
    for (int i = 0; i < MOST_STEPS && fabs(high - low) > epsilon; i++) {
        double next = low + (low - high) * at_low / (at_high - at_low), at = slope(&f, next);
        if (at * at_high <= 0) {
            low = high;
            at_low = at_high;
        } else {
            at_low /= 2;
        }
        high = next;
        at_high = at;
    }
    return rating_exp(low / 2);
}

void rating_games(const struct rating *r, const struct rating_game *games, int n,
                  struct rating *ret)
{
    double mu = mu_of(r), phi = phi_of(r), sigma = (double)r->volatility / VOLATILITY_UNIT;
    double precision = 0, gain = 0;
    for (int i = 0; i < n; i++) {
        double theirs = phi_of(&games[i].opponent);
        double g = 1 / sqrt(1 + 3 * theirs * theirs / (PI * PI));
        double expected = 1 / (1 + rating_exp(-g * (mu - mu_of(&games[i].opponent))));
        precision += g * g * expected * (1 - expected);
        gain += g * (games[i].halves / 2.0 - expected);
    }
    double v = 1 / precision;
    double next_sigma = new_volatility(sigma, v * gain, phi, v);
    double next_phi = 1 / sqrt(1 / (phi * phi + next_sigma * next_sigma) + precision);
    double next_mu = mu + next_phi * next_phi * gain;
    *ret = (struct rating){START_POINTS + rounded(next_mu * SCALE * RATING_UNIT),
                           capped_deviation(next_phi * SCALE * RATING_UNIT),
                           rounded(next_sigma * VOLATILITY_UNIT)};
}
