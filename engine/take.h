/* Engine-private: the ways a card can go onto the field, as bits.
 *
 * Of its own month a card takes one of one or two cards, or all three of three. Where Lightning
 * is wild it may take one card of another month besides, or Lightning be that card. So a way to
 * take is told by its first card, and all of them are one set.
 */
#ifndef KOIKOI_TAKE_H
#define KOIKOI_TAKE_H

#include "pile.h"

/* True where `same`, the field's cards of the month, leave a choice: there are two. */
static inline bool take_is_choice(cardset same)
{
    cardset more = set_rest(same);
    return (more != 0) & (set_rest(more) == 0);
}

BITS_INLINE bool take_is_choice_by(bool bmi2, cardset same)
{
    return bmi2 ? bits_count(same) == 2 : take_is_choice(same);
}

/* True where `same` is taken as a whole: three. */
static inline bool take_is_whole(cardset same) { return set_rest(set_rest(same)) != 0; }

/* What wild Lightning adds: cards of other months that `card` may take, each by itself. */
static inline cardset take_other(cardset field, int card)
{
    cardset month = card_month_set(card);

    if (card == LIGHTNING)
        return field & ~month;
    return field & CARD(LIGHTNING) & ~month;
}

/* The same where the rules have it. */
static inline cardset take_wild(const struct rules *r, cardset field, int card)
{
    return r->wild_lightning ? take_other(field, card) : 0;
}

/* The first card of each way to take. */
static inline cardset take_firsts(cardset same, cardset other)
{
    return (take_is_whole(same) ? same & -same : same) | other;
}

/* The way that begins with this card. */
static inline cardset take_from(cardset same, cardset first)
{
    return (take_is_whole(same) & ((first & same) != 0)) ? same : first;
}

/* True if `take` is what a card may do that has only its own month and must take. Without a
 * branch, like all here: what a random move takes cannot be predicted. */
BITS_INLINE bool take_fits(bool bmi2, cardset same, cardset take)
{
    bool two = take_is_choice_by(bmi2, same), one = (take & same) != 0, alone = set_rest(take) == 0;
    return (two & one & alone) | (!two & (take == same));
}

/* The same for any rules. may_lie: a card that could take may lie down, unless it would take
 * three. */
static inline bool take_allowed(cardset same, cardset other, bool may_lie, cardset take)
{
    cardset first = take & -take;
    bool lies = (take == 0) & (((same | other) == 0) | (may_lie & !take_is_whole(same)));

    cardset firsts = take_firsts(same, other), whole = take_from(same, first);

    return lies | (((first & firsts) != 0) & (take == whole));
}

/* What a card takes away from the field, or puts there; and what it brings its pile. Masks: a
 * compiler that may choose takes a branch, wrong every other time. */
static inline cardset take_mask(cardset take) { return -(cardset)(take != 0); }
static inline cardset take_moves(cardset one, cardset take)
{
    return take | (one & ~take_mask(take));
}

static inline cardset take_wins(cardset one, cardset take)
{
    return (take | one) & take_mask(take);
}

/* How the log of what was seen writes a take: see seen_take() in round.h. */
static inline uint8_t take_seen(int card, cardset take)
{
    if (__builtin_expect((take & ~card_month_set(card)) != 0, 0))
        return (uint8_t)(16 + set_first(take));
    return (uint8_t)(take >> (card & 60));
}

#endif
