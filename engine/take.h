/* Engine-private: what a card takes in its own month, the only question where Lightning is not wild and
 * every card that can take must. */
#ifndef KOIKOI_TAKE_H
#define KOIKOI_TAKE_H

#include "card.h"

/* True where `same`, the field's cards of the month, leave a choice: there are two. */
static inline bool take_is_choice(cardset same)
{
    cardset more = set_rest(same);
    return (more != 0) & (set_rest(more) == 0);
}

/* Without a branch, like take_seen(): what a random move takes cannot be predicted. */
static inline bool take_fits(cardset same, cardset take)
{
    cardset low = same & -same;
    bool two = take_is_choice(same), one_of_two = (take == low) | (take == (same ^ low));
    return (two & one_of_two) | (!two & (take == same));
}

/* How the log of what was seen writes a take: see seen_take() in round.h. */
static inline uint8_t take_seen(int card, cardset take)
{
    cardset own = (take >> (card & ~3)) & 15;
    bool other = (take != 0) & (own == 0);
    return (uint8_t)(__builtin_expect(other, 0) ? 16 + set_first(take) : (int)own);
}

#endif
