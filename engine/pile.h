/* A pile's worth by four table reads.
 *
 * The yaku of a pile fall into groups that share no card but the sake cup: the brights with the
 * viewings (sake and Lightning beside them, for rain), the animals, the ribbons, the plains. Each group
 * has a table by subset, made by ruleset_make(), so that rule knobs are only contents of tables. A
 * subset becomes an index by one multiplication, with numbers found by search that give every subset an
 * index of its own (the test counts them): no machine needs a special instruction for it. Only counting
 * bits gains from one, and only speed hangs on it.
 */
#ifndef KOIKOI_PILE_H
#define KOIKOI_PILE_H

#include "rules.h"

#define EACH_MONTH   0x111111111111u      /* the first card of each month */
#define PILE_BRIGHTS 0x190110000101u      /* with the sake cup and Lightning */
#define PILE_ANIMALS 0x021121111010u
#define PILE_RIBBONS 0x042202222222u

static inline unsigned pile_brights(cardset s)
{
    return (unsigned)(((s & PILE_BRIGHTS) * 0x12307c4a04580022u) >> 57);
}

static inline unsigned pile_animals(cardset s)
{
    return (unsigned)(((s & PILE_ANIMALS) * 0x0100080120200941u) >> 55);
}

static inline unsigned pile_ribbons(cardset s)
{
    return (unsigned)(((s & PILE_RIBBONS) * 0x2004100800200088u) >> 54);
}

/* set_count() out of line, so that the inlined path stays small. */
int pile_count_plainly(cardset s);

/* set_count(), by the machine's instruction where ruleset_make() found that it has one. */
static inline int pile_count(const struct ruleset *g, cardset s)
{
#if defined(__x86_64__)
    if (__builtin_expect(g->popcnt, 1)) {
        cardset n;
        __asm__("popcntq %1, %0" : "=r"(n) : "r"(s) : "cc");
        return (int)n;
    }
#endif
    (void)g;
    return pile_count_plainly(s);
}

#if defined(__x86_64__)
#define PILE_HAS_POPCNT (__builtin_cpu_supports("popcnt") != 0)
#else
#define PILE_HAS_POPCNT false
#endif

/* What all four cards of a month are worth, over all months. */
int pile_hiki(const struct ruleset *g, cardset s);

/* Months of which all four cards are there: the first card of each. */
static inline cardset pile_months(cardset s)
{
    s &= s >> 1;
    return s & (s >> 2) & EACH_MONTH;
}

static inline int pile_base(const struct ruleset *g, cardset s)
{
    int base = g->bright_value[pile_brights(s)] + g->animal_value[pile_animals(s)] +
               g->ribbon_value[pile_ribbons(s)] + g->plain_value[pile_count(g, s & g->plains)];

    return __builtin_expect(g->hiki == 0, 1) ? base : base + pile_hiki(g, s);
}

#endif
