/* Beliefs about hidden hands: what the play seen tells level `master` of the other hand, by the
 * opponent and by the weight of the evidence.
 *
 *     belief [PRESET [ROUNDS]]
 *
 * One line of JSON an opponent and weight: the bits gained over cards spread evenly, summed over the
 * unseen cards, mean of the plays of a round, and its half-width at 95 % over rounds. Below 0 the
 * belief misleads.
 */
#include "engine/plain_player.h"
#include "engine/positions.h"
#include "engine/presets.h"
#include "engine/sprt.h"
#include "search_level.h"
#include "search_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 300, VISITS = 400, VISITS_OF_MASTER = 4000, PLAIN_WORLDS = 300, SEED = 777 };
enum { LEVEL_PLAIN = N_LEVELS }; /* the plain player */
static const float weights[] = {0.25f, 0.5f, 0.75f, 1};
enum { N_WEIGHTS = sizeof weights / sizeof *weights };
static const double least = 1e-3; /* chance of a card to be in the hand, or not */

/* Bits about the hand of the other of two seats. */
static double bits(const struct belief *b, const struct match *m, const struct view *v)
{
    int other = v->seat == 0 ? 1 : 0;
    double chance[N_CARDS] = {0}, sum = 0;
    double even = (double)v->hand_size[other] / set_count(b->unseen);

    for (int i = 0; i < b->n; i++) {
        double weight = (double)b->upto[i] - (i > 0 ? (double)b->upto[i - 1] : 0);
        for (cardset s = b->hand[i][other]; s; s = set_rest(s))
            chance[set_first(s)] += weight;
    }
    for (cardset s = b->unseen; s && even < 1; s = set_rest(s)) {
        int card = set_first(s);
        double p = fmin(fmax(chance[card], least), 1 - least);
        sum += m->round.hand[other] & CARD(card) ? log2(p / even) : log2((1 - p) / (1 - even));
    }
    return sum;
}

static struct move move_of(const struct ruleset *g, const struct view *v, int player, uint64_t seed)
{
    const struct budget budget = {.visits = player == LEVEL_MASTER ? VISITS_OF_MASTER : 0};
    struct advice advice;

    if (player == LEVEL_PLAIN)
        return plain_player(g, v, PLAIN_WORLDS, seed);
    search_under(g, v, (enum level)player, &budget, seed, &advice);
    return advice.move;
}

/* Plays one round against the player. Adds its mean bits of each weight, if it saw a play. */
static void play(const struct ruleset *g, int player, long round, struct sample *ret)
{
    struct rng chance = rng_seed((uint64_t)round * 7919 + SEED);
    const struct budget budget = {.visits = VISITS};
    static struct belief belief;
    double sum[N_WEIGHTS] = {0};
    struct advice advice;
    struct match m;
    struct view v;
    int n = 0;

    match_dealt(g, &chance, (int)(round & 1), &m);
    while (m.stage == MATCH_PLAYING) {
        int seat = m.round.turn;
        view_of(g, &m, seat, &v);
        if (seat != (round >> 1 & 1)) {
            match_apply(g, &m, seat, move_of(g, &v, player, rng_next(&chance)), NULL);
            continue;
        }
        for (int i = 0; i < N_WEIGHTS && m.round.phase == PHASE_HAND && v.n_seen > 0; i++) {
            belief_make(g, &v, weights[i], &chance, &belief);
            sum[i] += bits(&belief, &m, &v);
            n += i == 0;
        }
        search_under(g, &v, LEVEL_MASTER, &budget, rng_next(&chance), &advice);
        match_apply(g, &m, seat, advice.move, NULL);
    }
    for (int i = 0; i < N_WEIGHTS && n > 0; i++)
        sample_add(&ret[i], sum[i] / n);
}

int main(int argc, char **argv)
{
    long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : ROUNDS;
    int which = PRESET_STANDARD;

    for (int p = 0; p < N_PRESETS && argc > 1; p++)
        which = strcmp(presets[p].name, argv[1]) == 0 ? p : which;
    for (int player = 0; player <= LEVEL_PLAIN; player++) {
        struct sample gained[N_WEIGHTS] = {0};
        for (long k = 0; k < rounds; k++)
            play(preset(which), player, k, gained);
        for (int i = 0; i < N_WEIGHTS; i++)
            printf("{\"bench\":\"belief\",\"rules\":\"%s\",\"opponent\":\"%s\",\"weight\":%.2f,"
                   "\"bits\":%.2f,\"interval\":%.2f}\n",
                   presets[which].name,
                   player == LEVEL_PLAIN ? "plain" : level_key((enum level)player),
                   (double)weights[i], sample_mean(&gained[i]), sample_interval(&gained[i]));
    }
    return 0;
}
