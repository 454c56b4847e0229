/* Density of dear tests: `make test` tries some of their points or samples, always the same ones,
 * and `make thorough` (THOROUGH=1) as many as are worth the time. A test that includes this header
 * belongs to `make thorough`.
 *
 *     for (int n = 1; died; n += stride(13, 1))
 */
#ifndef KOIKOI_TEST_STRIDE_H
#define KOIKOI_TEST_STRIDE_H

/* Returns `thorough` if THOROUGH is set in the environment, else `usual`. */
int stride(int usual, int thorough);

#endif
