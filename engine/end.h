/* Engine-private: what deal.c shares with others: the places of a deal, the ends of a round. */
#ifndef KOIKOI_END_H
#define KOIKOI_END_H

#include "round.h"

/* The same as deal_slots(), by who gets it: see place in struct ruleset. */
void deal_places(const struct rules *r, int players, uint8_t ret[static N_CARDS]);

void round_end(struct round *r, enum round_why why);                       /* nobody scores */
/* by the hand yaku held */
void round_win_by_hand(const struct ruleset *g, struct round *r, int seat);

#endif
