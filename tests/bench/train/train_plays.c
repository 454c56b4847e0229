/* Trainer of the likelihood of plays: writes engine/player/nets/plays.inc. `make nets` runs it.
 *
 *     train_plays [ROUNDS] > plays.inc
 *
 * Players play themselves, ROUNDS for each style: level `master` without inference; the same without
 * value nets, judged without what the table is worth; both with 2,000 playouts a move; and in turn
 * levels `normal` and `hard` and the plain Monte-Carlo player with 300 deals a move. Half of the
 * rounds are under `standard`; all are the first of their match. Each of their plays is a choice
 * among all plays of the hand, and gradient steps (Duchi, Hazan, Singer, AdaGrad, 2011) maximize the
 * likelihood of those made. So do steps of a logistic regression for the decisions of the second to
 * call koi-koi, by what the koi-koi net holds them worth.
 *
 * The result depends on ROUNDS and SEED alone: it reads no clock and calls no function of libm
 * whose last bit a library may choose. stderr shows the mean log-likelihood of plays it has not
 * learned from, beside that of an even guess.
 */
#include "exact_math.h"
#include "engine/plain_player.h"
#include "engine/positions.h"
#include "engine/presets.h"
#include "nets.h"
#include "search_call.h"
#include "search_level.h"
#include "search_plays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 4000, SEED = 77, VISITS = 2000, PLAIN_WORLDS = 300, PASSES = 8, MOST_PLAYS = 16 };
enum { A_ROUND = 16, CALLS_A_ROUND = 4 };
static const float first_rate = 0.05f, last_rate = 0.015f;
static const float settled = 0.0002f; /* see struct habits */

