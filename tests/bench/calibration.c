/* Expected against actual points: what level `master` says a move is worth, and what came of it in
 * its own company.
 *
 *     calibration [PRESET [ROUNDS [VISITS]]]
 *
 * One line of JSON for each number of cards in the hand of the seat to play, and one for calls of
 * koi-koi: how many, the mean `value` of those chosen, the mean of the points that came, won less
 * lost, without the luck of the cards after the move (arena_luck.h), their difference, and its
 * half-width at 95 %.
 */
#include "engine/arena_luck.h"
#include "engine/positions.h"
#include "engine/presets.h"
#include "engine/sprt.h"
#include "search.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 1000, WORLDS = 96, A_ROUND = 32, MOST_CARDS = 8, SEED = 5 };
/* Rows: plays by the cards in hand, 1 ... MOST_CARDS, and calls. */
enum { CALLS = 0, ROWS = MOST_CARDS + 1 };

struct calibration_move {
    int seat, row;
    double value, luck; /* luck of seat 0 until then */
};
struct calibration_row {
    double expected, came;
    struct sample gap;
    long n;
};

static void add(struct calibration_row *rows, const struct calibration_move *s, double points,
                double luck)
{
    struct calibration_row *row = &rows[s->row];
    double came = points - (luck - s->luck);
    came = s->seat == 0 ? came : -came;
    row->n++;
    row->expected += s->value;
    row->came += came;
    sample_add(&row->gap, came - s->value);
}

/* The row of a move; -1: of none. */
static int row_of(const struct view *v, struct move m)
{
    if (m.kind == MOVE_KOIKOI)
        return CALLS;
    return m.kind == MOVE_PLAY ? at_most(set_count(v->hand), MOST_CARDS) : -1;
}

static void play(const struct ruleset *g, const struct budget *b, uint64_t seed,
                 struct calibration_row *rows)
{
    struct rng chance = rng_seed(seed);
    struct calibration_move said[A_ROUND];
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
        int row = row_of(&v, advice.move);
        if (row >= 0 && n < A_ROUND)
            said[n++] = (struct calibration_move){
                .seat = seat, .row = row, .value = (double)advice.value, .luck = meter.sum.points};
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
    static const char *const names[ROWS] = {"calls",   "1 card",  "2 cards", "3 cards", "4 cards",
                                            "5 cards", "6 cards", "7 cards", "8 cards"};
    static struct calibration_row rows[ROWS];
    int which = argc > 1 ? preset_named(argv[1]) : PRESET_STANDARD;
    if (which == N_PRESETS)
        return fprintf(stderr, "%s: no preset\n", argv[1]), 2;
    for (long k = 0; k < rounds; k++)
        play(preset(which), &b, (uint64_t)k * 7919 + SEED, rows);
    for (int row = MOST_CARDS; row >= 0; row--) {
        const struct calibration_row *r = &rows[row];
        if (r->n < 2)
            continue;
        printf("{\"bench\":\"calibration\",\"rules\":\"%s\",\"of\":\"%s\",\"moves\":%ld,"
               "\"expected\":%.2f,\"came\":%.2f,\"gap\":%.2f,\"interval\":%.2f}\n",
               presets[which].name, names[row], r->n, r->expected / (double)r->n,
               r->came / (double)r->n, sample_mean(&r->gap), sample_interval(&r->gap));
    }
    return 0;
}
