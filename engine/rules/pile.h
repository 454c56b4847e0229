/* Worth of a pile, by four table reads.
 *
 * The yaku fall into groups that share no card but the sake cup: brights with viewings (and sake
 * and Lightning, for rain), animals, ribbons, plains. ruleset_make() fills a table by subset for
 * each group, so that rule options only change table contents. One multiplication maps a subset to
 * its index; the multipliers were found by search and give every subset an index of its own (a test
 * counts them).
 */
#ifndef KOIKOI_PILE_H
#define KOIKOI_PILE_H

#include "rules.h"

#define EACH_MONTH   0x111111111111u /* first card of each month */
#define PILE_BRIGHTS 0x190110000101u /* with the sake cup and Lightning */
#define PILE_ANIMALS 0x021121111010u
#define PILE_RIBBONS 0x042202222222u
enum { PILE_OTHERS = 48 }; /* see pile_parts() */

HOT_INLINE cardset pile_brights(cardset s)
{
    return ((s & PILE_BRIGHTS) * 0x12307c4a04580022u) >> 57;
}

HOT_INLINE cardset pile_animals(cardset s)
{
    return ((s & PILE_ANIMALS) * 0x0100080120200941u) >> 55;
}

HOT_INLINE cardset pile_ribbons(cardset s)
{
    return ((s & PILE_RIBBONS) * 0x2004100800200088u) >> 54;
}

/* The first card of each month that is complete. */
HOT_INLINE cardset pile_months(cardset s)
{
    s &= s >> 1;
    return s & (s >> 2) & EACH_MONTH;
}

/* Worth of all yaku in the pile: about 3 ns. called: its owner has called koi-koi in this round. */
int pile_base_by_name(const struct ruleset *g, cardset s, bool called);
HOT_INLINE int pile_base(const struct ruleset *g, cardset s, bool called)
{
    if (__builtin_expect(g->by_name, 0))
        return pile_base_by_name(g, s, called);
    int months = __builtin_expect(g->hiki == 0, 1) ? 0 : set_count(pile_months(s));
    return g->bright_value[called][pile_brights(s)] + g->animal_value[pile_animals(s)] +
           g->ribbon_value[pile_ribbons(s)] + g->plain_value[months][set_count(s & g->plains)];
}

/* A pile's worth in independent parts: the worths of brights and viewings in a byte each, the sum
 * of all others in two. If the others only grow with the pile (ruleset.rest_decides), a yaku is new
 * or more valuable exactly if a part has grown. base: the pile's. */
HOT_INLINE uint64_t pile_parts(const struct ruleset *g, cardset s, bool called, int base)
{
    return g->bright_parts[called][pile_brights(s)] + ((uint64_t)base << PILE_OTHERS);
}

/* True if a part of `now` is greater than that of `then`. The top bit of each part is free, so no
 * part borrows from the next. */
HOT_INLINE bool pile_part_is_new(uint64_t now, uint64_t then)
{
    const uint64_t tops = 0x8000808080808080u, ones = 0x0001010101010101u;
    return (((now | tops) - then - ones) & tops) != 0;
}

/* The groups: each adds its counted yaku to s->worth. score_pile() names yaku by them,
 * ruleset_make() fills the tables. */
struct score;
void group_brights(const struct rules *r, cardset pile, bool called, struct score *s);
void group_animals(const struct rules *r, cardset pile, struct score *s);
void group_ribbons(const struct rules *r, cardset pile, struct score *s);
void group_plains(const struct rules *r, int n, struct score *s); /* n plains held */
void group_sum(struct score *s);                                  /* base from worth */

#endif
