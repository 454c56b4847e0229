/* Pairing, inside this room. */
#ifndef KOIKOI_PAIRING_H
#define KOIKOI_PAIRING_H

#include "tournament.h"

/* A game against somebody who has left is won, one of two who have left is lost by both. */
void tournament_decide_absent(const struct tournament *t, struct tournament_game *g);

/* True if all of these players (bit n: player n) can be paired at once, each pair allowed;
 * allowed[n] is the set of opponents of n. */
bool matching_is_complete(const uint64_t *allowed, uint64_t players);
/* The number of pairs, as many as can be. */
int matching_size(const uint64_t *allowed, uint64_t players);

#endif