struct play_choice {
    uint8_t n, made, stage, cards, n_features[MOST_PLAYS], feature[MOST_PLAYS][MAX_PLAY_FEATURES];
    float score[MOST_PLAYS], worth[MOST_PLAYS];
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

/* ---- Choices --------------------------------------------------------------------------------- */

/* Returns false if there was nothing to choose, or more than MOST_PLAYS. */
static bool note(const struct ruleset *g, enum play_style style, const struct round *r,
                 const struct view *v, struct move made, struct play_choice *ret)
{
    const struct match_value value = match_value_of(v);
    const struct value_voids voids = value_voids_of(r->seen, r->n_seen, r->field);
    const struct sight at = policy_sight(r);
    if (v->n_legal < 2 || v->n_legal > MOST_PLAYS || v->legal[0].kind != MOVE_PLAY)
        return false;
    *ret = (struct play_choice){.n = v->n_legal,
                                .stage = (uint8_t)policy_stage(v->hand),
                                .cards = (uint8_t)at_most(set_count(v->hand), PLAY_CARDS - 1)};
    policy_scores(g, &policy_tuned, &at, v->legal, v->n_legal, ret->score);
    if (style != STYLE_POLICY && value.net != NULL)
        value_of_each(value.net, g, r, &voids, value.context[r->turn], v->legal, v->n_legal,
                      ret->worth);
    for (int i = 0; i < ret->n; i++) {
        ret->n_features[i] = (uint8_t)play_features(&at, &v->legal[i], ret->feature[i]);
        ret->made = same_move(v->legal[i], made) ? (uint8_t)i : ret->made;
    }
    return true;
}

/* The move of a player of that style in round k. */
static struct move choice(enum play_style style, long k, const struct ruleset *g,
                          const struct view *v, uint64_t seed)
{
    struct habits player = habits[LEVEL_MASTER];
    struct budget budget = {.visits = VISITS};
    struct advice advice;
    if (style == STYLE_PLAIN && k % 3 == 2)
        return plain_player(g, v, PLAIN_WORLDS, seed);
    if (style == STYLE_PLAIN) {
        player = habits[k % 3 == 0 ? LEVEL_NORMAL : LEVEL_HARD];
        budget.visits = player.visits;
    } else {
        player.inference = 0;
        player.values = style == STYLE_VALUE;
        player.weighs = player.calls_for_match = false;
        player.settled = settled;
    }
    search_as(g, v, &player, &budget, seed, &advice);
    return advice.move;
}

/* Plays round k; adds its choices to *ret, which has room for A_ROUND and CALLS_A_ROUND. */
static void play(enum play_style style, long k, const struct ruleset *g, struct rng *chance,
                 struct plays_seen *ret)
{
    const struct call_net *calls = call_net_for(g, 2);
    long n_plays = ret->n_plays + A_ROUND, n_calls = ret->n_calls + CALLS_A_ROUND;
    struct match m;
    struct view v;
    match_dealt(g, chance, (int)(k / 2 & 1), &m);
    while (m.stage == MATCH_PLAYING) {
        view_of(g, &m, m.round.turn, &v);
        struct move made = choice(style, k, g, &v, rng_next(chance));
        if (m.round.phase == PHASE_HAND && ret->n_plays < n_plays)
            ret->n_plays += note(g, style, &m.round, &v, made, &ret->play[ret->n_plays]);
        if (style == STYLE_POLICY && m.round.phase == PHASE_DECIDE && v.n_legal > 1 && v.hand &&
            ret->n_calls < n_calls)
            ret->call[ret->n_calls++] = (struct call_choice){.made = made.kind == MOVE_KOIKOI,
                                                             .gain = call_gain(calls, g, &m.round)};
        match_apply(g, &m, m.round.turn, made, NULL);
    }
}

/* Half of the rounds are under `standard`, the others under presets in turn: those with a value net
 * unless the style does without. */
static const struct ruleset *rules_of_round(enum play_style style, long k)
{
    static const int with_net[] = {PRESET_OKOSHKI, PRESET_CONSOLE};
    if (k & 1)
        return preset(PRESET_STANDARD);
    return preset(style == STYLE_POLICY ? (int)(k / 2 % N_PRESETS) : with_net[k / 2 % 2]);
}

/* ---- Learning -------------------------------------------------------------------------------- */

/* Weights, and the sums of their squared slopes. */
struct learned_style {
    struct style_weights now, squares;
};

/* Chances of the plays. Returns that of the one made. */
static double chances(const struct style_weights *w, const struct play_choice *c, double *ret)
{
    double best = -1e30, all = 0;
    for (int i = 0; i < c->n; i++) {
        ret[i] = (double)(w->score[c->stage] * c->score[i] + w->worth[c->cards] * c->worth[i]);
        for (int k = 0; k < c->n_features[i]; k++)
            ret[i] += (double)w->of[c->feature[i][k]];
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

static void learn(struct learned_style *s, const struct play_choice *c, float rate)
{
    float slope[N_PLAY_FEATURES] = {0}, of_score = 0, of_worth = 0;
    double chance[MOST_PLAYS];
    chances(&s->now, c, chance);
    for (int i = 0; i < c->n; i++) {
        float over = (float)chance[i] - (float)(i == c->made);
        of_score += over * c->score[i];
        of_worth += over * c->worth[i];
        for (int k = 0; k < c->n_features[i]; k++)
            slope[c->feature[i][k]] += over;
    }
    step(&s->now.score[c->stage], &s->squares.score[c->stage], of_score, rate * 0.3f);
    if (of_worth != 0)
        step(&s->now.worth[c->cards], &s->squares.worth[c->cards], of_worth, rate);
    for (int k = 0; k < N_PLAY_FEATURES; k++)
        if (slope[k] != 0)
            step(&s->now.of[k], &s->squares.of[k], slope[k], rate);
}

static double call_chance(const struct play_weights *w, const struct call_choice *c)
{
    return 1 / (1 + exact_exp((double)-(w->call + w->call_gain * c->gain)));
}

static void learn_call(struct play_weights *w, struct play_weights *squares,
                       const struct call_choice *c, float rate)
{
    float over = (float)call_chance(w, c) - (float)c->made;
    step(&w->call, &squares->call, over, rate);
    step(&w->call_gain, &squares->call_gain, over * c->gain, rate);
}

/* The rate of a pass. */
static float rate_of(int pass)
{
    return pass < PASSES - 2 ? first_rate : last_rate;
}

/* Learns from the first nine tenths of the plays and tells of the others. */
static void learn_style(enum play_style style, const struct plays_seen *seen,
                        struct style_weights *ret)
{
    long plays = seen->n_plays - seen->n_plays / 10;
    struct learned_style s = {.now.score = {0.1f, 0.1f, 0.1f}};
    double chance[MOST_PLAYS], sum = 0, even = 0;
    for (int pass = 0; pass < PASSES; pass++)
        for (long i = 0; i < plays; i++)
            learn(&s, &seen->play[i], rate_of(pass));
    for (long i = plays; i < seen->n_plays; i++) {
        sum += exact_log(chances(&s.now, &seen->play[i], chance));
        even -= exact_log(seen->play[i].n);
    }
    fprintf(stderr,
            "style %d, not learned from: %ld plays, log-likelihood %.4f, of an even guess %.4f\n",
            (int)style, seen->n_plays - plays, sum / (double)(seen->n_plays - plays),
            even / (double)(seen->n_plays - plays));
    *ret = s.now;
}

static void learn_calls(const struct plays_seen *seen, struct play_weights *ret)
{
    long calls = seen->n_calls - seen->n_calls / 10;
    struct play_weights squares = {.call = 0};
    double sum = 0;
    for (int pass = 0; pass < PASSES; pass++)
        for (long i = 0; i < calls; i++)
            learn_call(ret, &squares, &seen->call[i], rate_of(pass));
    for (long i = calls; i < seen->n_calls; i++) {
        double call = call_chance(ret, &seen->call[i]);
        sum += exact_log(seen->call[i].made ? call : 1 - call);
    }
    fprintf(stderr, "%ld decisions, log-likelihood %.4f, of an even guess %.4f\n",
            seen->n_calls - calls, sum / (double)(seen->n_calls - calls), -exact_log(2));
}

static void print_some(const char *name, const float *x, int n)
{
    printf(" .%s = {", name);
    for (int i = 0; i < n; i++)
        printf("%s%.4ff", i == 0 ? "" : i % 8 ? ", " : ",\n  ", (double)x[i]);
    printf("},\n");
}

static void print(long rounds, const struct play_weights *w)
{
    printf("/* Generated by `make nets`: %ld rounds, seed %d. Do not edit. */\n.style = {\n",
           rounds, SEED);
    for (int s = 0; s < N_STYLES; s++) {
        printf("{\n");
        print_some("worth", w->style[s].worth, PLAY_CARDS);
        print_some("score", w->style[s].score, N_STAGES);
        print_some("of", w->style[s].of, N_PLAY_FEATURES);
        printf("},\n");
    }
    printf("},\n.call = %.3ff,\n.call_gain = %.3ff,\n", (double)w->call, (double)w->call_gain);
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : ROUNDS;
    struct plays_seen seen = {0};
    struct play_weights w = {.call = 0};
    if (rounds < 1)
        return fprintf(stderr, "usage: train_plays [ROUNDS]\n"), 2;
    seen.play = calloc((size_t)rounds * A_ROUND, sizeof *seen.play);
    seen.call = calloc((size_t)rounds * CALLS_A_ROUND, sizeof *seen.call);
    if (seen.play == NULL || seen.call == NULL)
        return perror("train_plays"), 1;
    for (enum play_style style = 0; style < N_STYLES; style++) {
        struct rng chance = rng_seed(SEED);
        seen.n_plays = seen.n_calls = 0;
        for (long k = 0; k < rounds; k++)
            play(style, k, rules_of_round(style, k), &chance, &seen);
        learn_style(style, &seen, &w.style[style]);
        if (style == STYLE_POLICY)
            learn_calls(&seen, &w);
    }
    print(rounds, &w);
    free(seen.play);
    free(seen.call);
}
