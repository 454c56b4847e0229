/* Forecasts of the teacher against what comes: the chances of yaku and of the round that hints and
 * reviews count (review_worlds.h), after moves of level `master` in its own company.
 *
 *     forecast [PRESET [ROUNDS]]
 *
 * One line of JSON for each tenth of the chances of a yaku that a seat may still make: how many,
 * their mean, and the share that came. Then one for all of them and one for the round won or lost
 * by the seat that moved, with the mean square error of the forecasts (Brier, 1950; of won and lost
 * together) and its half-width at 95 %.
 */
#include "engine/positions.h"
#include "engine/presets.h"
#include "engine/sprt.h"
#include "review_worlds.h"
#include "search.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 300, TENTHS = 10, A_ROUND = 32, SEED = 6 };

/* What was forecast after a move. */
struct forecast {
    int seat;
    struct outlook outlook;
    bool open[MAX_PLAYERS][N_YAKU]; /* the seat may still make it */
    float chance[MAX_PLAYERS][N_YAKU];
};
struct forecast_tenth {
    long n;
    double chance, came;
};
struct forecast_sums {
    struct forecast_tenth tenth[TENTHS];
    struct sample yaku, outlook; /* square errors */
};

static void foretell(const struct view *v, struct move m, uint64_t seed, struct forecast *ret)
{
    const uint32_t worlds = REVIEW_VISITS / 4;
    struct review_worlds w;
    struct reach unused;
    ret->seat = v->seat;
    review_worlds_make(v, seed, &w);
    review_chances(&w, m, worlds, ret->chance);
    review_outlook(&w, m, worlds, &ret->outlook);
    for (int s = 0; s < v->players; s++)
        for (int y = 0; y < N_YAKU; y++)
            ret->open[s][y] = review_lacks(v, m, s, (enum yaku)y, &unused);
}

static double square(double x)
{
    return x * x;
}

static void compare(const struct ruleset *g, const struct match *m, const struct forecast *t,
                    struct forecast_sums *sums)
{
    const struct round *end = &m->round;
    bool won = m->last.winner == t->seat, lost = m->last.winner >= 0 && !won;
    sample_add(&sums->outlook,
               square((double)t->outlook.won - won) + square((double)t->outlook.lost - lost));
    for (int s = 0; s < end->players; s++) {
        uint32_t made = review_yaku_held(g, end, s);
        for (int y = 0; y < N_YAKU; y++) {
            double chance = (double)t->chance[s][y];
            if (!t->open[s][y])
                continue;
            struct forecast_tenth *tenth =
                &sums->tenth[at_most((int)(chance * TENTHS), TENTHS - 1)];
            bool came = made >> y & 1;
            tenth->n++;
            tenth->chance += chance;
            tenth->came += came;
            sample_add(&sums->yaku, square(chance - came));
        }
    }
}

static void play(const struct ruleset *g, uint64_t seed, struct forecast_sums *sums)
{
    const struct budget b = {.visits = 0};
    struct rng chance = rng_seed(seed);
    static struct forecast said[A_ROUND];
    struct advice advice;
    struct match m;
    struct view v;
    int n = 0;
    match_dealt(g, &chance, (int)(seed & 1), &m);
    while (m.stage == MATCH_PLAYING) {
        int seat = m.round.turn;
        view_of(g, &m, seat, &v);
        search_under(g, &v, LEVEL_MASTER, &b, rng_next(&chance), &advice);
        if (n < A_ROUND && (advice.move.kind == MOVE_PLAY || advice.move.kind == MOVE_KOIKOI))
            foretell(&v, advice.move, rng_next(&chance), &said[n++]);
        match_apply(g, &m, seat, advice.move, NULL);
    }
    for (int i = 0; i < n && m.round.void_why == VOID_NONE; i++)
        compare(g, &m, &said[i], sums);
}

static void print_error(const char *rules, const char *what, const struct sample *s)
{
    printf("{\"bench\":\"forecast\",\"rules\":\"%s\",\"of\":\"%s\",\"mean_square_error\":%.4f,"
           "\"interval\":%.4f}\n",
           rules, what, sample_mean(s), sample_interval(s));
}

int main(int argc, char **argv)
{
    long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : ROUNDS;
    static struct forecast_sums sums;
    int which = argc > 1 ? preset_named(argv[1]) : PRESET_STANDARD;
    if (which == N_PRESETS)
        return fprintf(stderr, "%s: no preset\n", argv[1]), 2;
    for (long k = 0; k < rounds; k++)
        play(preset(which), (uint64_t)k * 7919 + SEED, &sums);
    for (int i = 0; i < TENTHS; i++) {
        const struct forecast_tenth *t = &sums.tenth[i];
        if (t->n > 0)
            printf("{\"bench\":\"forecast\",\"rules\":\"%s\",\"yaku\":%ld,\"forecast\":%.3f,"
                   "\"came\":%.3f}\n",
                   presets[which].name, t->n, t->chance / (double)t->n, t->came / (double)t->n);
    }
    print_error(presets[which].name, "yaku", &sums.yaku);
    print_error(presets[which].name, "won and lost", &sums.outlook);
    return 0;
}
