/* Source of time and of random bytes. The daemon uses the machine's; scripts and tests use one that
 * they move themselves, so that a day takes no time and every deal is known.
 *
 * The wall clock is what people read, and deadlines are its times; the operator or the network may
 * set it at any moment, forward or back. All other waits use the monotonic clock: see README.md. */
#ifndef KOIKOI_CLOCK_H
#define KOIKOI_CLOCK_H

#include <stddef.h>
#include <stdint.h>

struct clock {
    int64_t (*now_ms)(void *arg);                      /* wall clock, unix milliseconds */
    void (*chance)(void *arg, uint8_t *ret, size_t n); /* n fresh secret bytes */
    void *arg;
    int64_t (*mono_ms)(void *arg); /* never goes back; NULL = follows now_ms */
};

/* The machine's clock and its generator of random bytes. */
extern const struct clock clock_of_machine;

static inline int64_t clock_now(const struct clock *c)
{
    return c->now_ms(c->arg);
}
/* Monotonic milliseconds from an arbitrary moment. Counts the time in which the machine sleeps. */
static inline int64_t clock_mono(const struct clock *c)
{
    return c->mono_ms ? c->mono_ms(c->arg) : clock_now(c);
}
/* Milliseconds in which the machine was awake, from an arbitrary moment: how long work and
 * transfers take. */
int64_t clock_awake_ms(void);
/* Microseconds that a processor worked for this thread. */
int64_t clock_cpu_us(void);
/* A wait that doubles with each failure: ms, doubled so many times, at most `most`. */
static inline int64_t clock_doubled(int64_t ms, int64_t times, int64_t most)
{
    while (times-- > 0 && ms < most)
        ms *= 2;
    return ms < most ? ms : most;
}

#endif
