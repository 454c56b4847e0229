/* See value_learn.h. */
#include "value_learn.h"
#include "hot.h"
#include "nets.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HIDDEN = VALUE_HIDDEN, SECOND = VALUE_SECOND };
static const float second_share = 0.3f; /* of the rate, for all but the rows */
static const float decay = 0.02f;

/* ---- Results --------------------------------------------------------------------------------- */

enum { MOST_POINTS = 60, MOST_PLAIN = 40 };
/* By rounds to come, the lead of seat 0, the dealer and the points of seat 0. */
static float worth_in_match[VALUE_ROUNDS][2 * VALUE_MOST_LEAD + 1][2][2 * MOST_POINTS + 1];

/* Spread of what results of a round are worth, over that of their points. */
static double unit_of(const struct equity_rounds *e, const struct stakes *s, int dealer)
{
    double n = 0, x = 0, xx = 0, p = 0, pp = 0;

    for (int w = 0; w < 2; w++)
        for (int k = 0; k < EQUITY_POINTS; k++) {
            double count = w == dealer ? e->dealer[k] : e->other[k];
            double worth = (double)stakes_of(s, w, k), points = w ? -k : k;
            n += count, x += count * worth, xx += count * worth * worth;
            p += count * points, pp += count * points * points;
        }
    n += e->no_winner;
    x += (double)((float)e->no_winner * s->no_winner);
    xx += (double)((float)e->no_winner * s->no_winner * s->no_winner);
    x /= n, p /= n;
    return fmax(sqrt(xx / n - x * x) / sqrt(pp / n - p * p), 0.002);
}

