/* Engine-private: a table of two right after a move, as the seat that moved sees it, in binary
 * features. One feature of each group is set:
 *
 *     months     where each of its four cards lies; if the other seat seems to hold none of them
 *     brights    which seat has each bright and the sake cup, or none; where they can be had
 *     trios      the same of three cards, with the animals or ribbons of each seat
 *     viewings   where both cards can be had
 *     kinds      animals, ribbons and plains of both seats; with how many more lie at hand
 *     calls      koi-koi of both seats, the own cards left, the dealer; worth of the piles now and
 *                at their last calls
 *     match      rounds to come and the lead, where they matter
 *
 *     value_features(g, &table, feature)      an index into the rows of a net for each group
 */
#ifndef KOIKOI_VALUE_FEATURES_H
#define KOIKOI_VALUE_FEATURES_H

#include "capture.h"
#include "pile.h"

/* Where features begin, by group. */
enum {
    VALUE_MONTHS = 0,
    MONTH_TABLES = 625,                /* five places for each of four cards */
    MONTH_FEATURES = 2 * MONTH_TABLES, /* the other seat void in the month or not */
    VALUE_BRIGHTS = VALUE_MONTHS + N_MONTHS * MONTH_FEATURES,
    VALUE_TRIOS =
        VALUE_BRIGHTS + 729, /* three trios, by the kind's count of the own seat, the other */
    TRIO_COUNTS = 64 * 8,
    VALUE_PLAINS = VALUE_TRIOS + 6 * TRIO_COUNTS,
    VALUE_ANIMALS = VALUE_PLAINS + 13 * 13,
    VALUE_RIBBONS = VALUE_ANIMALS + 8 * 8,
    VALUE_CALLS = VALUE_RIBBONS + 8 * 8,
    VALUE_BASES = VALUE_CALLS + 3 * 3 * 3 * 9 * 2,
    VALUE_OTHER_BASES = VALUE_BASES + 16 * 16,
    VALUE_REACH = VALUE_OTHER_BASES + 16 * 16, /* three trios */
    VALUE_VIEWINGS = VALUE_REACH + 3 * 512,
    VALUE_REACHED_BRIGHTS = VALUE_VIEWINGS + 2 * 64,
    VALUE_AT_HAND = VALUE_REACHED_BRIGHTS + 1024,
    VALUE_OPEN = VALUE_AT_HAND + 32 + 32 + 65,
    VALUE_CONTEXT = VALUE_OPEN + 32 + 32 + 65,
    VALUE_LEADS = 21,
    VALUE_ROUNDS = 6, /* rounds to come that matter: fewer than these */
    N_VALUE_FEATURES = VALUE_CONTEXT + VALUE_ROUNDS * VALUE_LEADS + 1,
    VALUE_GROUPS = 26, /* beside the months */
    VALUE_ACTIVE = N_MONTHS + VALUE_GROUPS
};

/* Void months by seat: whole months of which it seems to hold no card, as it laid a card down while
 * they lay on the field. Hands never grow, so a set only grows until the round ends; empty at the
 * deal. A seat may have declined a capture: its void month is kept all the same. */
struct value_voids {
    cardset of[MAX_PLAYERS];
};

HOT_INLINE cardset whole_months(cardset s)
{
    return ((s | s >> 1 | s >> 2 | s >> 3) & EACH_MONTH) * 15;
}

/* Adds what a move tells that the seat to move is about to make in r. */
HOT_INLINE void value_see(struct value_voids *v, const struct round *r, struct move m)
{
    if (m.kind == MOVE_PLAY && m.take == 0)
        v->of[r->turn] |= whole_months(r->field);
}

/* The void months after the first n moves seen; field: as it was then. */
struct value_voids value_voids_of(const struct seen *seen, int n, cardset field);

enum value_moment { AFTER_A_PLAY, AFTER_A_CHOICE, AFTER_A_CALL };
struct value_table {
    cardset hand, field, own, other; /* the last two: piles */
    cardset other_void;              /* void months of the other seat */
    int after, left;                 /* enum value_moment; own cards in hand after the move */
    int calls, other_calls, base, other_base; /* calls, and the worth of the piles at the last */
    bool dealer;
    int context; /* value_context() */
};

/* The match around a round: rounds to come after it and the points that the seat leads by. 0: it
 * plays for points. */
int value_context(int rounds, int lead);

/* The table of the seat to move, of two, before the move of that moment. */
static inline struct value_table value_table_of(const struct round *r, enum value_moment moment,
                                                const struct value_voids *voids)
{
    int me = r->turn, other = 1 - me;
    return (struct value_table){.hand = r->hand[me],
                                .field = r->field,
                                .own = r->taken[me],
                                .other = r->taken[other],
                                .other_void = voids->of[other],
                                .after = (int)moment,
                                .left = set_count(r->hand[me]) - (moment == AFTER_A_PLAY),
                                .calls = r->koikoi[me],
                                .other_calls = r->koikoi[other],
                                .base = r->last_decision[me].base,
                                .other_base = r->last_decision[other].base,
                                .dealer = r->dealer == me};
}

/* By an enum move_kind: a play, a choice or a call. */
static inline enum value_moment value_moment_of(int move_kind)
{
    return move_kind == MOVE_PLAY     ? AFTER_A_PLAY
           : move_kind == MOVE_CHOOSE ? AFTER_A_CHOICE
                                      : AFTER_A_CALL;
}

/* The table after a play or a choice. */
HOT_INLINE void value_lay(struct value_table *t, struct move m)
{
    t->hand &= ~CARD(m.card);
    t->field ^= take_moves(CARD(m.card), m.take);
    t->own |= take_wins(CARD(m.card), m.take);
}

/* The table after a call of koi-koi. */
HOT_INLINE void value_call(const struct ruleset *g, struct value_table *t)
{
    t->base = pile_base(g, t->own, t->calls > 0);
    t->calls++;
}

/* The table after any of them. */
HOT_INLINE void value_make(const struct ruleset *g, struct value_table *t, struct move m)
{
    if (m.kind == MOVE_KOIKOI)
        value_call(g, t);
    else
        value_lay(t, m);
}

/* Writes the features of a table, a group each in a fixed order. */
void value_features(const struct ruleset *g, const struct value_table *t,
                    uint16_t ret[static VALUE_ACTIVE]);

#endif
