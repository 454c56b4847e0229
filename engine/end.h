/* Engine-private: the ends of a round that deal.c and round.c share. */
#ifndef KOIKOI_END_H
#define KOIKOI_END_H

#include "round.h"

void round_end(struct round *r, enum round_why why);                       /* nobody scores */
void round_win_by_hand(const struct ruleset *g, struct round *r, int seat);   /* by the hand yaku held */

#endif
