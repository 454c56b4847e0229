/* See clock.h. */
#include "clock.h"

#include <sodium.h>

static int64_t read_ms(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int64_t machine_now(void *arg)
{
    (void)arg;
    return read_ms(CLOCK_REALTIME);
}

/* Not CLOCK_MONOTONIC: that stands still while the machine is suspended, and a wait that a network
 * asked for would last longer by that. */
static int64_t machine_mono(void *arg)
{
    (void)arg;
    return read_ms(CLOCK_BOOTTIME);
}

static void machine_chance(void *arg, uint8_t *ret, size_t n)
{
    static _Thread_local uint8_t ahead[512]; /* a call of the system for some at once */
    static _Thread_local size_t left;
    (void)arg;
    if (n > sizeof ahead) {
        randombytes_buf(ret, n);
        return;
    }
    if (n > left) {
        randombytes_buf(ahead, sizeof ahead);
        left = sizeof ahead;
    }
    left -= n;
    memcpy(ret, ahead + left, n);
    sodium_memzero(ahead + left, n);
}

int64_t clock_awake_ms(void)
{
    return read_ms(CLOCK_MONOTONIC);
}

int64_t clock_cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

const struct clock clock_of_machine = {
    .now_ms = machine_now, .chance = machine_chance, .mono_ms = machine_mono};
