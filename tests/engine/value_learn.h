/* A value net while it is learned: float weights, what it holds a table worth, gradient steps; what
 * a result is worth in a match; and the file that the engine is built with.
 *
 *     value_learn_begin(g, &chance, &l)                      small random weights
 *     value_learned_features(g, &table, feature)             cards that are alike count as one
 *     value_sums_of(&l.weights, shared, &sums)
 *     value_worth_of(&l.weights, &sums, shared, feature)     of tables that differ little
 *     value_learn(&l, feature, target, rate, both)
 *     value_print(rules, &weights, ...)
 *
 * Steps are gradient steps with a size of their own for each row (RMSprop, by row), and pull a row
 * towards 0. All loops add in a fixed order, so that every machine gets the same numbers.
 */
#ifndef KOIKOI_TESTS_VALUE_LEARN_H
#define KOIKOI_TESTS_VALUE_LEARN_H

#include "equity.h"
#include "rng.h"
#include "table_value.h"

/* hidden[0] is no hidden unit: it goes straight to the result. */
struct value_weights {
    float second[VALUE_HIDDEN][VALUE_SECOND];
    float across[VALUE_SECOND][VALUE_HIDDEN]; /* the same, by the second unit */
    float bias[VALUE_SECOND], out[VALUE_SECOND];
    float row[N_VALUE_FEATURES][VALUE_HIDDEN];
};

/* Mean squares of the slopes, by which steps are scaled. */
struct value_learned {
    struct value_weights weights;
    float of_row[N_VALUE_FEATURES];
    float of_second[VALUE_HIDDEN][VALUE_SECOND], of_bias[VALUE_SECOND], of_out[VALUE_SECOND];
};

struct value_sums {
    float hidden[VALUE_HIDDEN];
};

void value_learn_begin(const struct ruleset *g, struct rng *chance, struct value_learned *ret);
void value_learned_features(const struct ruleset *g, const struct value_table *t,
                            uint16_t ret[static VALUE_ACTIVE]);
void value_sums_of(const struct value_weights *w, const uint16_t *feature, struct value_sums *ret);
float value_worth_of(const struct value_weights *w, const struct value_sums *shared_sums,
                     const uint16_t *shared, const uint16_t *feature);
/* both: the second layer, too. */
void value_learn(struct value_learned *l, const uint16_t *feature, float target, float rate,
                 bool both);

/* Where a round stands in its match: rounds to come after it, VALUE_ROUNDS or more for a round that
 * is played for points; the lead of seat 0, at most VALUE_MOST_LEAD. */
enum { VALUE_MOST_LEAD = 60 };
struct value_terms {
    int rounds, lead, dealer;
};

/* Worth of a round's result to a seat, which wins so many points, negative if it loses them. */
float value_of_result(const struct value_terms *terms, int seat, int points);

/* Writes nets/PRESET.inc to standard output. */
void value_print(const struct rules *r, const struct value_weights *w, long rounds, int seed,
                 double won);

#endif
