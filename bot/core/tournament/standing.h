/* Standing: the table of a tournament with its tie-breaks.
 *
 * Swiss: points, Buchholz, Sonneborn-Berger, games won. Round robin: points, Sonneborn-Berger,
 * games won, the games of two among themselves. Knock-out: rounds survived. Equals share a place.
 *
 * Buchholz is the sum of the opponents' points; Sonneborn-Berger that of those who were beaten,
 * with half of those drawn with. In a Swiss a bye and a game against somebody absent count for
 * Buchholz as FIDE's virtual opponent did until 2023: the points the player had before, what the
 * game left over, and half a point for each round since. An opponent's bye counts as a draw there.
 * For Sonneborn-Berger they add nothing. */
#ifndef KOIKOI_STANDING_H
#define KOIKOI_STANDING_H

#include "tournament.h"

struct standing_row {
    int entrant, place;      /* place: from 1, shared by equals */
    int won, drawn, lost;    /* byes are won, but in a round robin */
    int points;              /* halves */
    int buchholz, sonneborn; /* halves, quarters */
    int survived;            /* rounds of a knock-out */
};

/* Halves. */
int standing_points(const struct tournament *t, int entrant);
/* Fills ret[n_entrants], best first. */
void standing_table(const struct tournament *t, struct standing_row *ret);

#endif