static void fill_worths(const struct ruleset *g, int rounds, int lead, int dealer, float *ret)
{
    struct view v = {.rules = g->rules, .players = 2, .seat = 0, .dealer = (uint8_t)dealer};
    struct stakes s;

    v.rules.rounds = 12;
    v.round_no = (uint16_t)(12 - rounds);
    v.scores[0] = lead;
    stakes_make(&v, &s);
    double unit = unit_of(equity_nearest(&g->rules, 2), &s, dealer);
    for (int p = -MOST_POINTS; p <= MOST_POINTS; p++) {
        float win = p == 0 ? s.no_winner : stakes_of(&s, p < 0, p < 0 ? -p : p);
        ret[p + MOST_POINTS] =
            (float)fmin(fmax((double)(win - s.no_winner) / unit, -MOST_POINTS), MOST_POINTS);
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
        return (float)within(p, MOST_PLAIN);
    float worth = worth_in_match[terms->rounds][terms->lead + VALUE_MOST_LEAD][terms->dealer]
                                [(seat == 0 ? p : -p) + MOST_POINTS];
    return seat == 0 ? worth : -worth;
}

/* ---- Features -------------------------------------------------------------------------------- */

/* Places of the cards of a month, so that cards which are alike may change places. */
static uint16_t alike[N_MONTHS * MONTH_TABLES];

static void fill_alike(void)
{
    enum { NOVEMBER = 10, DECEMBER = 11 };

    for (int m = 0; m < N_MONTHS; m++)
        for (int table = 0; table < MONTH_TABLES; table++) {
            int place[4] = {table % 5, table / 5 % 5, table / 25 % 5, table / 125};
            int first = m == DECEMBER ? 1 : m == NOVEMBER ? 4 : 2;
            for (int i = first; i < 4; i++)
                for (int j = i + 1; j < 4; j++)
                    if (place[j] < place[i]) {
                        int t = place[i];
                        place[i] = place[j];
                        place[j] = t;
                    }
            alike[m * MONTH_TABLES + table] =
                (uint16_t)(m * MONTH_TABLES + place[0] + 5 * place[1] + 25 * place[2] +
                           125 * place[3]);
        }
}

void value_learned_features(const struct ruleset *g, const struct value_table *t,
                            uint16_t ret[static VALUE_ACTIVE])
{
    value_features(g, t, ret);
    for (int m = 0; m < N_MONTHS; m++)
        ret[m] = alike[ret[m]];
}

/* ---- Worth ----------------------------------------------------------------------------------- */

HOT_CLONES void value_sums_of(const struct value_weights *w, const uint16_t *feature,
                              struct value_sums *ret)
{
    memset(ret, 0, sizeof *ret);
    for (int i = 0; i < VALUE_ACTIVE; i++)
        for (int k = 0; k < HIDDEN; k++)
            ret->hidden[k] += w->row[feature[i]][k];
}

/* Both layers from the sums of rows; *ret_on: the hidden units, ret_second: those of the second
 * layer. */
HOT_INLINE float layers(const struct value_weights *w, const float *sums, float *ret_on,
                        float *ret_second)
{
    float parts[SECOND], sum = 0;

    for (int k = 0; k < HIDDEN; k++)
        ret_on[k] = sums[k] > 0 ? sums[k] : 0;
    ret_on[0] = 0;
    memcpy(ret_second, w->bias, sizeof w->bias);
    for (int k = 0; k < HIDDEN; k++)
        for (int j = 0; j < SECOND; j++)
            ret_second[j] += ret_on[k] * w->second[k][j];
    for (int j = 0; j < SECOND; j++) {
        ret_second[j] = ret_second[j] > 0 ? ret_second[j] : 0;
        parts[j] = ret_second[j] * w->out[j];
    }
    for (int j = 0; j < SECOND; j++)
        sum += parts[j];
    return sums[0] + sum;
}

HOT_CLONES float value_worth_of(const struct value_weights *w, const struct value_sums *shared_sums,
                                const uint16_t *shared, const uint16_t *feature)
{
    struct value_sums s = *shared_sums;
    float on[HIDDEN], second[SECOND];

    for (int i = 0; i < VALUE_ACTIVE; i++)
        if (feature[i] != shared[i])
            for (int k = 0; k < HIDDEN; k++) {
                s.hidden[k] -= w->row[shared[i]][k];
                s.hidden[k] += w->row[feature[i]][k];
            }
    return layers(w, s.hidden, on, second);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* One gradient step of n numbers, each with a size of its own; `share` of the square is new. */
HOT_INLINE void steps(float *x, float *square, const float *slope, int n, float rate, float part)
{
    for (int i = 0; i < n; i++) {
        square[i] += part * (slope[i] * slope[i] - square[i]);
        x[i] -= rate * slope[i] / (sqrtf(square[i]) + 1e-3f);
    }
}

static float mean_square(const float *x)
{
    enum { LANES = 16 };
    float sum = 0;

    for (int v = 0; v < HIDDEN; v += LANES) {
        float part = 0;
        for (int i = 0; i < LANES; i++)
            part += x[v + i] * x[v + i];
        sum += part;
    }
    return sum / HIDDEN;
}

HOT_CLONES void value_learn(struct value_learned *l, const uint16_t *feature, float target,
                            float rate, bool both)
{
    struct value_weights *w = &l->weights;
    float on[HIDDEN], second[SECOND], slope[HIDDEN] = {0}, slope_of_second[SECOND], of_out[SECOND];
    struct value_sums s;

    value_sums_of(w, feature, &s);
    float error = layers(w, s.hidden, on, second) - target;
    for (int j = 0; j < SECOND; j++) {
        slope_of_second[j] = second[j] > 0 ? w->out[j] * error : 0;
        of_out[j] = second[j] * error;
    }
    for (int j = 0; j < SECOND; j++)
        for (int k = 0; k < HIDDEN && slope_of_second[j] != 0; k++)
            slope[k] += slope_of_second[j] * w->across[j][k];
    for (int k = 0; k < HIDDEN; k++)
        slope[k] = s.hidden[k] > 0 ? slope[k] : 0;
    slope[0] = error;
    steps(w->out, l->of_out, of_out, SECOND, second_share * rate, 0.001f);
    steps(w->bias, l->of_bias, slope_of_second, SECOND, second_share * rate, 0.001f);
    for (int k = 0; k < HIDDEN && both; k++) {
        float of_weight[SECOND];
        if (on[k] == 0)
            continue;
        for (int j = 0; j < SECOND; j++)
            of_weight[j] = slope_of_second[j] * on[k];
        steps(w->second[k], l->of_second[k], of_weight, SECOND, second_share * rate, 0.002f);
        for (int j = 0; j < SECOND; j++)
            w->across[j][k] = w->second[k][j];
    }
    float square = mean_square(slope);
    for (int i = 0; i < VALUE_ACTIVE; i++) {
        float *row = w->row[feature[i]], *of_row = &l->of_row[feature[i]];
        *of_row += 0.002f * (square - *of_row);
        float size = rate / (sqrtf(*of_row) + 1e-3f);
        for (int k = 0; k < HIDDEN; k++)
            row[k] -= size * slope[k] + rate * decay * row[k];
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
    for (int k = 0; k < HIDDEN; k++)
        for (int j = 0; j < SECOND; j++) {
            w->second[k][j] = w->across[j][k] = (rng_fraction(chance) - 0.5f) * 0.5f;
            ret->of_second[k][j] = 5;
        }
    for (int j = 0; j < SECOND; j++) {
        w->bias[j] = 0.1f;
        w->out[j] = rng_fraction(chance) - 0.5f;
        ret->of_bias[j] = ret->of_out[j] = 20;
    }
}

/* ---- The file -------------------------------------------------------------------------------- */

static int whole(float x, int unit, int most)
{
    return (int)lrintf(fminf(fmaxf(x * (float)unit, (float)-most), (float)most));
}

/* The first number of a row that was never learned is still 0. */
static bool is_learned(const float *row)
{
    return row[0] != 0;
}

/* Numbers the learned rows from 1; the others are row 0. */
static void print_row_numbers(const struct value_weights *w)
{
    uint16_t row[N_VALUE_FEATURES];
    int n = 0;

    for (int i = 0; i < N_VALUE_FEATURES; i++)
        row[i] = is_learned(w->row[i]) ? (uint16_t)++n : 0;
    printf("static const uint16_t NAMED(row_of)[N_VALUE_FEATURES] = {\n");
    for (int i = 0; i < N_VALUE_FEATURES; i++)
        printf("%d%s", row[i < N_MONTHS * MONTH_TABLES ? alike[i] : i], i % 16 == 15 ? ",\n" : ",");
    printf("};\n");
}

static void print_rows(const struct value_weights *w)
{
    printf("static const int16_t NAMED(direct)[] = {\n0");
    for (int i = 0; i < N_VALUE_FEATURES; i++)
        if (is_learned(w->row[i]))
            printf(",\n%d", whole(w->row[i][0], VALUE_DIRECT_UNIT, INT16_MAX));
    printf("};\nstatic const struct value_row NAMED(row)[] = {\n{{0}},\n");
    for (int i = 0; i < N_VALUE_FEATURES; i++) {
        if (!is_learned(w->row[i]))
            continue;
        printf("{{0");
        for (int k = 1; k < HIDDEN; k++)
            printf(",%d", whole(w->row[i][k], VALUE_ROW_UNIT, VALUE_MOST_ROW));
        printf("}},\n");
    }
    printf("};\n");
}

static void print_list(const char *name, const float *x, int n, int unit, int most)
{
    printf(".%s = {%d", name, whole(x[0], unit, most));
    for (int i = 1; i < n; i++)
        printf(",%d", whole(x[i], unit, most));
    printf("},\n");
}

void value_print(const struct rules *r, const struct value_weights *w, long rounds, int seed,
                 double won)
{
    printf("/* Generated by `make nets`: %ld rounds, seed %d. Do not edit.\n"
           " * Wins %+.3f points a round over the policy. */\n",
           rounds, seed, won);
    print_row_numbers(w);
    print_rows(w);
    printf("static const struct value_net NAMED(net) = {\n"
           ".learned_from = 0x%016" PRIx64
           ", /* %s */\n.row_of = NAMED(row_of),\n.row = NAMED(row),\n.direct = NAMED(direct),\n",
           net_rules_hash(r), r->name);
    printf(".second = {\n");
    for (int j = 0; j < SECOND; j++) {
        printf("{0");
        for (int k = 1; k < HIDDEN; k++)
            printf(",%d", whole(w->second[k][j], VALUE_SECOND_UNIT, VALUE_MOST_SECOND));
        printf("},\n");
    }
    printf("},\n");
    print_list("bias", w->bias, SECOND, VALUE_HIDDEN_UNIT * VALUE_SECOND_UNIT, 1 << 24);
    print_list("out", w->out, SECOND, VALUE_OUT_UNIT, INT16_MAX);
    printf("};\n");
}
