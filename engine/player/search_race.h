/* Engine-private: race between moves by their worths in the same worlds.
 *
 *     race_start(&r, n)
 *     race_add(&r, worth)          one world: worth[i] of every candidate
 *     regret = race_prune(&r)      drops clearly worse moves; the cost of a wrong choice
 *     race_leader(&r)
 */
#ifndef KOIKOI_SEARCH_RACE_H
#define KOIKOI_SEARCH_RACE_H

#include "round.h"

struct runner {
    double worth; /* sum over its worlds */
    uint32_t n;   /* worlds tried */
    bool out;
};

struct race {
    int n;
    struct runner at[MAX_MOVES];
    double cross[MAX_MOVES][MAX_MOVES]; /* [i][j], j <= i: sums of products of their worths */
};

void race_start(struct race *ret, int n);
void race_add(struct race *r, const float *worth);

/* Drops moves that are clearly worse than the leader. Returns the regret bound: the expected cost
 * of choosing the leader, summed over the remaining moves. Needs at least one race_add(). */
double race_prune(struct race *r);

int race_leader(const struct race *r); /* the candidate with the highest sum */
int race_left(const struct race *r);   /* number of candidates */

#endif
