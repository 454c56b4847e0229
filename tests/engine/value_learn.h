/* A value net while it is learned: float weights, what it holds a table worth, gradient steps; what
 * a result is worth in a match; and the file that the engine is built with.
 *
 *     value_learn_begin(g, &chance, &l)                      small random weights
 *     value_learn_from(net, &l)                              or those of a net
 *     value_learned_features(g, &table, feature)             cards that are alike count as one
 *     value_sums_of(&l.weights, shared, &sums)
 *     value_worth_of(&l.weights, &sums, stack, shared, feature)     of tables that differ little
 *     value_learn(&l, feature, stack, target, rate, keep_hidden)
 *     value_print(rules, &weights, ...)
 *
 * Steps are gradient steps with a size of their own for each row (RMSprop, by row), which pull a row
 * towards 0, and for each hidden and second unit. All loops add in a fixed order, so that every
 * machine gets the same numbers.
 */
#ifndef KOIKOI_TESTS_VALUE_LEARN_H
#define KOIKOI_TESTS_VALUE_LEARN_H

#include "equity.h"
#include "rng.h"
#include "table_value.h"

/* A second layer and the output. */
struct value_stack {
    float second[VALUE_HIDDEN][VALUE_SECOND];
    float across[VALUE_SECOND][VALUE_HIDDEN]; /* the same, by the second unit */
    float bias[VALUE_SECOND], out[VALUE_SECOND];
};

/* hidden[0] is no hidden unit: it goes straight to the result. */
struct value_weights {
    struct value_stack stack[VALUE_STACKS];
    float row[N_VALUE_FEATURES][VALUE_HIDDEN];
};

/* Mean squares of the slopes, by which steps are scaled. */
struct value_learned {
    struct value_weights weights;
    float of_row[N_VALUE_FEATURES];
    struct value_stack_squares {
        float hidden[VALUE_HIDDEN], second[VALUE_SECOND]; /* of the second layer, by unit */
        float bias[VALUE_SECOND], out[VALUE_SECOND];
    } of_stack[VALUE_STACKS];
};

struct value_sums {
    float hidden[VALUE_HIDDEN];
};

void value_learn_begin(const struct ruleset *g, struct rng *chance, struct value_learned *ret);
/* After value_learn_begin(): goes on from the weights of a net, in place of random ones. */
void value_learn_from(const struct value_net *net, struct value_learned *l);
void value_learned_features(const struct ruleset *g, const struct value_table *t,
                            uint16_t ret[static VALUE_ACTIVE]);
void value_sums_of(const struct value_weights *w, const uint16_t *feature, struct value_sums *ret);
float value_worth_of(const struct value_weights *w, const struct value_sums *shared_sums, int stack,
                     const uint16_t *shared, const uint16_t *feature);
/* keep_hidden: rows keep their hidden numbers; only direct, second layer and output learn. */
void value_learn(struct value_learned *l, const uint16_t *feature, int stack, float target,
                 float rate, bool keep_hidden);

/* Where a round stands in its match: rounds to come after it, VALUE_ROUNDS or more for a round that
 * is played for points; the lead of seat 0, at most VALUE_MOST_LEAD. */
enum { VALUE_MOST_LEAD = 60 };
struct value_terms {
    int rounds, lead, dealer;
};

/* Worth of a round's result to a seat, which wins so many points, negative if it loses them. */
float value_of_result(const struct value_terms *terms, int seat, int points);

/* The feature that stands for all that count as the same. After value_learn_begin(). */
int value_alike(int feature);
/* The first number of a row that was never learned is still 0. */
bool value_is_learned(const struct value_weights *w, int feature);

/* Fixed-point numbers of rows straight to the result, by row; of the rows of another net, or if NULL
 * of those learned here. Returns how many. */
int value_direct_numbers(const struct value_weights *w, const struct value_rows *rows_of,
                         int16_t ret[static N_VALUE_FEATURES + 1]);

/* Tells whether these are the rows that a net was learned with. */
uint64_t value_rows_fingerprint(const struct value_rows *rows);

/* Writes nets/PRESET.net to standard output. rows_of: the rows that it shares, or NULL. Returns false
 * if it could not. */
bool value_print(const struct rules *r, const struct value_weights *w, long rounds, int seed,
                 double won, const struct value_rows *rows_of);

#endif
