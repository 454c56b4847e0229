/* A clock that stands until the test moves it, and chance that is always the same: the daemon's, in
 * tests.
 *
 *     static _Atomic int64_t now;
 *     static const struct clock test_clock = {.now_ms = still_now, .chance = still_chance, .arg = &now};
 */
#ifndef KOIKOI_TEST_STILL_H
#define KOIKOI_TEST_STILL_H

#include "clock.h"

enum { STILL_CHANCE = 7 };              /* every byte of chance */

int64_t still_now(void *arg);           /* arg: an _Atomic int64_t, unix ms */
void still_chance(void *arg, uint8_t *ret, size_t n);

#endif
