/* Legal moves: the ways to play a card, and the moves of a seat.
 *
 * Captures are bit sets (capture.h). Three loops list plays, to keep the usual case short: cards
 * that capture their own month only; the same with a wild Lightning on the field; any card, capture
 * by capture.
 */
#include "capture.h"

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

/* Writes a move as two whole words: a wide read after small writes would stall. */
HOT_INLINE void put(struct move *at, enum move_kind kind, int card, cardset take)
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

/* Plays of cards that capture their own month, and Lightning too if `wild`. Each candidate is
 * written, and kept if legal: cheaper than a branch. */
HOT_INLINE struct move *plays(cardset hand, cardset field, bool wild, bool optional,
                              struct move *at)
{
    for (; hand != 0; hand = set_rest(hand)) {
        int card = set_first(hand);
        cardset same = field & card_month_set(card), second = set_rest(same);
        bool two = take_is_choice(same);
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

/* Every way to play one card. */
static struct move *ways(const struct rules *r, enum move_kind kind, cardset field, int card,
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

/* True with a wild Lightning in the hand or on the field. */
HOT_INLINE struct move *wild_plays(const struct rules *r, cardset hand, cardset field,
                                   bool optional, struct move *at)
{
    const cardset below = CARD(RAINMAN) - 1, november = month_set(card_month(LIGHTNING));
    bool lies = (field & CARD(LIGHTNING)) != 0;
    if (lies) {
        at = plays(hand & below, field, true, optional, at);
        at = plays(hand & november, field, false, optional, at);
    } else {
        at = plays(hand & (below | november) & ~CARD(LIGHTNING), field, false, optional, at);
        if ((hand & CARD(LIGHTNING)) != 0)
            at = ways(r, MOVE_PLAY, field, LIGHTNING, at);
    }
    for (hand &= ~(below | november); hand != 0; hand = set_rest(hand))
        at = ways(r, MOVE_PLAY, field, set_first(hand), at);
    return at;
}

/* True if more is possible than a mandatory capture of a card's own month. */
HOT_INLINE struct move *option_plays(const struct rules *r, cardset hand, cardset field,
                                     struct move *at)
{
    bool optional = r->capture == CAPTURE_OPTIONAL;
    if (r->wild_lightning && ((hand | field) & CARD(LIGHTNING)) != 0)
        return optional ? wild_plays(r, hand, field, true, at)
                        : wild_plays(r, hand, field, false, at);
    return optional ? plays(hand, field, false, true, at) : plays(hand, field, false, false, at);
}

/* Before its first card a seat may have further moves. */
static struct move *first_moves(const struct ruleset *g, const struct round *r, int seat,
                                struct move *at)
{
    if (round_may_declare(g, r, seat))
        put(at++, MOVE_DECLARE, CARD_NONE, 0);
    if (r->may_redeal[seat])
        put(at++, MOVE_REDEAL, CARD_NONE, 0);
    return at;
}

HOT_CLONES int round_legal(const struct ruleset *g, const struct round *r, int seat,
                           struct move ret[static MAX_MOVES])
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
        at = g->forced_own_month ? plays(hand, r->field, false, false, at)
                                 : option_plays(&g->rules, hand, r->field, at);
    } else if (r->phase == PHASE_DRAW) {
        at = ways(&g->rules, MOVE_CHOOSE, r->field, r->drawn, at);
    } else {
        put(at, MOVE_KOIKOI, CARD_NONE, 0);
        at += round_may_call(&g->rules, r);
        put(at++, MOVE_STOP, CARD_NONE, 0);
    }
    return (int)(at - ret);
}
