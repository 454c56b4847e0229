/* Exhaustive solver of the last turns for two players: the worth of each move in points of the
 * round, if both play their best, know their own hand and hold every unseen card as likely as the
 * next. For seats with at most two cards against one. */
#ifndef KOIKOI_TESTS_ENDGAME_H
#define KOIKOI_TESTS_ENDGAME_H

#include "match.h"

/* For the seat to move in m, in its hand phase; the opponent has one card or none. */
double endgame_worth(const struct ruleset *g, const struct match *m, struct move move);

#endif
