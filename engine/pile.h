/* Engine-private: a pile's worth by four table reads, and how hot functions are built twice.
 *
 * The yaku of a pile split into groups that share no card but the sake cup: the brights with the
 * viewings (sake and Lightning beside them, for rain), the animals, the ribbons, the plains. Each group
 * has a table by subset. A subset becomes an index by one multiplication, with numbers found by search
 * that give every subset an index of its own (the test counts them), so no special instruction is
 * needed; only counting bits gains from one. HOT is that build: functions marked so may use it and
 * run only where ruleset.bmi says so. Both builds come from the same lines.
 */
#ifndef KOIKOI_PILE_H
#define KOIKOI_PILE_H

#include "score.h"

#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define HOT __attribute__((target("popcnt,bmi,bmi2,lzcnt")))
#define HAVE_HOT (__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt"))
#else
#define HOT
#define HAVE_HOT false
#endif

#define EACH_MONTH   0x111111111111u      /* the first card of each month */
#define PILE_BRIGHTS 0x190110000101u      /* with the sake cup and Lightning */
#define PILE_ANIMALS 0x021121111010u
#define PILE_RIBBONS 0x042202222222u

INLINE unsigned pile_brights(cardset s) { return (unsigned)(((s & PILE_BRIGHTS) * 0x12307c4a04580022u) >> 57); }
INLINE unsigned pile_animals(cardset s) { return (unsigned)(((s & PILE_ANIMALS) * 0x0100080120200941u) >> 55); }
INLINE unsigned pile_ribbons(cardset s) { return (unsigned)(((s & PILE_RIBBONS) * 0x2004100800200088u) >> 54); }

/* Months of which all four cards are there, one bit each. */
INLINE cardset pile_months(cardset s)
{
    s &= s >> 1;
    return s & (s >> 2) & EACH_MONTH;
}

INLINE int pile_base(const struct ruleset *g, cardset s)
{
    int base = g->bright_value[pile_brights(s)] + g->animal_value[pile_animals(s)] +
               g->ribbon_value[pile_ribbons(s)] + g->plain_value[set_count(s & g->plains)];
    if (g->hiki != 0)
        base += g->hiki * set_count(pile_months(s));
    return base;
}

#endif
