/* See value_learn.h. */
#include "value_learn.h"
#include "nets.h"

#include <math.h>
#include <string.h>

enum { HIDDEN = VALUE_HIDDEN, SECOND = VALUE_SECOND };
static const float second_share = 0.3f; /* of the rate, for all but the rows */
static const float decay = 0.02f;

/* ---- Results --------------------------------------------------------------------------------- */

enum { MOST_POINTS = 60 };
/* By rounds to come, the lead of seat 0, the dealer and the points of seat 0. */
static float worth_in_match[VALUE_ROUNDS][2 * VALUE_MOST_LEAD + 1][2][2 * MOST_POINTS + 1];

static void fill_worths(const struct ruleset *g, int rounds, int lead, int dealer, float *ret)
{
    struct view v = {.rules = g->rules, .players = 2, .seat = 0, .dealer = (uint8_t)dealer};
    struct stakes s;
    v.rules.rounds = 12;
    v.round_no = (uint16_t)(12 - rounds);
    v.scores[0] = lead;
    stakes_make(&v, &s);
    double unit = stakes_unit(&v, &s);
    for (int p = -MOST_POINTS; p <= MOST_POINTS; p++) {
        float win = p == 0 ? s.no_winner : stakes_of(&s, p < 0, p < 0 ? -p : p);
        ret[p + MOST_POINTS] = value_of_chance(win - s.no_winner, unit);
    }
}

static int within(int x, int most)
{
    return x > most ? most : x < -most ? -most : x;
}

float value_of_result(const struct value_terms *terms, int seat, int points)
{
    int p = within(points, MOST_POINTS);
    if (terms->rounds >= VALUE_ROUNDS)
        return (float)within(p, VALUE_MOST_POINTS);
    float worth = worth_in_match[terms->rounds][terms->lead + VALUE_MOST_LEAD][terms->dealer]
                                [(seat == 0 ? p : -p) + MOST_POINTS];
    return seat == 0 ? worth : -worth;
}

/* ---- Features -------------------------------------------------------------------------------- */

/* Places of the cards of a month, so that cards which are alike may change places. */
static uint16_t alike[N_MONTHS * MONTH_FEATURES];

static void fill_alike(void)
{
    enum { NOVEMBER = 10, DECEMBER = 11 };
    for (int m = 0; m < N_MONTHS; m++)
        for (int f = 0; f < MONTH_FEATURES; f++) {
            int table = f % MONTH_TABLES, from = m * MONTH_FEATURES + f - table;
            int place[4] = {table % 5, table / 5 % 5, table / 25 % 5, table / 125};
            int first = m == DECEMBER ? 1 : m == NOVEMBER ? 4 : 2;
            for (int i = first; i < 4; i++)
                for (int j = i + 1; j < 4; j++)
                    if (place[j] < place[i]) {
                        int t = place[i];
                        place[i] = place[j];
                        place[j] = t;
                    }
            alike[from + table] =
                (uint16_t)(from + place[0] + 5 * place[1] + 25 * place[2] + 125 * place[3]);
        }
}

int value_alike(int feature)
{
    return feature < N_MONTHS * MONTH_FEATURES ? alike[feature] : feature;
}

void value_learned_features(const struct ruleset *g, const struct value_table *t,
                            uint16_t ret[static VALUE_ACTIVE])
{
    value_features(g, t, ret);
    for (int m = 0; m < N_MONTHS; m++)
        ret[m] = alike[ret[m]];
}

/* ---- Worth ----------------------------------------------------------------------------------- */

/* Sixteen numbers at a time: compilers make poor vectors of these loops by themselves. */
enum { LANES = 16, N_LANES = (int)HIDDEN / (int)LANES };
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
_Static_assert((int)SECOND == (int)LANES, "the second layer is one vector");

HOT_INLINE void add_row(const struct value_weights *w, int feature, lanes *sums)
{
    const lanes *row = (const lanes *)w->row[feature];
    for (int v = 0; v < N_LANES; v++)
        sums[v] += row[v];
}

HOT_WIDE_CLONES void value_sums_of(const struct value_weights *w, const uint16_t *feature,
                                   struct value_sums *ret)
{
    lanes sums[N_LANES] = {{0}};
    for (int i = 0; i < VALUE_ACTIVE; i++)
        add_row(w, feature[i], sums);
    memcpy(ret->hidden, sums, sizeof sums);
}

HOT_INLINE void positive(const lanes *x, lanes *ret)
{
    typedef int32_t bits __attribute__((vector_size(4 * LANES)));
    const lanes nothing = {0};
    *ret = (lanes)((bits)*x & (bits)(*x > nothing));
}

