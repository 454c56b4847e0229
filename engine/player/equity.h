/* Match equity: the chance to win the match after a result of the round; a draw counts half.
 *
 * It follows from counts of round results under a rule set, from the dealer's side
 * (nets/rounds.inc, made by `make nets`), and from the rounds left, the totals and the next dealer.
 *
 *     stakes_make(v, &s)
 *     stakes_of(&s, winner, points)         winner -1: a draw; for the seat that sees v
 *
 * For two players the chances are computed round by round, with purses and extra rounds; for three
 * from the spread of a round's points. Rule sets without counts use the nearest ones.
 */
#ifndef KOIKOI_EQUITY_H
#define KOIKOI_EQUITY_H

#include "view.h"

enum { EQUITY_POINTS = 96, STAKE_POINTS = 256 };

/* Rounds with that result, of `rounds` in all. The last entry includes all higher points. */
struct equity_rounds {
    const char *name; /* name of the preset */
    uint8_t players;
    uint64_t learned_from; /* the preset's net_rules_hash() */
    struct rules rules;    /* the options that equity_nearest() compares; all others are zero */
    uint32_t rounds, no_winner;
    uint32_t dealer[EQUITY_POINTS], other[EQUITY_POINTS];
};
extern const struct equity_rounds equity_rounds[];
extern const int n_equity_rounds;

/* The counts for a rule set: its own, else those of the preset with the nearest options. */
const struct equity_rounds *equity_nearest(const struct rules *r, int players);

struct stakes {
    float win[MAX_PLAYERS]
             [STAKE_POINTS]; /* chance to win the match if that seat wins so much now */
    float no_winner, again;  /* if no seat wins; if the round is dealt again */
};

/* Points above the start that the winner of a whole match gets on average, at least 1. */
int equity_win_points(const struct rules *r, int players);

void stakes_make(const struct view *v, struct stakes *ret);
/* Spread of the chances that results of this round of two leave, over that of their points: what a
 * point is worth, at least 0.002. */
double stakes_unit(const struct view *v, const struct stakes *s);
static inline float stakes_of(const struct stakes *s, int winner, int points)
{
    return winner < 0 ? s->no_winner
                      : s->win[winner][points < STAKE_POINTS ? points : STAKE_POINTS - 1];
}

#endif
