/* A small generator for whoever samples worlds: its state is the caller's, the same seed gives
 * the same numbers. Never for dealing to people: their decks come shuffled from outside. The
 * method is xorshift64* (Marsaglia; Vigna), seeded through splitmix64. */
#ifndef KOIKOI_LUCK_H
#define KOIKOI_LUCK_H

#include <stdint.h>

struct luck { uint64_t state; };    /* never 0 */

static inline struct luck luck_seed(uint64_t seed)
{
    uint64_t z = seed + 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (struct luck){ z != 0 ? z : 1 };
}

static inline uint64_t luck_next(struct luck *c)
{
    uint64_t s = c->state;

    s ^= s >> 12;
    s ^= s << 25;
    s ^= s >> 27;
    c->state = s;
    return s * 0x2545f4914f6cdd1du;
}

/* 0 ... n - 1 from 16 bits of chance; n at most 256, so no number is favoured by more than 0.4
 * %. */
static inline unsigned luck_below(uint64_t bits, unsigned n)
{
    return (unsigned)(((bits & 0xffff) * n) >> 16);
}

static inline float luck_fraction(struct luck *l) /* [0, 1) */
{
    return (float)(luck_next(l) >> 40) * 0x1p-24f;
}

#endif
