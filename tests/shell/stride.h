/* How densely the tests that kill the daemon try its points: by its own habit, or as CRASH_STRIDE
 * says (1: every point); and how many were tried, told at the end. */
#ifndef KOIKOI_TEST_STRIDE_H
#define KOIKOI_TEST_STRIDE_H

#include <stdbool.h>

extern int stride;                      /* every so many-th point is tried */
extern int stride_points;               /* counted by the test, over all its parts */

/* False: CRASH_STRIDE is no number. */
bool stride_open(int usual);
/* cmocka's group teardown. */
int stride_tell(void **state);

#endif
