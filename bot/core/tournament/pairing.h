/* Pairing: one function a format fills in the games of a round. Inside this room. */
#ifndef KOIKOI_PAIRING_H
#define KOIKOI_PAIRING_H

#include "tournament.h"

/* Writes the games of that round, without results but byes, into ret[ENTRANTS_MOST / 2 + 1], and
 * returns their number. Boards and rounds are the caller's. */
int pair_swiss(const struct tournament *t, struct tournament_game *ret);
int pair_round_robin(const struct tournament *t, int round, struct tournament_game *ret);
int pair_knockout(const struct tournament *t, int round, struct tournament_game *ret);

/* A game of two in which the one who dealt first less often deals first; equals take turns, and at
 * last the better seed does, or with `worse` the other. */
struct tournament_game pair_by_balance(const struct tournament *t, int a, int b, bool worse);

/* A game against somebody who has left is won, one of two who have left is lost by both. */
void tournament_decide_absent(const struct tournament *t, struct tournament_game *g);

/* True if all of these players (bit n: player n) can be paired at once, each pair allowed;
 * allowed[n] is the set of opponents of n. */
bool matching_is_complete(const uint64_t *allowed, uint64_t players);
/* The number of pairs, as many as can be. */
int matching_size(const uint64_t *allowed, uint64_t players);

#endif
