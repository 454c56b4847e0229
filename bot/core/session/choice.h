/* What a player can choose among. The engine has a move for every card that can be taken; of two
 * equal plains it makes no difference which, and nobody is asked. */
#ifndef KOIKOI_CHOICE_H
#define KOIKOI_CHOICE_H

#include "round.h"

/* True if move i of these legal ones takes another of two equal plains than the move before it,
 * and is the same else. */
bool choice_repeats(const struct move *legal, int i);
/* True if all of these are one choice. */
bool choice_is_one(const struct move *legal, int n);
/* Like round_takes(), without what repeats; returns how many. */
int choice_takes(const struct rules *r, cardset field, int card, bool drawn,
                 cardset ret[static N_CARDS]);

#endif
