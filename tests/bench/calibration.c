/* Expected against actual points: what level `master` says a move is worth, and what came of it in
 * its own company.
 *
 *     calibration [PRESET [ROUNDS [VISITS]]]
 *
 * One line of JSON for each number of cards in the hand of the seat to play: the plays, the mean
 * `value` of those chosen, the mean of the points that came, won less lost, without the luck of the
 * cards after the move (arena_luck.h), their difference, and its half-width at 95 %.
 */
#include "engine/arena_luck.h"
#include "engine/positions.h"
#include "engine/presets.h"
#include "engine/sprt.h"
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 1000, WORLDS = 96, A_ROUND = 32, MOST_CARDS = 8, SEED = 5 };

struct calibration_play {
    int seat, cards;
    double value, luck; /* luck of seat 0 until then */
};
struct calibration_row {
    double expected, came;
    struct sample gap;
    long n;
};

static void add(struct calibration_row *row, const struct calibration_play *s, double points,
                double luck)
{
    int cards = s->cards < MOST_CARDS ? s->cards : MOST_CARDS;
    double came = points - (luck - s->luck);

    came = s->seat == 0 ? came : -came;
    row[cards].n++;
    row[cards].expected += s->value;
    row[cards].came += came;
    sample_add(&row[cards].gap, came - s->value);
}

static void play(const struct ruleset *g, const struct budget *b, uint64_t seed,
                 struct calibration_row *rows)
{
    struct rng chance = rng_seed(seed);
    struct calibration_play said[A_ROUND];
    struct luck_meter meter;
    struct advice advice;
    struct match m;
    struct view v;
    int n = 0;

    match_dealt(g, &chance, (int)(seed & 1), &m);
    luck_start(&meter, g, 0, WORLDS, seed);
    luck_round(&meter, &m);
    while (m.stage == MATCH_PLAYING) {
        int seat = m.round.turn;
        view_of(g, &m, seat, &v);
        search_under(g, &v, LEVEL_MASTER, b, rng_next(&chance), &advice);
        if (m.round.phase == PHASE_HAND && n < A_ROUND)
            said[n++] = (struct calibration_play){.seat = seat,
                                                  .cards = set_count(v.hand),
                                                  .value = (double)advice.value,
                                                  .luck = meter.sum.points};
        luck_play(&meter, &m, seat, advice.move);
        match_apply(g, &m, seat, advice.move, NULL);
    }
    double points = m.last.winner < 0 ? 0 : m.last.winner == 0 ? m.last.points : -m.last.points;
    for (int i = 0; i < n; i++)
        add(rows, &said[i], points, meter.sum.points);
}

int main(int argc, char **argv)
{
    long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : ROUNDS;
    struct budget b = {.visits = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0};
    static struct calibration_row rows[MOST_CARDS + 1];
    int which = PRESET_STANDARD;

    for (int p = 0; p < N_PRESETS && argc > 1; p++)
        which = strcmp(presets[p].name, argv[1]) == 0 ? p : which;
    for (long k = 0; k < rounds; k++)
        play(preset(which), &b, (uint64_t)k * 7919 + SEED, rows);
    for (int cards = MOST_CARDS; cards > 0; cards--) {
        const struct calibration_row *r = &rows[cards];
        if (r->n < 2)
            continue;
        printf("{\"bench\":\"calibration\",\"rules\":\"%s\",\"cards\":%d,\"plays\":%ld,"
               "\"expected\":%.2f,\"came\":%.2f,\"gap\":%.2f,\"interval\":%.2f}\n",
               presets[which].name, cards, r->n, r->expected / (double)r->n, r->came / (double)r->n,
               sample_mean(&r->gap), sample_interval(&r->gap));
    }
    return 0;
}