HOT_INLINE float total(const lanes *x)
{
    float part[LANES];
    memcpy(part, x, sizeof part);
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int i = 0; i < width; i++)
            part[i] += part[i + width];
    return part[0];
}

/* Both layers from the sums of rows; *ret_on: the hidden units, *ret_second: those of the second
 * layer. */
HOT_INLINE float layers(const struct value_stack *s, const lanes *sums, float *ret_on,
                        lanes *ret_second)
{
    lanes part[4] = {{0}};
    for (int v = 0; v < N_LANES; v++) {
        lanes on;
        positive(&sums[v], &on);
        memcpy(ret_on + v * LANES, &on, sizeof on);
    }
    ret_on[0] = 0;
    for (int k = 0; k < HIDDEN; k += 4)
        for (int i = 0; i < 4; i++)
            part[i] += ret_on[k + i] * *(const lanes *)s->second[k + i];
    lanes sum = (part[0] + part[1]) + (part[2] + part[3]) + *(const lanes *)s->bias;
    positive(&sum, ret_second);
    lanes out = *ret_second * *(const lanes *)s->out;
    return sums[0][0] + total(&out);
}

HOT_WIDE_CLONES float value_worth_of(const struct value_weights *w,
                                     const struct value_sums *shared_sums, int stack,
                                     const uint16_t *shared, const uint16_t *feature)
{
    lanes sums[N_LANES], second;
    float on[HIDDEN];
    memcpy(sums, shared_sums->hidden, sizeof sums);
    for (int i = 0; i < VALUE_ACTIVE; i++) {
        if (feature[i] == shared[i])
            continue;
        const lanes *now = (const lanes *)w->row[feature[i]],
                    *then = (const lanes *)w->row[shared[i]];
        for (int v = 0; v < N_LANES; v++)
            sums[v] += now[v] - then[v];
    }
    return layers(&w->stack[stack], sums, on, &second);
}

