/* Trainer of the koi-koi nets: writes engine/player/nets/PRESET.inc. `make nets` runs it.
 *
 *     train_calls PRESET [ROUNDS] > PRESET.inc
 *
 * The policy for the preset plays itself, except at koi-koi: there the current net decides, and
 * sometimes its opposite. The round's final payment is the target of each call; gradient steps of
 * falling size move the net towards it, and the mean of its last states is the result. Then two
 * players with this net show what comes of their calls.
 *
 * The result depends on ROUNDS and SEED alone: it reads no clock and calls no function of libm
 * whose last bit a library may choose. stderr shows its advantage over the policy's own decision,
 * in points a round.
 */
#include "engine/positions.h"
#include "engine/presets.h"
#include "nets.h"
#include "search_call.h"
#include "search_policy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 16000000, SEED = 12345, BATCH = 2000, MOST_CALLS = 16, DEALS = 20000 };
enum { WATCHED = 200000 }; /* rounds to see what comes of calls */
static const float most_points = 100, first_rate = 2e-3f;

struct learned {
    float start[CALL_HIDDEN + 1], row[N_CALL_FEATURES][CALL_HIDDEN + 1], weight[CALL_HIDDEN];
};
enum { N_NUMBERS = sizeof(struct learned) / sizeof(float) };

static struct learned now, mean, squares;
static struct rng chance;
static float rate;

struct learned_call {
    uint16_t feature[MAX_CALL_FEATURES];
    int n, pays; /* of the features; of the stop */
    float hidden[CALL_HIDDEN], worth;
};

static void reckon(const struct learned *l, const struct ruleset *g, const struct round *r,
                   struct learned_call *ret)
{
    ret->n = call_features(g, r, ret->feature);
    ret->worth = l->start[CALL_HIDDEN];
    memcpy(ret->hidden, l->start, sizeof ret->hidden);
    for (int i = 0; i < ret->n; i++) {
        const float *row = l->row[ret->feature[i]];
        for (int k = 0; k < CALL_HIDDEN; k++)
            ret->hidden[k] += row[k];
        ret->worth += row[CALL_HIDDEN];
    }
    for (int k = 0; k < CALL_HIDDEN; k++) {
        ret->hidden[k] = fmaxf(ret->hidden[k], 0);
        ret->worth += ret->hidden[k] * l->weight[k];
    }
}

/* One gradient step of a number, with a step size of its own. The squares of a unit that is never
 * active end above the smallest normal numbers, as machines are slow with smaller ones. */
static void step(float *x, float *square, float slope)
{
    *square += 0.001f * (slope * slope + 1e-12f - *square);
    *x -= rate * slope / (sqrtf(*square) + 1e-3f);
}

static void learn(const struct learned_call *c, float points)
{
    float error = c->worth - points, slope[CALL_HIDDEN + 1];
    for (int k = 0; k < CALL_HIDDEN; k++)
        slope[k] = c->hidden[k] > 0 ? error * now.weight[k] : 0;
    slope[CALL_HIDDEN] = error;
    for (int k = 0; k < CALL_HIDDEN; k++)
        step(&now.weight[k], &squares.weight[k], error * c->hidden[k]);
    for (int k = 0; k <= CALL_HIDDEN; k++)
        step(&now.start[k], &squares.start[k], slope[k]);
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k <= CALL_HIDDEN; k++)
            step(&now.row[c->feature[i]][k], &squares.row[c->feature[i]][k], slope[k]);
}

static int kind_at(const struct move *moves, bool on)
{
    return moves[0].kind == (on ? MOVE_KOIKOI : MOVE_STOP) ? 0 : 1;
}

/* A round in which both seats decide koi-koi by a net, and its calls by seat. */
struct called_round {
    struct learned_call calls[2][MOST_CALLS];
    int n_calls[2];
    struct round_result result;
};

/* Plays one; `doubt` is how often the opposite of what the net says is done. */
static void play_by(const struct learned *l, const struct ruleset *g, const struct policy *p,
                    int dealer, float doubt, struct called_round *ret)
{
    struct move moves[MAX_MOVES];
    uint8_t deck[N_CARDS];
    struct round r;
    ret->n_calls[0] = ret->n_calls[1] = 0;
    deck_by_chance(&chance, deck);
    round_deal(g, 2, dealer, deck, &r, NULL);
    while (r.phase != PHASE_OVER) {
        int seat = r.turn, n = round_legal(g, &r, seat, moves), pick;
        int *n_calls = &ret->n_calls[seat];
        if (r.phase == PHASE_DECIDE && n > 1 && r.hand[seat] != 0 && *n_calls < MOST_CALLS) {
            struct learned_call *c = &ret->calls[seat][*n_calls];
            reckon(l, g, &r, c);
            c->pays = policy_pays(g, &r);
            bool on = (c->worth > (float)c->pays) != (doubt > 0 && rng_fraction(&chance) < doubt);
            *n_calls += on;
            pick = kind_at(moves, on);
        } else {
            pick = policy_pick(g, p, &r, moves, n);
        }
        round_apply(g, &r, seat, moves[pick], NULL);
    }
    ret->result = r.result;
}

