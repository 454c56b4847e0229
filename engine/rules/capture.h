/* Engine-private: the ways to play a card onto the field, as bits, for all that lists or follows
 * plays; and what the files of a round ask of each other.
 *
 * A card captures one of one or two cards of its month, or all three. A wild Lightning may also
 * capture one card of another month, and be captured by one. Each capture has a different first
 * card, so a set of cards stands for all ways.
 */
#ifndef KOIKOI_CAPTURE_H
#define KOIKOI_CAPTURE_H

#include "round.h"

/* True if `same`, the field's cards of the month, leave a choice: there are two. */
HOT_INLINE bool take_is_choice(cardset same)
{
    cardset more = set_rest(same);
    return (more != 0) & (set_rest(more) == 0);
}

/* True if `same` is captured as a whole: three. */
HOT_INLINE bool take_is_whole(cardset same)
{
    return set_rest(set_rest(same)) != 0;
}

/* Captures added by a wild Lightning: cards of other months that `card` may capture, each by
 * itself. */
HOT_INLINE cardset take_other(cardset field, int card)
{
    cardset month = card_month_set(card);
    if (card == LIGHTNING)
        return field & ~month;
    return field & CARD(LIGHTNING) & ~month;
}

/* The same if the rule set has it. */
HOT_INLINE cardset take_wild(const struct rules *r, cardset field, int card)
{
    return r->wild_lightning ? take_other(field, card) : 0;
}

/* The first card of each capture. */
HOT_INLINE cardset take_firsts(cardset same, cardset other)
{
    return (take_is_whole(same) ? same & -same : same) | other;
}

/* The capture that begins with this card. */
HOT_INLINE cardset take_from(cardset same, cardset first)
{
    return (take_is_whole(same) & ((first & same) != 0)) ? same : first;
}

/* True if `take` is a legal capture of a card that has only its own month and must capture. Without
 * branches, as all functions here: captures are unpredictable. */
HOT_INLINE bool take_fits(cardset same, cardset take)
{
    bool two = take_is_choice(same), one = (take & same) != 0, alone = set_rest(take) == 0;
    return (two & one & alone) | (!two & (take == same));
}

/* The same for any rules. may_lie: a card that could capture may be laid down, unless it would
 * capture three. */
HOT_INLINE bool take_allowed(cardset same, cardset other, bool may_lie, cardset take)
{
    cardset first = take & -take;
    bool lies = (take == 0) & (((same | other) == 0) | (may_lie & !take_is_whole(same)));
    cardset firsts = take_firsts(same, other), whole = take_from(same, first);

    return lies | (((first & firsts) != 0) & (take == whole));
}

/* The change of the field and of the pile. Masks, because a compiler would choose a branch that is
 * wrong every other time. */
HOT_INLINE cardset take_mask(cardset take)
{
    return -(cardset)(take != 0);
}
HOT_INLINE cardset take_moves(cardset one, cardset take)
{
    return take | (one & ~take_mask(take));
}

HOT_INLINE cardset take_wins(cardset one, cardset take)
{
    return (take | one) & take_mask(take);
}

/* The entry of a capture in the log of moves seen: see seen_take() in round.h. */
HOT_INLINE uint8_t take_seen(int card, cardset take)
{
    if (__builtin_expect((take & ~card_month_set(card)) != 0, 0))
        return (uint8_t)(16 + set_first(take));
    return (uint8_t)(take >> (card & 60));
}

/* ---- The files of a round -------------------------------------------------------------------- */

/* True if the seat, on its first turn, may declare the hand yaku it holds. */
bool round_may_declare(const struct ruleset *g, const struct round *r, int seat);

/* False where the calls of all players have reached koikoi_limit: then only a stop is left. */
static inline bool round_may_call(const struct rules *rules, const struct round *r)
{
    int calls = 0;
    for (int p = 0; p < r->players; p++)
        calls += r->koikoi[p];
    return rules->koikoi_limit == 0 || calls < rules->koikoi_limit;
}

/* The move behind an entry of `seen`. A draw is a MOVE_CHOOSE, whether there was a choice or
 * not. */
struct move round_seen_move(struct seen s);

/* Sets the round back to where it had seen `n_seen` entries, by playing it again. Returns false,
 * with *r untouched, if no player was to act there: a drawn card had no choice. */
bool round_rewind(const struct ruleset *g, struct round *r, int n_seen);

/* Replaces the log by one event. `log` may be NULL. */
void round_log_one(struct round_log *log, enum log_kind kind, int seat, int what);

#endif
