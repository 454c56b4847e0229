/* Makes engine/search_call_NAME.c: learns by self-play what calling koi-koi is worth.
 *
 *     make learn PRESET=standard SECONDS=60        writes the file
 *
 * The policy for the preset plays itself, but for the question of koi-koi: there the net learned so
 * far decides, and now and then its opposite. Each call is compared with what the round paid in the
 * end, and the net moved towards that, by the gradient, in steps that become smaller; what is kept
 * is the mean of its last states. On stderr: points a round it wins over the policy's own way to
 * decide.
 */
#include "engine/positions.h"
#include "engine/presets.h"
#include "search_call.h"
#include "search_policy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CALLS = 16, ROUNDS = 2000, DEALS = 20000 };
static const float most_points = 100, first_rate = 2e-3f;

struct learned {
    float start[CALL_HIDDEN + 1], row[N_CALL_FEATURES][CALL_HIDDEN + 1], weight[CALL_HIDDEN];
};
enum { N_NUMBERS = sizeof(struct learned) / sizeof(float) };

static struct learned now, mean, squares;
static struct luck chance = {12345};
static float rate;

struct call {
    uint16_t feature[MAX_CALL_FEATURES];
    int n;
    float hidden[CALL_HIDDEN], worth;
};

static void reckon(const struct learned *l, const struct ruleset *g, const struct round *r,
                   struct call *ret)
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

/* One number against its slope, by steps of its own size. */
static void step(float *x, float *square, float slope)
{
    *square += 0.001f * (slope * slope - *square);
    *x -= rate * slope / (sqrtf(*square) + 1e-3f);
}

static void learn(const struct call *c, float points)
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

/* One round, and what it teaches. */
static void play_and_learn(const struct ruleset *g, const struct policy *p, int dealer, float doubt)
{
    static struct call calls[2][MOST_CALLS];
    struct move moves[MAX_MOVES];
    uint8_t deck[N_CARDS];
    int n_calls[2] = {0};
    struct round r;

    deck_by_chance(&chance, deck);
    round_deal(g, 2, dealer, deck, &r, NULL);
    while (r.phase != PHASE_OVER) {
        int seat = r.turn, n = round_legal(g, &r, seat, moves), pick;
        if (r.phase == PHASE_DECIDE && r.hand[seat] != 0 && n_calls[seat] < MOST_CALLS) {
            struct call *c = &calls[seat][n_calls[seat]];
            reckon(&now, g, &r, c);
            bool on = (c->worth > (float)round_pays(g, &r)) != (luck_fraction(&chance) < doubt);
            n_calls[seat] += on;
            pick = kind_at(moves, on);
        } else {
            pick = policy_pick(g, p, &r, moves, n);
        }
        round_apply(g, &r, seat, moves[pick], NULL);
    }
    float points = fminf((float)r.result.points, most_points);
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < n_calls[s]; i++)
            learn(&calls[s][i], r.result.winner < 0 ? 0 : r.result.winner == s ? points : -points);
}

/* Points the net wins on seat `mine` over the policy's own way to decide. */
static int play(const struct ruleset *g, const struct policy *p, int mine, int dealer,
                const uint8_t *deck)
{
    struct move moves[MAX_MOVES];
    struct round r;

    round_deal(g, 2, dealer, deck, &r, NULL);
    while (r.phase != PHASE_OVER) {
        int n = round_legal(g, &r, r.turn, moves), pick = policy_pick(g, p, &r, moves, n);
        if (r.turn == mine && r.phase == PHASE_DECIDE && r.hand[mine] != 0) {
            struct call c;
            reckon(&mean, g, &r, &c);
            pick = kind_at(moves, c.worth > (float)round_pays(g, &r));
        }
        round_apply(g, &r, r.turn, moves[pick], NULL);
    }
    return r.result.winner < 0 ? 0 : r.result.winner == mine ? r.result.points : -r.result.points;
}

static double gain(const struct ruleset *g, const struct policy *p)
{
    struct luck keep = chance;
    uint8_t deck[N_CARDS];
    double sum = 0;

    chance = luck_seed(7);
    for (int i = 0; i < DEALS; i++) {
        deck_by_chance(&chance, deck);
        sum += play(g, p, 0, i & 1, deck) + play(g, p, 1, i & 1, deck);
    }
    chance = keep;
    return sum / (2 * DEALS);
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

static void print(const char *name, long seconds, long rounds, double won)
{
    printf("/* Made by `make learn PRESET=%s SECONDS=%ld` from %ld rounds: wins %+.3f points a "
           "round over\n"
           " * the policy's own way to decide. */\n#include \"search_call.h\"\n\n"
           "/* clang-format off */\n"
           "const struct call_net call_net_%s = {\n    .start = ",
           name, seconds, rounds, won, name);
    print_row(mean.start);
    printf(",\n    .weight = {%d", whole(mean.weight[0]));
    for (int k = 1; k < CALL_HIDDEN; k++)
        printf(",%d", whole(mean.weight[k]));
    printf("},\n    .row = {\n");
    for (int i = 0; i < N_CALL_FEATURES; i++) {
        print_row(mean.row[i]);
        printf(i % 2 ? ",\n" : ",");
    }
    printf("\n    },\n};\n");
}

static void begin(void)
{
    float *x = (float *)&now, *q = (float *)&squares;

    for (int i = 0; i < N_NUMBERS; i++) {
        x[i] = (luck_fraction(&chance) - 0.5f) * 0.3f;
        q[i] = 20;
    }
    now.start[CALL_HIDDEN] = 0;
    for (int i = 0; i < N_CALL_FEATURES; i++)
        now.row[i][CALL_HIDDEN] = 0;
    for (int k = 0; k < CALL_HIDDEN; k++)
        now.weight[k] = luck_fraction(&chance) - 0.5f;
    mean = now;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "standard";
    long seconds = argc > 2 ? strtol(argv[2], NULL, 10) : 60, rounds = 0;
    int which = 0;

    while (which < N_PRESETS && strcmp(presets[which].name, name) != 0)
        which++;
    if (which == N_PRESETS || seconds < 1)
        return fprintf(stderr, "usage: learn PRESET SECONDS\n"), 2;
    const struct ruleset *g = preset(which);
    const struct policy *p = &policy_tuned;
    begin();
    for (float part = 0; part < 1; rounds += ROUNDS) {
        part = (float)clock() / CLOCKS_PER_SEC / (float)seconds;
        rate = first_rate * powf(0.02f, fmaxf(part - 0.1f, 0) / 0.9f);
        for (int i = 0; i < ROUNDS; i++)
            play_and_learn(g, p, i & 1, 0.25f * (1 - part) + 0.08f);
        for (int i = 0; i < N_NUMBERS; i++)
            ((float *)&mean)[i] += (((float *)&now)[i] - ((float *)&mean)[i]) / 60;
    }
    double won = gain(g, p);
    fprintf(stderr, "%s: %ld rounds, %+.3f points a round\n", name, rounds, won);
    print(name, seconds, rounds, won);
}