static void play_and_learn(const struct ruleset *g, const struct policy *p, int dealer, float doubt)
{
    static struct called_round round;
    play_by(&now, g, p, dealer, doubt, &round);
    float points = fminf((float)round.result.points, most_points);
    int winner = round.result.winner;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < round.n_calls[s]; i++)
            learn(&round.calls[s][i], winner < 0 ? 0 : winner == s ? points : -points);
}

/* Advantage of the net on seat `mine` over the policy's own decision, in points. */
static int play(const struct ruleset *g, const struct policy *p, int mine, int dealer,
                const uint8_t *deck)
{
    struct move moves[MAX_MOVES];
    struct round r;
    round_deal(g, 2, dealer, deck, &r, NULL);
    while (r.phase != PHASE_OVER) {
        int n = round_legal(g, &r, r.turn, moves), pick = policy_pick(g, p, &r, moves, n);
        if (r.turn == mine && r.phase == PHASE_DECIDE && n > 1 && r.hand[mine] != 0) {
            struct learned_call c;
            reckon(&mean, g, &r, &c);
            pick = kind_at(moves, c.worth > (float)policy_pays(g, &r));
        }
        round_apply(g, &r, r.turn, moves[pick], NULL);
    }
    return r.result.winner < 0 ? 0 : r.result.winner == mine ? r.result.points : -r.result.points;
}

static double gain(const struct ruleset *g, const struct policy *p)
{
    struct rng keep = chance;
    uint8_t deck[N_CARDS];
    double sum = 0;
    chance = rng_seed(7);
    for (int i = 0; i < DEALS; i++) {
        deck_by_chance(&chance, deck);
        sum += play(g, p, 0, i & 1, deck) + play(g, p, 1, i & 1, deck);
    }
    chance = keep;
    return sum / (2 * DEALS);
}

/* ---- What comes of calls --------------------------------------------------------------------- */

struct won_call {
    int pays, points;
};

struct outcomes {
    struct won_call *won;
    long n_won, n_lost, n_drawn;
    double lost; /* points, in all */
};

/* Plays a round and notes what came of its calls. */
static void watch(const struct ruleset *g, const struct policy *p, int dealer, struct outcomes *ret)
{
    static struct called_round round;
    play_by(&mean, g, p, dealer, 0, &round);
    int points = at_most(round.result.points, (int)most_points), winner = round.result.winner;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < round.n_calls[s]; i++)
            if (winner == s)
                ret->won[ret->n_won++] = (struct won_call){round.calls[s][i].pays, points};
            else if (winner >= 0)
                ret->n_lost++, ret->lost += points;
            else
                ret->n_drawn++;
}

static int in_order(const void *one, const void *two)
{
    const struct won_call *a = one, *b = two;
    return a->pays != b->pays ? (a->pays > b->pays) - (a->pays < b->pays)
                              : (a->points > b->points) - (a->points < b->points);
}

/* Least squares of the points over what the stop would have paid, for each third of the calls with
 * the same stop: those that won least, ... most. */
static void print_won(struct won_call *won, long n)
{
    struct {
        double n, x, xx, y, xy;
    } sum[CALL_THIRDS] = {0};
    qsort(won, (size_t)n, sizeof *won, in_order);
    for (long from = 0, to; from < n; from = to) {
        for (to = from; to < n && won[to].pays == won[from].pays;)
            to++;
        for (long i = from; i < to; i++) {
            long k = CALL_THIRDS * (i - from) / (to - from);
            double x = won[i].pays, y = won[i].points;
            sum[k].n++, sum[k].x += x, sum[k].xx += x * x, sum[k].y += y, sum[k].xy += x * y;
        }
    }
    printf(".won = {");
    for (int k = 0; k < CALL_THIRDS; k++) {
        double slope = (sum[k].n * sum[k].xy - sum[k].x * sum[k].y) /
                       (sum[k].n * sum[k].xx - sum[k].x * sum[k].x);
        printf("%s{%.2ff, %.3ff}", k ? ", " : "", (sum[k].y - slope * sum[k].x) / sum[k].n, slope);
    }
    printf("},\n");
}

