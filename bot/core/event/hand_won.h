/* A hand that won, as it is kept with a player's results: its yaku with their worth, and the
 * product of the multipliers: "goko=10 hanami=5 x=4"; "four=6" for a hand yaku. */
#ifndef KOIKOI_HAND_WON_H
#define KOIKOI_HAND_WON_H

#include "notice.h"

struct str hand_won_write(const struct round_summary *round, struct buf *ret);
/* Fills worth, hand and base, and x[0] with the product; skips words it does not know. */
void hand_won_read(struct str s, struct round_summary *ret);

#endif
