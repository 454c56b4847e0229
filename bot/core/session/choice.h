/* Choices of a player. The engine has a move for every capture; two plains of one month are equal,
 * so that their moves are one choice. */
#ifndef KOIKOI_CHOICE_H
#define KOIKOI_CHOICE_H

#include "round.h"

/* True if legal move i differs from move i - 1 only by which of two equal plains it takes. */
bool choice_repeats(const struct move *legal, int i);
/* True if all of these are one choice. */
bool choice_is_one(const struct move *legal, int n);
/* The place of a move among n others; n if it is not there. */
int choice_find(const struct move *legal, int n, struct move m);
/* Reads a move that notation_move() wrote. Returns false for an empty text, *ret untouched. */
bool choice_read(const char *text, struct move *ret);
/* The indices of the moves that are a choice of their own; returns how many. */
int choice_options(const struct move *legal, int n, uint8_t ret[static MAX_MOVES]);
/* Like round_takes(), without repetitions; returns how many. */
int choice_takes(const struct rules *r, cardset field, int card, bool drawn,
                 cardset ret[static N_CARDS]);

#endif
