/* See clock.h. */
#include "clock.h"

#include <sodium.h>

static int64_t machine_now(void *arg)
{
    struct timespec t;
    (void)arg;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void machine_chance(void *arg, uint8_t *ret, size_t n)
{
    (void)arg;
    randombytes_buf(ret, n);
}

const struct clock clock_of_machine = {machine_now, machine_chance, NULL};
