/* Engine-private: what a table is worth to the seat that has just moved, learned from self-play:
 * the points of the round that it can expect, won less lost, or what stands for them in its match.
 *
 * A net of two hidden layers over the features of value_features.h, for rounds of two. The first
 * layer is a sum of rows, one for each feature, so that moves of one position share most of it; all
 * numbers are fixed-point, so that every machine gives the same result. Temporal differences:
 * Tesauro, TD-Gammon (1994); a net whose first layer is updated: Nasu, NNUE (2018). The numbers are
 * in nets/PRESET.net, made by `make nets` (tests/bench/train/train_value.c): a struct value_file and,
 * unless the rows are another net's, a struct value_rows, as they are in memory, little-endian.
 *
 *     net = value_net_for(net_rules_hash(&rules))        NULL if none was learned from these rules
 *     context[seat] = value_context(rounds to come, lead of the seat)
 *     struct value_voids voids = {0}                     at the deal, or value_voids_of()
 *     i = value_pick(net, g, &round, &voids, context[round.turn], moves, n, &worth)
 *     value_see(&voids, &round, moves[i])                before each move that is made
 */
#ifndef KOIKOI_TABLE_VALUE_H
#define KOIKOI_TABLE_VALUE_H

#include "value_features.h"

enum {
    VALUE_HIDDEN = 128,
    VALUE_SECOND = 16,
    VALUE_STACKS = 8, /* second layers, by the own cards left */
    /* fixed-point 1 of the numbers */
    VALUE_ROW_UNIT = 256,
    VALUE_HIDDEN_UNIT = 64, /* of a sum of rows, as the second layer gets it */
    VALUE_SECOND_UNIT = 64,
    VALUE_OUT_UNIT = 4096,
    VALUE_DIRECT_UNIT = 256,
    /* the greatest numbers, so that no sum overflows */
    VALUE_MOST_ROW = INT16_MAX / VALUE_ACTIVE,
    VALUE_MOST_SECOND = 2000,
};

struct value_layers {
    int16_t second[VALUE_SECOND][VALUE_HIDDEN];
    int32_t bias[VALUE_SECOND]; /* unit VALUE_HIDDEN_UNIT * VALUE_SECOND_UNIT */
    int16_t out[VALUE_SECOND];
};

struct value_row {
    _Alignas(64) int16_t hidden[VALUE_HIDDEN]; /* the first is unused */
};

/* The first part of a file. */
struct value_file {
    char about[240];       /* how it was made, for a reader */
    uint64_t learned_from; /* the rule set's net_rules_hash() */
    uint64_t shared_rows;  /* fingerprint of the rows, if they are another net's; 0: its own */
    struct value_layers stack[VALUE_STACKS];
    _Alignas(64) int16_t direct[N_VALUE_FEATURES + 1]; /* by row: straight to the result */
};

/* The second part. Row 0 is zero: features too rare to be learned. */
struct value_rows {
    _Alignas(64) uint16_t row_of[N_VALUE_FEATURES]; /* by feature */
    struct value_row row[];
};

/* Turns numbers of `size` bytes between the order of this machine and that of the files. */
static inline void value_turn(void *numbers, size_t bytes, size_t size)
{
    unsigned char *at = numbers;
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        return;
    for (size_t i = 0; i < bytes; i++)
        if (i % size < size / 2) {
            unsigned char *other = &at[i + size - 1 - 2 * (i % size)], byte = at[i];
            at[i] = *other;
            *other = byte;
        }
}

static inline void value_turn_file(struct value_file *file)
{
    value_turn(&file->learned_from, sizeof file->learned_from, sizeof file->learned_from);
    value_turn(&file->shared_rows, sizeof file->shared_rows, sizeof file->shared_rows);
    for (int i = 0; i < VALUE_STACKS; i++) {
        struct value_layers *s = &file->stack[i];
        value_turn(s->second, sizeof s->second, sizeof s->second[0][0]);
        value_turn(s->bias, sizeof s->bias, sizeof s->bias[0]);
        value_turn(s->out, sizeof s->out, sizeof s->out[0]);
    }
    value_turn(file->direct, sizeof file->direct, sizeof file->direct[0]);
}

struct value_net {
    const struct value_file *file;
    const struct value_rows *rows;
};

/* Which stack a table belongs to. */
static inline int value_stack_of(const struct value_table *t)
{
    return at_most(t->left, VALUE_STACKS - 1);
}

const struct value_net *value_net_for(uint64_t rules);

/* The net for a match of two, and value_context() of each seat; without a net: NULL. */
struct match_value {
    const struct value_net *net;
    int context[2];
};

/* What the net counts: points, or in a match with few rounds to come (value_context()) the chance
 * to win it, less that of a round without a winner, in units of stakes_unit(). Within these
 * bounds. */
enum { VALUE_MOST_POINTS = 40, VALUE_MOST_STAKES = 60 };

/* A chance to win the match, less that of a round without a winner, as the net counts it. */
static inline float value_of_chance(float more, double unit)
{
    double worth = (double)more / unit;
    return (float)(worth < -VALUE_MOST_STAKES  ? -VALUE_MOST_STAKES
                   : worth > VALUE_MOST_STAKES ? VALUE_MOST_STAKES
                                               : worth);
}

/* What the table is worth to the seat to move, of two, after its play, choice or call. */
float value_after(const struct value_net *net, const struct ruleset *g, const struct round *r,
                  const struct value_voids *voids, int context, struct move move);

/* The best of n plays or choices, n at least 1, for the seat to move in a round of two: an index.
 * *ret_worth: what the table is worth after it. */
int value_pick(const struct value_net *net, const struct ruleset *g, const struct round *r,
               const struct value_voids *voids, int context, const struct move *moves, int n,
               float *ret_worth);
/* Writes what the table is worth after each of n plays or choices, n at least 1. */
void value_of_each(const struct value_net *net, const struct ruleset *g, const struct round *r,
                   const struct value_voids *voids, int context, const struct move *moves, int n,
                   float *ret);

#endif
