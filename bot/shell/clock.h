/* Where time and chance come from. The daemon hands in the machine's own; scripts and tests hand in
 * ones that they move themselves, and then a day passes in no time and every deal is known. */
#ifndef KOIKOI_CLOCK_H
#define KOIKOI_CLOCK_H

#include <stddef.h>
#include <stdint.h>

struct clock {
    int64_t (*now_ms)(void *arg);                          /* unix milliseconds */
    void (*chance)(void *arg, uint8_t *ret, size_t n);     /* n fresh secret bytes */
    void *arg;
};

/* The machine's clock and its generator of random bytes. */
extern const struct clock clock_of_machine;

static inline int64_t clock_now(const struct clock *c) { return c->now_ms(c->arg); }

#endif
