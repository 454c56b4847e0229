/* Perfect play of the last turns of two players: what each move is worth, in points of the round,
 * if both play their best from then on, each knowing its own hand and holding every card it has not
 * seen as likely as the next. Reckoned by trying everything: for seats with two cards at most
 * against one. */
#ifndef KOIKOI_TESTS_ENDGAME_H
#define KOIKOI_TESTS_ENDGAME_H

#include "match.h"

/* For the seat to move in m, in its hand phase; the other one holds one card or none. */
double endgame_worth(const struct ruleset *g, const struct match *m, struct move move);

#endif