bool value_is_learned(const struct value_weights *w, int feature)
{
    return w->row[feature][0] != 0;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static const float small = 1e-3f;

/* One gradient step of SECOND numbers, each with a size of its own. */
HOT_INLINE void step_of(float *x, float *square, const lanes *slope, float rate)
{
    float s[SECOND];
    memcpy(s, slope, sizeof s);
    for (int i = 0; i < SECOND; i++) {
        square[i] += 0.001f * (s[i] * s[i] - square[i]);
        x[i] -= rate * s[i] / (sqrtf(square[i]) + small);
    }
}

/* A step of the second layer. The size of each of its numbers follows from mean squares by hidden
 * unit and by second unit (Shazeer and Stern: Adafactor, 2018). */
HOT_INLINE void step_second(struct value_stack *s, struct value_stack_squares *of, const float *on,
                            const lanes *slope, float rate)
{
    const float part = 0.002f;
    lanes squares = *slope * *slope, ons = {0}, by_second, *of_second = (lanes *)of->second;
    float by_hidden[HIDDEN];
    float mean = total(&squares) / SECOND;
    for (int v = 0; v < N_LANES; v++) {
        lanes x = *(const lanes *)(on + v * LANES);
        ons += x * x;
        lanes *square = (lanes *)(of->hidden + v * LANES);
        *square += part * (x * x * mean - *square);
    }
    *of_second += part * (squares * (total(&ons) / HIDDEN) - *of_second);
    float scale = 1 / (sqrtf(total(of_second) / SECOND) + small);
    for (int j = 0; j < SECOND; j++)
        by_second[j] = (*slope)[j] * rate / (sqrtf(of->second[j]) * scale + small);
    for (int k = 0; k < HIDDEN; k++)
        by_hidden[k] = on[k] / (sqrtf(of->hidden[k]) + small);
    for (int k = 0; k < HIDDEN; k++)
        *(lanes *)s->second[k] -= by_hidden[k] * by_second;
    for (int j = 0; j < SECOND; j++)
        for (int v = 0; v < N_LANES; v++)
            *(lanes *)(s->across[j] + v * LANES) -=
                by_second[j] * *(const lanes *)(by_hidden + v * LANES);
}

HOT_WIDE_CLONES void value_learn(struct value_learned *l, const uint16_t *feature, int stack,
                                 float target, float rate, bool keep_hidden)
{
    struct value_weights *w = &l->weights;
    struct value_stack *s = &w->stack[stack];
    struct value_stack_squares *of = &l->of_stack[stack];
    lanes sums[N_LANES] = {{0}}, slope[N_LANES] = {{0}}, second, squares = {0};
    float on[HIDDEN];
    for (int i = 0; i < VALUE_ACTIVE; i++)
        add_row(w, feature[i], sums);
    float error = layers(s, sums, on, &second) - target;
    lanes of_out = second * error, of_second = *(const lanes *)s->out * error;
    for (int j = 0; j < SECOND; j++)
        of_second[j] = second[j] > 0 ? of_second[j] : 0;
    for (int j = 0; j < SECOND; j++)
        for (int v = 0; v < N_LANES; v++)
            slope[v] += of_second[j] * *(const lanes *)(s->across[j] + v * LANES);
    for (int v = 0; v < N_LANES; v++) {
        float x[LANES];
        memcpy(x, &slope[v], sizeof x);
        for (int i = 0; i < LANES; i++)
            x[i] = on[v * LANES + i] > 0 ? x[i] : 0;
        if (v == 0)
            x[0] = error;
        memcpy(&slope[v], x, sizeof x);
        squares += slope[v] * slope[v];
    }
    step_of(s->out, of->out, &of_out, second_share * rate);
    step_of(s->bias, of->bias, &of_second, second_share * rate);
    step_second(s, of, on, &of_second, second_share * rate);
    float square = keep_hidden ? error * error : total(&squares) / HIDDEN;
    for (int i = 0; i < VALUE_ACTIVE; i++) {
        lanes *row = (lanes *)w->row[feature[i]];
        if (keep_hidden && !value_is_learned(w, feature[i]))
            continue;
        float *of_row = &l->of_row[feature[i]];
        *of_row += 0.002f * (square - *of_row);
        float size = rate / (sqrtf(*of_row) + small);
        if (keep_hidden)
            w->row[feature[i]][0] -= size * error + rate * decay * w->row[feature[i]][0];
        for (int v = 0; v < N_LANES && !keep_hidden; v++)
            row[v] -= size * slope[v] + rate * decay * row[v];
    }
}

void value_learn_begin(const struct ruleset *g, struct rng *chance, struct value_learned *ret)
{
    struct value_weights *w = &ret->weights;
    fill_alike();
    for (int rounds = 0; rounds < VALUE_ROUNDS; rounds++)
        for (int lead = -VALUE_MOST_LEAD; lead <= VALUE_MOST_LEAD; lead++)
            for (int dealer = 0; dealer < 2; dealer++)
                fill_worths(g, rounds, lead, dealer,
                            worth_in_match[rounds][lead + VALUE_MOST_LEAD][dealer]);
    for (int i = 0; i < N_VALUE_FEATURES; i++) {
        for (int k = 0; k < HIDDEN; k++)
            w->row[i][k] = (rng_fraction(chance) - 0.5f) * 0.1f;
        w->row[i][0] = 0;
        ret->of_row[i] = 1;
    }
    struct value_stack first;
    for (int k = 0; k < HIDDEN; k++)
        for (int j = 0; j < SECOND; j++)
            first.second[k][j] = first.across[j][k] = (rng_fraction(chance) - 0.5f) * 0.5f;
    for (int j = 0; j < SECOND; j++) {
        first.bias[j] = 0.1f;
        first.out[j] = rng_fraction(chance) - 0.5f;
    }
    for (int i = 0; i < VALUE_STACKS; i++) {
        struct value_stack_squares *of = &ret->of_stack[i];
        w->stack[i] = first;
        for (int k = 0; k < HIDDEN; k++)
            of->hidden[k] = 5;
        for (int j = 0; j < SECOND; j++) {
            of->second[j] = 5;
            of->bias[j] = of->out[j] = 20;
        }
    }
}

void value_learn_from(const struct value_net *net, struct value_learned *l)
{
    struct value_weights *w = &l->weights;
    for (int i = 0; i < N_VALUE_FEATURES; i++) {
        int row = value_alike(i) == i ? net->rows->row_of[i] : 0;
        for (int k = 0; k < HIDDEN; k++)
            w->row[i][k] = (float)net->rows->row[row].hidden[k] / VALUE_ROW_UNIT;
        w->row[i][0] = row == 0 ? 0 : (float)net->file->direct[row] / VALUE_DIRECT_UNIT;
        if (row != 0 && !value_is_learned(w, i))
            w->row[i][0] = 1e-6f;
    }
    for (int i = 0; i < VALUE_STACKS; i++) {
        const struct value_layers *from = &net->file->stack[i];
        struct value_stack *s = &w->stack[i];
        for (int j = 0; j < SECOND; j++) {
            for (int k = 0; k < HIDDEN; k++)
                s->second[k][j] = s->across[j][k] = (float)from->second[j][k] / VALUE_SECOND_UNIT;
            s->bias[j] = (float)from->bias[j] / (VALUE_HIDDEN_UNIT * VALUE_SECOND_UNIT);
            s->out[j] = (float)from->out[j] / VALUE_OUT_UNIT;
        }
    }
}
