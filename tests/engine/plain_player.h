/* The plain Monte-Carlo player that computer players are measured against: a thousand deals of
 * the unseen cards, every legal move played in each, the round finished by a simple rule for
 * both sides, the points averaged. No inference, no tuning, no eye for the match. Two players. */
#ifndef KOIKOI_TESTS_PLAIN_PLAYER_H
#define KOIKOI_TESTS_PLAIN_PLAYER_H

#include "view.h"

struct move plain_player(const struct ruleset *g, const struct view *v, int worlds, uint64_t seed);

#endif
