/* Sums of the results of matches: of one, of a season, of two people against each other. The store adds
 * them up, pages show them. */
#ifndef KOIKOI_TALLY_H
#define KOIKOI_TALLY_H

#include <stdint.h>

struct tally {
    int64_t won, drawn, lost, points;
    int64_t gave_up;
    int64_t rounds, rounds_won;
    int64_t calls, calls_won, calls_paid; /* rounds with a koi-koi of theirs; won; won by another */
};
static inline void tally_add(struct tally *t, const struct tally *add)
{
    t->won += add->won;
    t->drawn += add->drawn;
    t->lost += add->lost;
    t->points += add->points;
    t->gave_up += add->gave_up;
    t->rounds += add->rounds;
    t->rounds_won += add->rounds_won;
    t->calls += add->calls;
    t->calls_won += add->calls_won;
    t->calls_paid += add->calls_paid;
}
static inline int64_t tally_matches(const struct tally *t)
{
    return t->won + t->drawn + t->lost;
}

#endif
