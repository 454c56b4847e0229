/* What may be done: the ways a card can go, and the legal moves of a seat.
 *
 * Takes are sets of bits (take.h). Three ways of listing plays keep the usual case short: cards
 * that take in their own month only; the same beside wild Lightning on the field; and any card at
 * all, way by way. Like round_apply() this is compiled twice, for machines with BMI2 and for all
 * others (pile.h).
 */
#include "end.h"
#include "round.h"
#include "take.h"

#include <string.h>

int round_takes(const struct rules *r, cardset field, int card, bool drawn,
                cardset ret[static N_CARDS])
{
    cardset same = field & card_month_set(card);
    int n = 0;

    for (cardset left = take_firsts(same, take_wild(r, field, card)); left != 0;
         left = set_rest(left))
        ret[n++] = take_from(same, left & -left);
    if (n == 0 || (r->capture == CAPTURE_OPTIONAL && !drawn && !take_is_whole(same)))
        ret[n++] = 0;
    return n;
}

bool round_may_declare(const struct ruleset *g, const struct round *r, int seat)
{
    return g->rules.has_hand_yaku && g->rules.claim == CLAIM_DECLARED && r->phase == PHASE_HAND &&
           r->turn == seat && !r->played[seat] && hand_yaku_of(g, r->hand[seat]) != HAND_NONE;
}

/* Writes a move as two whole words: whoever reads it next reads it so, and a processor hands
 * small writes to a wide read late. */
BITS_INLINE void put(struct move *at, enum move_kind kind, int card, cardset take)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t head = (uint64_t)kind | (uint64_t)card << 8;
    memcpy(at, &head, sizeof head);
#else
    at->kind = (uint8_t)kind;
    at->card = (uint8_t)card;
#endif
    at->take = take;
}
_Static_assert(offsetof(struct move, card) == 1 && offsetof(struct move, take) == 8, "see put()");

/* Plays of cards that take in their own month, and Lightning too where `wild`. What a card may
 * do is written every time and kept only where it may: cheaper than a branch. */
BITS_INLINE struct move *plays(bool bmi2, cardset hand, cardset field, bool wild, bool optional,
                               struct move *at)
{
    for (; hand != 0; hand = set_rest(hand)) {
        int card = set_first(hand);
        cardset same = field & card_month_set(card), second = set_rest(same);
        bool two = take_is_choice_by(bmi2, same);
        cardset first = two ? same ^ second : same;
        put(at, MOVE_PLAY, card, first);
        at += wild ? first != 0 : 1;
        put(at, MOVE_PLAY, card, second);
        at += two;
        if (wild)
            put(at++, MOVE_PLAY, card, CARD(LIGHTNING));
        if (optional) {
            put(at, MOVE_PLAY, card, 0);
            at += wild ? !take_is_whole(first) : (first != 0) & !take_is_whole(first);
        }
    }
    return at;
}

/* Every way of one card. */
BITS_APART struct move *ways(const struct rules *r, enum move_kind kind, cardset field, int card,
                             struct move *at)
{
    cardset same = field & card_month_set(card),
            firsts = take_firsts(same, take_wild(r, field, card));
    bool may_lie = r->capture == CAPTURE_OPTIONAL && kind == MOVE_PLAY && !take_is_whole(same);

    for (cardset left = firsts; left != 0; left = set_rest(left))
        put(at++, kind, card, take_from(same, left & -left));
    if (firsts == 0 || may_lie)
        put(at++, kind, card, 0);
    return at;
}

/* Wild Lightning in the hand or on the field. */
BITS_INLINE struct move *wild_plays(bool bmi2, const struct rules *r, cardset hand, cardset field,
                                    bool optional, struct move *at)
{
    const cardset below = CARD(RAINMAN) - 1, november = month_set(card_month(LIGHTNING));
    bool lies = (field & CARD(LIGHTNING)) != 0;

    if (lies) {
        at = plays(bmi2, hand & below, field, true, optional, at);
        at = plays(bmi2, hand & november, field, false, optional, at);
    } else {
        at = plays(bmi2, hand & (below | november) & ~CARD(LIGHTNING), field, false, optional, at);
        if ((hand & CARD(LIGHTNING)) != 0)
            at = ways(r, MOVE_PLAY, field, LIGHTNING, at);
    }
    for (hand &= ~(below | november); hand != 0; hand = set_rest(hand))
        at = ways(r, MOVE_PLAY, field, set_first(hand), at);
    return at;
}

/* Where more is possible than a card's own month, and a must. */
BITS_INLINE struct move *knob_plays(bool bmi2, const struct rules *r, cardset hand, cardset field,
                                    struct move *at)
{
    bool optional = r->capture == CAPTURE_OPTIONAL;

    if (r->wild_lightning && ((hand | field) & CARD(LIGHTNING)) != 0)
        return optional ? wild_plays(bmi2, r, hand, field, true, at)
                        : wild_plays(bmi2, r, hand, field, false, at);
    return optional ? plays(bmi2, hand, field, false, true, at)
                    : plays(bmi2, hand, field, false, false, at);
}

/* Before a seat's first card it may have more to say. */
BITS_APART struct move *first_moves(const struct ruleset *g, const struct round *r, int seat,
                                    struct move *at)
{
    if (round_may_declare(g, r, seat))
        put(at++, MOVE_DECLARE, CARD_NONE, 0);
    if (r->may_redeal[seat])
        put(at++, MOVE_REDEAL, CARD_NONE, 0);
    return at;
}

BITS_INLINE int legal(bool bmi2, const struct ruleset *g, const struct round *r, int seat,
                      struct move *ret)
{
    struct move *at = ret;

    if (r->phase == PHASE_OVER)
        return 0;
    if (!r->played[seat])
        at = first_moves(g, r, seat, at);
    if (r->turn != seat)
        return (int)(at - ret);
    if (r->phase == PHASE_HAND) {
        cardset hand = r->hand[seat];
        at = g->forced_own_month ? plays(bmi2, hand, r->field, false, false, at)
                                 : knob_plays(bmi2, &g->rules, hand, r->field, at);
    } else if (r->phase == PHASE_DRAW) {
        at = ways(&g->rules, MOVE_CHOOSE, r->field, r->drawn, at);
    } else {
        put(at++, MOVE_KOIKOI, CARD_NONE, 0);
        put(at++, MOVE_STOP, CARD_NONE, 0);
    }
    return (int)(at - ret);
}

BITS_BMI2 static int legal_bmi2(const struct ruleset *g, const struct round *r, int seat,
                                struct move *ret)
{
    return legal(true, g, r, seat, ret);
}

BITS_APART int legal_plainly(const struct ruleset *g, const struct round *r, int seat,
                             struct move *ret)
{
    return legal(false, g, r, seat, ret);
}

int round_legal(const struct ruleset *g, const struct round *r, int seat,
                struct move ret[static MAX_MOVES])
{
    return g->bmi2 ? legal_bmi2(g, r, seat, ret) : legal_plainly(g, r, seat, ret);
}
