/* Ratings: Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013) in fixed point, so that the
 * same matches give the same table on every machine.
 *
 *     rating_new(&r)                        before the first match
 *     rating_rest(&r, months)               a season has begun since the last match
 *     rating_games(&r, games, n, &next)     one rating period, here one match: a game against each
 *                                           opponent, all by the ratings before the match
 */
#ifndef KOIKOI_RATING_H
#define KOIKOI_RATING_H

#include <stdbool.h>
#include <stdint.h>

/* A deviation above this makes a rating provisional; some 15 matches bring it below. */
enum { RATING_UNIT = 1000, RATING_PROVISIONAL = 85 * RATING_UNIT };
/* Rated matches of the same two people on one day of the chat; later ones are not rated. */
enum { RATED_PAIR_DAY = 5 };

struct rating {
    int64_t points, deviation; /* thousandths of a point */
    int64_t volatility;        /* hundred-millionths */
};

/* A game of the period: the opponent, and the result for the player: 2 won, 1 drawn, 0 lost. */
struct rating_game {
    struct rating opponent;
    int halves;
};

void rating_new(struct rating *ret);
/* Decay between seasons: the deviation grows by the months without a match, at least one, up to
 * that of a new player; the points stay. */
void rating_rest(struct rating *r, int64_t months);
/* n > 0. */
void rating_games(const struct rating *r, const struct rating_game *games, int n,
                  struct rating *ret);
static inline bool rating_provisional(const struct rating *r)
{
    return r->deviation > RATING_PROVISIONAL;
}

/* Exponential and logarithm from the four operations alone, which IEEE 754 rounds the same on every
 * machine; those of C libraries differ in their last bit, and a rating must not. Within 1e-13 of
 * the true value, relative, for |x| up to 700 and x above 1e-300. */
double rating_exp(double x);
double rating_log(double x); /* x > 0 */

#endif
