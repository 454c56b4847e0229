/* Engine-private: what both roads of a playout ask, of the same bits of chance. One number is drawn
 * a turn and cut up: which card, which of two field cards for the hand card, which for the drawn
 * one, and the koi-koi coin. */
#ifndef KOIKOI_PLAYOUT_TURN_H
#define KOIKOI_PLAYOUT_TURN_H

#include "playout.h"

/* bits 0-15 the card, 16 the hand choice, 17 the draw choice, 24-31 the koi-koi coin, 32-39 a
 * blunder, 40-55 a choice of three or more. */
enum { AT_HAND_CHOICE = 16, AT_DRAW_CHOICE = 17, AT_KOIKOI = 24, AT_BLUNDER = 32, AT_MANY = 40 };

static inline bool coin(uint64_t bits, int at, unsigned of_256)
{
    return ((bits >> at) & 255) < of_256;
}

static inline int weigh(const struct playout_policy *p, cardset s)
{
    int sum = 0;

    for (; s != 0; s = set_rest(s))
        sum += p->weight[set_first(s)];
    return sum;
}

/* Greedy: the more a card takes, itself with it, the better; laid down, the less it weighs. */
static inline int worth_playing(const struct playout_policy *p, int card, cardset take)
{
    return take != 0 ? weigh(p, take) + p->weight[card] : -1 - p->weight[card];
}

static inline bool calls(const struct playout_policy *p, int base, int left, uint64_t bits)
{
    return (base < p->cheap && left >= p->early) || coin(bits, AT_KOIKOI, p->koikoi);
}

#endif
