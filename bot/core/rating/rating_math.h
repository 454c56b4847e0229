/* Exponential and logarithm from the four operations alone, which IEEE 754 rounds the same on every
 * machine; those of C libraries differ in their last bit, and a rating must not. Within 1e-13 of
 * the true value, relative, for |x| up to 700 and x above 1e-300. */
#ifndef KOIKOI_RATING_MATH_H
#define KOIKOI_RATING_MATH_H

double rating_exp(double x);
double rating_log(double x); /* x > 0 */

#endif
