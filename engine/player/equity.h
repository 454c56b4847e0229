/* What a round's result is worth to the match: the chance to win it.
 *
 * How rounds end under a rule set, seen from its dealer, was counted once by self-play
 * (equity_rounds.c, made by `make equity`). With the rounds left, the totals and who deals next,
 * that gives each result the running round can have its chance of winning the match, a draw
 * counting half:
 *
 *     stakes_make(v, &s)
 *     stakes_of(&s, winner, points)         winner -1: nobody; for the seat that sees v
 *
 * For two players the chances are computed round by round, purses and extra rounds included; for
 * three from the spread of a round's points. Rule sets nobody counted use the nearest that was.
 */
#ifndef KOIKOI_EQUITY_H
#define KOIKOI_EQUITY_H

#include "view.h"

enum { EQUITY_POINTS = 96, STAKE_POINTS = 256 };

/* How many of `rounds` rounds ended so. Points above the last are counted there. */
struct equity_rounds {
    const char *name; /* of the preset */
    uint8_t players;
    struct rules rules; /* zero but for the knobs that nearest() compares */
    uint32_t rounds, nobody;
    uint32_t dealer[EQUITY_POINTS], other[EQUITY_POINTS];
};
extern const struct equity_rounds equity_rounds[];
extern const int n_equity_rounds;

/* The counts that serve a rule set: of the preset whose knobs are nearest. */
const struct equity_rounds *equity_nearest(const struct rules *r, int players);

struct stakes {
    float win[MAX_PLAYERS]
             [STAKE_POINTS]; /* chance to win the match if that seat wins so much now */
    float nobody, again;     /* if nobody does; if the round is dealt again */
};

void stakes_make(const struct view *v, struct stakes *ret);
static inline float stakes_of(const struct stakes *s, int winner, int points)
{
    return winner < 0 ? s->nobody
                      : s->win[winner][points < STAKE_POINTS ? points : STAKE_POINTS - 1];
}

#endif