static bool print_outcomes(const struct ruleset *g, const struct policy *p)
{
    struct outcomes o = {.won = calloc((size_t)WATCHED * 2 * MOST_CALLS, sizeof *o.won)};
    if (o.won == NULL)
        return false;
    for (int i = 0; i < WATCHED; i++)
        watch(g, p, i & 1, &o);
    print_won(o.won, o.n_won);
    printf(".lost = %.2ff,\n.loses = %.3ff,\n", o.lost / (double)o.n_lost,
           (double)o.n_lost / (double)(o.n_lost + o.n_drawn));
    free(o.won);
    return true;
}

static int whole(float x)
{
    return (int)lrintf(fminf(fmaxf(x * CALL_UNIT, INT16_MIN), INT16_MAX));
}

static void print_row(const float *row)
{
    printf("{{%d", whole(row[0]));
    for (int k = 1; k < CALL_HIDDEN; k++)
        printf(",%d", whole(row[k]));
    printf("},%d}", whole(row[CALL_HIDDEN]));
}

static void print(const struct rules *r, long rounds, double won)
{
    printf("/* Generated by `make nets`: %ld rounds, seed %d. Do not edit.\n"
           " * Wins %+.3f points a round over the policy's own way to decide. */\n"
           ".learned_from = 0x%016" PRIx64 ", /* %s */\n.start = ",
           rounds, SEED, won, net_rules_hash(r), r->name);
    print_row(mean.start);
    printf(",\n.weight = {%d", whole(mean.weight[0]));
    for (int k = 1; k < CALL_HIDDEN; k++)
        printf(",%d", whole(mean.weight[k]));
    printf("},\n.row = {\n");
    for (int i = 0; i < N_CALL_FEATURES; i++) {
        print_row(mean.row[i]);
        printf(i % 2 ? ",\n" : ",");
    }
    printf("\n},\n");
}

static void begin(void)
{
    float *x = (float *)&now, *q = (float *)&squares;
    for (int i = 0; i < N_NUMBERS; i++) {
        x[i] = (rng_fraction(&chance) - 0.5f) * 0.3f;
        q[i] = 20;
    }
    now.start[CALL_HIDDEN] = 0;
    for (int i = 0; i < N_CALL_FEATURES; i++)
        now.row[i][CALL_HIDDEN] = 0;
    for (int k = 0; k < CALL_HIDDEN; k++)
        now.weight[k] = rng_fraction(&chance) - 0.5f;
    mean = now;
}

static double power(double x, long n)
{
    double ret = 1;
    for (; n > 0; n >>= 1, x *= x)
        ret *= n & 1 ? x : 1;
    return ret;
}

/* The factor whose n-th power is 1 / 50. */
static double decay_over(long n)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        double mid = (low + high) / 2;
        if (power(mid, n) < 0.02)
            low = mid;
        else
            high = mid;
    }
    return high;
}

/* Constant step size for a tenth of the rounds, then down to a 50th. */
static void train(const struct ruleset *g, const struct policy *p, long batches)
{
    double decay = decay_over(batches - batches / 10), size = first_rate;
    for (long b = 0; b < batches; b++) {
        float part = (float)b / (float)batches;
        size *= b < batches / 10 ? 1 : decay;
        rate = (float)size;
        for (int i = 0; i < BATCH; i++)
            play_and_learn(g, p, i & 1, 0.25f * (1 - part) + 0.08f);
        for (int i = 0; i < N_NUMBERS; i++)
            ((float *)&mean)[i] += (((float *)&now)[i] - ((float *)&mean)[i]) / 60;
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "standard";
    long batches = (argc > 2 ? strtol(argv[2], NULL, 10) : ROUNDS) / BATCH;
    int which = preset_named(name);
    if (which == N_PRESETS || batches < 1)
        return fprintf(stderr, "usage: train_calls PRESET [ROUNDS], at least %d\n", BATCH), 2;
    chance = rng_seed(SEED);
    begin();
    train(preset(which), &policy_tuned, batches);
    double won = gain(preset(which), &policy_tuned);
    fprintf(stderr, "%s: %ld rounds, %+.3f points a round\n", name, batches * BATCH, won);
    print(&presets[which], batches * BATCH, won);
    return print_outcomes(preset(which), &policy_tuned) ? 0 : (perror("train_calls"), 1);
}
