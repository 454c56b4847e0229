/* See rating_math.h. The argument is halved or doubled into a small range, where a series is exact
 * enough; multiplying by 2 and 0.5 is exact. */
#include "rating_math.h"

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
