/* Trainer of the likelihood of plays: writes engine/player/nets/plays.inc. `make nets` runs it.
 *
 *     train_plays [ROUNDS] > plays.inc
 *
 * A player that searches, without inference and residuals, plays itself; half of the rounds are
 * under `standard`. Each of its plays is a choice among all plays of the hand, and gradient steps
 * (Duchi, Hazan, Singer, AdaGrad, 2011) maximize the likelihood of those made.
 *
 * The result depends on ROUNDS and SEED alone: it reads no clock and calls no function of libm
 * whose last bit a library may choose. stderr shows the mean log-likelihood of plays it has not
 * learned from, beside that of an even guess.
 */
#include "exact_math.h"
#include "engine/positions.h"
#include "engine/presets.h"
#include "search_level.h"
#include "search_plays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8000, SEED = 77, VISITS = 2000, PASSES = 8, MOST_PLAYS = 16, A_ROUND = 16 };
static const float first_rate = 0.05f, last_rate = 0.015f;

struct play_choice {
    uint8_t n, made, stage, n_features[MOST_PLAYS], feature[MOST_PLAYS][MAX_PLAY_FEATURES];
    float score[MOST_PLAYS];
};

static struct play_weights now, squares;

/* ---- Choices --------------------------------------------------------------------------------- */

static bool same(struct move a, struct move b)
{
    return a.kind == b.kind && a.card == b.card && a.take == b.take;
}

/* Returns false if there was nothing to choose, or more than MOST_PLAYS. */
static bool note(const struct ruleset *g, const struct round *r, const struct view *v,
                 struct move made, struct play_choice *ret)
{
    const struct sight at = policy_sight(r);

    if (v->n_legal < 2 || v->n_legal > MOST_PLAYS || v->legal[0].kind != MOVE_PLAY)
        return false;
    ret->n = v->n_legal;
    ret->stage = (uint8_t)policy_stage(v->hand);
    policy_scores(g, &policy_tuned, &at, v->legal, v->n_legal, ret->score);
    for (int i = 0; i < v->n_legal; i++) {
        ret->n_features[i] = (uint8_t)play_features(&at, &v->legal[i], ret->feature[i]);
        ret->made = same(v->legal[i], made) ? (uint8_t)i : ret->made;
    }
    return true;
}

/* Plays one round; returns the number of choices in it. */
static int play(const struct ruleset *g, struct rng *chance, int dealer, struct play_choice *ret)
{
    struct habits searcher = habits[LEVEL_MASTER];
    const struct budget budget = {.visits = VISITS};
    uint8_t deck[N_CARDS];
    struct advice advice;
    struct match m;
    struct view v;
    int n = 0;

    searcher.inference = 0;
    searcher.residual = false;
    match_start(&g->rules, 2, dealer, &m);
    while (m.stage == MATCH_READY) { /* until a deal is not void */
        deck_by_chance(chance, deck);
        match_deal(g, &m, deck, NULL);
    }
    while (m.stage == MATCH_PLAYING) {
        view_of(g, &m, m.round.turn, &v);
        search_as(g, &v, &searcher, &budget, rng_next(chance), &advice);
        if (n < A_ROUND && m.round.phase == PHASE_HAND)
            n += note(g, &m.round, &v, advice.move, &ret[n]);
        match_apply(g, &m, m.round.turn, advice.move, NULL);
    }
    return n;
}

/* ---- Learning -------------------------------------------------------------------------------- */

/* Chances of the plays. Returns that of the one made. */
static double chances(const struct play_choice *c, double *ret)
{
    double best = -1e30, all = 0;

    for (int i = 0; i < c->n; i++) {
        ret[i] = (double)(now.score[c->stage] * c->score[i]);
        for (int k = 0; k < c->n_features[i]; k++)
            ret[i] += (double)now.of[c->feature[i][k]];
        best = ret[i] > best ? ret[i] : best;
    }
    for (int i = 0; i < c->n; i++)
        all += ret[i] = exact_exp(ret[i] - best);
    for (int i = 0; i < c->n; i++)
        ret[i] /= all;
    return ret[c->made];
}

static void step(float *x, float *square, float slope, float rate)
{
    *square += slope * slope;
    *x -= rate * slope / (sqrtf(*square) + 1e-3f);
}

static void learn(const struct play_choice *c, float rate)
{
    float slope[N_PLAY_FEATURES] = {0}, of_score = 0;
    double chance[MOST_PLAYS];

    chances(c, chance);
    for (int i = 0; i < c->n; i++) {
        float over = (float)chance[i] - (float)(i == c->made);
        of_score += over * c->score[i];
        for (int k = 0; k < c->n_features[i]; k++)
            slope[c->feature[i][k]] += over;
    }
    step(&now.score[c->stage], &squares.score[c->stage], of_score, rate * 0.3f);
    for (int k = 0; k < N_PLAY_FEATURES; k++)
        if (slope[k] != 0)
            step(&now.of[k], &squares.of[k], slope[k], rate);
}

static void report(const struct play_choice *at, long n)
{
    double chance[MOST_PLAYS], sum = 0, even = 0;

    for (long i = 0; i < n; i++) {
        sum += exact_log(chances(&at[i], chance));
        even -= exact_log(at[i].n);
    }
    fprintf(stderr, "%ld plays not learned from: log-likelihood %.4f, of an even guess %.4f\n", n,
            sum / (double)n, even / (double)n);
}

static void print(long rounds)
{
    printf("/* Generated by `make nets`: %ld rounds, seed %d. Do not edit. */\n.score = {", rounds,
           SEED);
    for (int i = 0; i < N_STAGES; i++)
        printf("%s%.4ff", i ? ", " : "", (double)now.score[i]);
    printf("},\n.of = {");
    for (int i = 0; i < N_PLAY_FEATURES; i++)
        printf("%s%.3ff", i == 0 ? "" : i % 8 ? ", " : ",\n       ", (double)now.of[i]);
    printf("},\n");
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : ROUNDS, n = 0;
    struct rng chance = rng_seed(SEED);

    if (rounds < 1)
        return fprintf(stderr, "usage: train_plays [ROUNDS]\n"), 2;
    struct play_choice *choices = calloc((size_t)rounds * A_ROUND, sizeof *choices);
    if (choices == NULL)
        return perror("train_plays"), 1;
    for (long k = 0; k < rounds; k++)
        n += play(preset(k & 1 ? PRESET_STANDARD : (int)(k / 2 % N_PRESETS)), &chance,
                  (int)(k / 2 & 1), choices + n);
    long learned = n - n / 10;
    for (int i = 0; i < N_STAGES; i++)
        now.score[i] = 0.1f;
    for (int pass = 0; pass < PASSES; pass++)
        for (long i = 0; i < learned; i++)
            learn(&choices[i], pass < PASSES - 2 ? first_rate : last_rate);
    report(choices + learned, n - learned);
    print(rounds);
    free(choices);
}
