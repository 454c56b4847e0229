/* Random number generator for searches and tests. The caller owns its state; the same seed gives
 * the same numbers. Not for decks of matches: those come shuffled from outside. The method is
 * xorshift64* (Marsaglia; Vigna), seeded through splitmix64. */
#ifndef KOIKOI_RNG_H
#define KOIKOI_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
}; /* never 0 */

static inline struct rng rng_seed(uint64_t seed)
{
    uint64_t z = seed + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (struct rng){z != 0 ? z : 1};
}

static inline uint64_t rng_next(struct rng *c)
{
    uint64_t s = c->state;
    s ^= s >> 12;
    s ^= s << 25;
    s ^= s >> 27;
    c->state = s;
    return s * 0x2545f4914f6cdd1du;
}

/* 0 ... n - 1 from 16 random bits; n at most 256, so that no number is favoured by more than 0.4
 * %. */
static inline unsigned rng_below(uint64_t bits, unsigned n)
{
    return (unsigned)(((bits & 0xffff) * n) >> 16);
}

/* Shuffles n cards, at most 256, as evenly as rng_below(). */
static inline void rng_shuffle(struct rng *c, uint8_t *card, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)rng_below(rng_next(c), (unsigned)i + 1);
        uint8_t t = card[i];
        card[i] = card[j];
        card[j] = t;
    }
}

static inline float rng_fraction(struct rng *l) /* [0, 1) */
{
    return (float)(rng_next(l) >> 40) * 0x1p-24f;
}

#endif
