/* Plain Monte-Carlo player, the yardstick for the computer players: it deals the unseen cards a
 * thousand times, tries each legal move in each, finishes the round by a simple rule for both sides
 * and averages the points. It infers nothing, is not tuned and ignores the match. Two players. */
#ifndef KOIKOI_TESTS_PLAIN_PLAYER_H
#define KOIKOI_TESTS_PLAIN_PLAYER_H

#include "view.h"

struct move plain_player(const struct ruleset *g, const struct view *v, int worlds, uint64_t seed);

#endif
