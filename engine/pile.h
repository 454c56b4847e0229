/* A pile's worth by four table reads.
 *
 * The yaku of a pile fall into groups that share no card but the sake cup: the brights with the
 * viewings (sake and Lightning beside them, for rain), the animals, the ribbons, the plains.
 * Each group has a table by subset, made by ruleset_make(), so that rule knobs are only contents
 * of tables. A subset becomes an index by the machine's bit extraction (BMI2) where it has a
 * fast one, else by one multiplication, with numbers found by search that give every subset an
 * index of its own (the test counts them). A rule set is made for one of the two ways
 * (ruleset.bmi2); what it answers is the same.
 *
 * Functions whose name ends in _by are told the way by their caller, who has asked once: a
 * constant there leaves one way in the code. It must be the rule set's own: each way has tables
 * of its own order.
 */
#ifndef KOIKOI_PILE_H
#define KOIKOI_PILE_H

#include "rules.h"

#define EACH_MONTH   0x111111111111u      /* the first card of each month */
#define PILE_BRIGHTS 0x190110000101u      /* with the sake cup and Lightning */
#define PILE_ANIMALS 0x021121111010u
#define PILE_RIBBONS 0x042202222222u
enum { PILE_OTHERS = 48 };                /* see pile_parts_by() */

/* A function whole in its caller, one that never is, and one that may use what a machine with
 * BMI2 has. */
#define BITS_INLINE static inline __attribute__((always_inline))
#define BITS_APART static __attribute__((noinline))
#if defined(__x86_64__)
#define BITS_BMI2 __attribute__((noinline, target("bmi,bmi2,popcnt,lzcnt")))
#else
#define BITS_BMI2 __attribute__((noinline))
#endif

/* ---- Bits by one instruction: only where bmi2 holds ------------------------------------------ */

#if defined(__x86_64__)
BITS_INLINE unsigned bits_count(cardset s)
{
    cardset n;
    __asm__("popcntq %1, %0" : "=r"(n) : "r"(s) : "cc");
    return (unsigned)n;
}

/* The bits of s where mask has one, moved together. */
BITS_INLINE cardset bits_extract(cardset s, cardset mask)
{
    cardset n;
    __asm__("pextq %2, %1, %0" : "=r"(n) : "r"(s), "r"(mask));
    return n;
}

/* The bit of s that has k bits of s below it. */
BITS_INLINE cardset bits_nth(cardset s, unsigned k)
{
    cardset bit;
    __asm__("pdepq %2, %1, %0" : "=r"(bit) : "r"((cardset)1 << k), "r"(s));
    return bit;
}
#else
BITS_INLINE unsigned bits_count(cardset s) { return (unsigned)set_count(s); }
BITS_INLINE cardset bits_extract(cardset s, cardset mask) { return s & mask; }
BITS_INLINE cardset bits_nth(cardset s, unsigned k) { return s << k; }
#endif

/* True where this machine has those instructions, and fast: some early AMD ones take them apart. */
bool bits_are_fast(void);

BITS_INLINE int pile_count_by(bool bmi2, cardset s)
{
    return bmi2 ? (int)bits_count(s) : set_count(s);
}
static inline int pile_count(const struct ruleset *g, cardset s)
{
    return pile_count_by(g->bmi2, s);
}

/* One card of s, not empty: the one with k cards of s before it. */
BITS_INLINE cardset pile_nth_by(bool bmi2, cardset s, unsigned k)
{
    if (bmi2)
        return bits_nth(s, k);
    for (; k > 0; k--)
        s = set_rest(s);
    return s & -s;
}

/* ---- Worths ---------------------------------------------------------------------------------- */

BITS_INLINE cardset pile_brights(bool bmi2, cardset s)
{
    return bmi2 ? bits_extract(s, PILE_BRIGHTS)
                : ((s & PILE_BRIGHTS) * 0x12307c4a04580022u) >> 57;
}

BITS_INLINE cardset pile_animals(bool bmi2, cardset s)
{
    return bmi2 ? bits_extract(s, PILE_ANIMALS)
                : ((s & PILE_ANIMALS) * 0x0100080120200941u) >> 55;
}

BITS_INLINE cardset pile_ribbons(bool bmi2, cardset s)
{
    return bmi2 ? bits_extract(s, PILE_RIBBONS)
                : ((s & PILE_RIBBONS) * 0x2004100800200088u) >> 54;
}

/* Months of which all four cards are there: the first card of each. */
static inline cardset pile_months(cardset s)
{
    s &= s >> 1;
    return s & (s >> 2) & EACH_MONTH;
}

/* plains: what those of s are worth, and its whole months. */
BITS_INLINE int pile_base_of(bool bmi2, const struct ruleset *g, cardset s, int plains)
{
    return g->bright_value[pile_brights(bmi2, s)] + g->animal_value[pile_animals(bmi2, s)] +
           g->ribbon_value[pile_ribbons(bmi2, s)] + plains;
}

BITS_INLINE int pile_base_by(bool bmi2, const struct ruleset *g, cardset s)
{
    int months = __builtin_expect(g->hiki == 0, 1) ? 0 : pile_count_by(bmi2, pile_months(s));

    return pile_base_of(bmi2, g, s, g->plain_value[months][pile_count_by(bmi2, s & g->plains)]);
}

/* A pile's worth in parts that each stand for themselves: the worths of brights and viewings in a
 * byte each, the sum of all others in two. Where the others only grow with the pile
 * (ruleset.rest_decides), a yaku is new or dearer exactly where a part has grown. base: the
 * pile's. */
BITS_INLINE uint64_t pile_parts_by(bool bmi2, const struct ruleset *g, cardset s, int base)
{
    return g->bright_parts[pile_brights(bmi2, s)] + ((uint64_t)base << PILE_OTHERS);
}

/* True if a part of `now` is greater than that of `then`. The top bit of each is free: none
 * borrows from the next. */
static inline bool pile_part_is_new(uint64_t now, uint64_t then)
{
    const uint64_t tops = 0x8000808080808080u, ones = 0x0001010101010101u;

    return (((now | tops) - then - ones) & tops) != 0;
}

static inline int pile_base(const struct ruleset *g, cardset s)
{
    return g->bmi2 ? pile_base_by(true, g, s) : pile_base_by(false, g, s);
}

#endif
