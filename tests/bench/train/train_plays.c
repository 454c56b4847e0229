/* Trainer of the likelihood of plays: writes engine/player/nets/plays.inc. `make nets` runs it.
 *
 *     train_plays [ROUNDS] > plays.inc
 *
 * A player that searches, without inference and value net, plays itself; half of the rounds are
 * under `standard`. Each of its plays is a choice among all plays of the hand, and gradient steps
 * (Duchi, Hazan, Singer, AdaGrad, 2011) maximize the likelihood of those made. So do steps of a
 * logistic regression for its decisions to call koi-koi, by what the koi-koi net holds them worth.
 *
 * The result depends on ROUNDS and SEED alone: it reads no clock and calls no function of libm
 * whose last bit a library may choose. stderr shows the mean log-likelihood of plays it has not
 * learned from, beside that of an even guess.
 */
#include "exact_math.h"
#include "engine/positions.h"
#include "engine/presets.h"
#include "search_call.h"
#include "search_level.h"
#include "search_plays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8000, SEED = 77, VISITS = 2000, PASSES = 8, MOST_PLAYS = 16 };
enum { A_ROUND = 16, CALLS_A_ROUND = 4 };
static const float first_rate = 0.05f, last_rate = 0.015f;
static const float settled = 0.0002f; /* see struct habits */

struct play_choice {
    uint8_t n, made, stage, n_features[MOST_PLAYS], feature[MOST_PLAYS][MAX_PLAY_FEATURES];
    float score[MOST_PLAYS];
};

struct call_choice {
    bool made;
    float gain; /* call_gain() */
};

/* What is learned from. */
struct plays_seen {
    struct play_choice *play;
    struct call_choice *call;
    long n_plays, n_calls;
};

static struct play_weights now, squares;

/* ---- Choices --------------------------------------------------------------------------------- */

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
        ret->made = same_move(v->legal[i], made) ? (uint8_t)i : ret->made;
    }
    return true;
}

/* Plays one round; adds its choices to *ret, which has room for A_ROUND and CALLS_A_ROUND. */
static void play(const struct ruleset *g, struct rng *chance, int dealer, struct plays_seen *ret)
{
    const struct call_net *calls = call_net_for(g, 2);
    struct habits searcher = habits[LEVEL_MASTER];
    const struct budget budget = {.visits = VISITS};
    long n_plays = ret->n_plays + A_ROUND, n_calls = ret->n_calls + CALLS_A_ROUND;
    struct advice advice;
    struct match m;
    struct view v;

    searcher.inference = 0;
    searcher.values = searcher.weighs = searcher.calls_for_match = false;
    searcher.settled = settled;
    match_dealt(g, chance, dealer, &m);
    while (m.stage == MATCH_PLAYING) {
        view_of(g, &m, m.round.turn, &v);
        search_as(g, &v, &searcher, &budget, rng_next(chance), &advice);
        if (m.round.phase == PHASE_HAND && ret->n_plays < n_plays)
            ret->n_plays += note(g, &m.round, &v, advice.move, &ret->play[ret->n_plays]);
        if (m.round.phase == PHASE_DECIDE && v.n_legal > 1 && v.hand && ret->n_calls < n_calls)
            ret->call[ret->n_calls++] = (struct call_choice){
                .made = advice.move.kind == MOVE_KOIKOI, .gain = call_gain(calls, g, &m.round)};
        match_apply(g, &m, m.round.turn, advice.move, NULL);
    }
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

static double call_chance(const struct call_choice *c)
{
    return 1 / (1 + exact_exp((double)-(now.call + now.call_gain * c->gain)));
}

static void learn_call(const struct call_choice *c, float rate)
{
    float over = (float)call_chance(c) - (float)c->made;

    step(&now.call, &squares.call, over, rate);
    step(&now.call_gain, &squares.call_gain, over * c->gain, rate);
}

static void report(const struct plays_seen *seen, long plays, long calls)
{
    double chance[MOST_PLAYS], sum = 0, even = 0, sum_calls = 0;
    long n = seen->n_plays - plays, n_calls = seen->n_calls - calls;

    for (long i = plays; i < seen->n_plays; i++) {
        sum += exact_log(chances(&seen->play[i], chance));
        even -= exact_log(seen->play[i].n);
    }
    for (long i = calls; i < seen->n_calls; i++) {
        double call = call_chance(&seen->call[i]);
        sum_calls += exact_log(seen->call[i].made ? call : 1 - call);
    }
    fprintf(stderr,
            "not learned from: %ld plays, log-likelihood %.4f, of an even guess %.4f; "
            "%ld decisions, %.4f, %.4f\n",
            n, sum / (double)n, even / (double)n, n_calls, sum_calls / (double)n_calls,
            -exact_log(2));
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
    printf("},\n.call = %.3ff,\n.call_gain = %.3ff,\n", (double)now.call, (double)now.call_gain);
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : ROUNDS;
    struct rng chance = rng_seed(SEED);
    struct plays_seen seen = {0};

    if (rounds < 1)
        return fprintf(stderr, "usage: train_plays [ROUNDS]\n"), 2;
    seen.play = calloc((size_t)rounds * A_ROUND, sizeof *seen.play);
    seen.call = calloc((size_t)rounds * CALLS_A_ROUND, sizeof *seen.call);
    if (seen.play == NULL || seen.call == NULL)
        return perror("train_plays"), 1;
    for (long k = 0; k < rounds; k++)
        play(preset(k & 1 ? PRESET_STANDARD : (int)(k / 2 % N_PRESETS)), &chance, (int)(k / 2 & 1),
             &seen);
    long plays = seen.n_plays - seen.n_plays / 10, calls = seen.n_calls - seen.n_calls / 10;
    for (int i = 0; i < N_STAGES; i++)
        now.score[i] = 0.1f;
    for (int pass = 0; pass < PASSES; pass++) {
        float rate = pass < PASSES - 2 ? first_rate : last_rate;
        for (long i = 0; i < plays; i++)
            learn(&seen.play[i], rate);
        for (long i = 0; i < calls; i++)
            learn_call(&seen.call[i], rate);
    }
    report(&seen, plays, calls);
    print(rounds);
    free(seen.play);
    free(seen.call);
}
