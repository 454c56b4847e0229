/* Engine-private: exp, log and erfc with the same last bit everywhere. A libm may round them as it
 * likes; these use the four operations of IEEE doubles alone, in a fixed order. Relative errors are
 * below 1e-10. */
#ifndef KOIKOI_EXACT_MATH_H
#define KOIKOI_EXACT_MATH_H

#include <stdint.h>
#include <string.h>

#define EXACT_LN2 0.69314718055994530942

static inline double exact_power_of_two(int k) /* -1022 ... 1023 */
{
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* x up to 700; 0 below -700. Taylor's series of what is left after powers of two. */
static inline double exact_exp(double x)
{
    static const double factor[] = {
        1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
        1.0 / 24,      1.0 / 6,      1.0 / 2,     1,          1};
    if (x < -700)
        return 0;
    int k = (int)(x / EXACT_LN2 + (x < 0 ? -0.5 : 0.5));
    double r = x - k * EXACT_LN2, sum = 0;
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++)
        sum = sum * r + factor[i];
    return sum * exact_power_of_two(k);
}

/* x positive and not subnormal. log m = 2 artanh((m - 1) / (m + 1)) of the mantissa. */
static inline double exact_log(double x)
{
    enum { TERMS = 9 };
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int k = (int)(bits >> 52) - 1023;
    double m = x * exact_power_of_two(-k);
    if (m > 1.4142135623730951) {
        m /= 2;
        k++;
    }
    double s = (m - 1) / (m + 1), sum = 0;
    for (int i = TERMS; i >= 0; i--)
        sum = sum * s * s + 1.0 / (2 * i + 1);
    return 2 * s * sum + k * EXACT_LN2;
}

/* x from 0 up: a series for small ones, else a continued fraction. */
static inline double exact_erfc(double x)
{
    enum { TERMS = 48, LEVELS = 64 };
    double bell = exact_exp(-x * x) * 0.56418958354775628695; /* over the root of pi */
    if (x < 2) {
        double term = x, sum = x;
        for (int n = 1; n < TERMS; n++)
            sum += term *= 2 * x * x / (2 * n + 1);
        return 1 - 2 * bell * sum;
    }
    double below = x;
    for (int n = LEVELS; n > 0; n--)
        below = x + n / 2.0 / below;
    return bell / below;
}

#endif
