/* Engine-private: what the files of a round share: the places of a deal, who may declare, the ends
 * of a round. */
#ifndef KOIKOI_END_H
#define KOIKOI_END_H

#include "round.h"

/* The same as deal_slots(), by who gets it: see place in struct ruleset. */
void deal_places(const struct rules *r, int players, uint8_t ret[static N_CARDS]);

/* True if the seat, on its first turn, may declare the hand yaku it holds. */
bool round_may_declare(const struct ruleset *g, const struct round *r, int seat);

void round_end(struct round *r, enum round_why why);                       /* nobody scores */
/* by the hand yaku held */
void round_win_by_hand(const struct ruleset *g, struct round *r, int seat);

#endif
