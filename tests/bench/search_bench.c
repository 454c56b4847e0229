/* Figures of the computer player, one JSON object each: speed of the search, distance from perfect
 * play in the last turns, what ends it early costs, calls with three players, calibration of its
 * chances.
 *
 *     build/tests/bench/search_bench [MATCHES [JUDGED]]
 *
 * MATCHES are of the calibration, default 60; fewer take as much from the other figures' positions. JUDGED positions
 * show what an early end costs, default 24 of 60 matches: of rounds of master against itself, by a search of 25,000
 * playouts for each move.
 *
 * Speed is CPU time of one core. Regret is in points of the round against tests/engine/endgame.h,
 * on random positions in which the choice matters. Calibration: in matches of hard against itself
 * under `standard`, the chance to win that the mover estimated before each move, in ten bins,
 * against the results.
 */
#include "engine/arena_match.h"
#include "engine/endgame.h"
#include "engine/positions.h"
#include "engine/presets.h"
#include "search_call.h"
#include "search_level.h"
#include "search_policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { POSITIONS = 24, ENDINGS = 500, BINS = 10, DEALS = 20000, MATCHES = 60, JUDGED = 24 };

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- Speed ----------------------------------------------------------------------------------- */

static bool view_at(const struct ruleset *g, uint64_t seed, int moves, struct match *m,
                    struct view *ret)
{
    if (!position(g, 2, seed, moves, m))
        return false;
    view_of(g, m, m->round.turn, ret);
    return true;
}

static void speed(const char *name, int which)
{
    const struct ruleset *g = preset(which);
    double seconds = 0, n = 0, slowest = 0, moves = 0;
    struct advice a;
    struct match m;
    struct view v;
    for (uint64_t seed = 0; moves < POSITIONS; seed++) {
        if (!view_at(g, seed, (int)(seed % 12), &m, &v))
            continue;
        double start = cpu_seconds();
        search(&v, LEVEL_MASTER, &(struct budget){.visits = 0}, seed, &a);
        double took = cpu_seconds() - start;
        seconds += took;
        slowest = took > slowest ? took : slowest;
        n += a.playouts;
        moves++;
    }
    printf("{\"bench\":\"search_playouts_%s\",\"per_second\":%.0f,\"ms_a_move\":%.2f,"
           "\"slowest_ms\":%.1f}\n",
           name, n / seconds, 1e3 * seconds / moves, 1e3 * slowest);
}

/* ---- Regret ---------------------------------------------------------------------------------- */

struct regret {
    int n;
    double lost, worst, apart;
};

static void add_ending(const struct ruleset *g, const struct match *m, uint64_t seed,
                       struct regret *r)
{
    double worth[MAX_MOVES], best = -1e9, least = 1e9;
    struct advice a;
    struct view v;
    view_of(g, m, m->round.turn, &v);
    v.n_seen = 0; /* random play: no inference */
    for (int i = 0; i < v.n_legal; i++) {
        worth[i] = endgame_worth(g, m, v.legal[i]);
        best = worth[i] > best ? worth[i] : best;
        least = worth[i] < least ? worth[i] : least;
    }
    if (best - least < 0.01)
        return;
    for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++, r++) {
        int made = 0;
        search(&v, l, &(struct budget){.visits = 0}, seed, &a);
        while (a.at[made].move.card != a.move.card || a.at[made].move.take != a.move.take)
            made++;
        r->n++;
        r->lost += best - worth[made];
        r->worst = best - worth[made] > r->worst ? best - worth[made] : r->worst;
        r->apart += best - least;
    }
}

static void regret(int endings, int own, int other)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct regret r[N_LEVELS] = {0};
    for (uint64_t seed = 0; r[0].n < endings; seed++) {
        struct match m;
        if (!position(g, 2, seed, 14 + (int)(seed % 6), &m) || m.round.phase != PHASE_HAND)
            continue;
        int me = m.round.turn;
        if (set_count(m.round.hand[me]) == own && set_count(m.round.hand[1 - me]) == other)
            add_ending(g, &m, seed, r);
    }
    for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++)
        printf("{\"bench\":\"endgame_regret\",\"level\":\"%s\",\"own_cards\":%d,\"other_cards\":%d,"
               "\"positions\":%d,\"mean\":%.4f,\"worst\":%.3f,\"best_to_worst_move\":%.2f}\n",
               level_key(l), own, other, r[l].n, r[l].lost / r[l].n, r[l].worst,
               r[l].apart / r[l].n);
}

/* ---- The early end --------------------------------------------------------------------------- */

static const float settled_at[] = {2e-4f, 5e-5f, 2e-5f, 1e-5f, 0};
enum { N_SETTLED = sizeof settled_at / sizeof *settled_at, JUDGE_VISITS = 25000, TRIES = 3 };

struct early_end {
    double lost, seconds; /* chances of a match */
};

/* A choice of a round of master, which thinks briefly, against itself. */
static bool choice_of_master(const struct ruleset *g, uint64_t seed, struct view *ret)
{
    struct rng chance = rng_seed(seed * 977 + 5);
    struct advice a;
    struct match m;
    match_dealt(g, &chance, seed & 1, &m);
    m.round_no = (uint16_t)(1 + rng_below(rng_next(&chance), g->rules.rounds));
    for (int moves = (int)rng_below(rng_next(&chance), 24); m.stage == MATCH_PLAYING; moves--) {
        view_of(g, &m, m.round.turn, ret);
        if (moves <= 0)
            return ret->n_legal > 1;
        search_under(g, ret, LEVEL_MASTER, &(struct budget){.visits = 400}, rng_next(&chance), &a);
        match_apply(g, &m, m.round.turn, a.move, NULL);
    }
    return false;
}

static void end_early(const struct ruleset *g, const struct view *v, uint64_t seed,
                      struct early_end *ret)
{
    struct habits h = habits[LEVEL_MASTER];
    struct advice a, judge;
    double best = 0;
    h.weighs = false;
    h.settled = -1; /* never */
    search_as(g, v, &h, &(struct budget){.visits = (uint32_t)JUDGE_VISITS * v->n_legal}, seed,
              &judge);
    for (int i = 0; i < v->n_legal; i++)
        best = judge.at[i].win > best ? judge.at[i].win : best;
    for (int k = 0; k < N_SETTLED; k++)
        for (int i = 0; i < TRIES; i++) {
            double start = cpu_seconds();
            h.settled = settled_at[k];
            search_as(g, v, &h, &(struct budget){0}, seed * TRIES + i + 1000000, &a);
            ret[k].seconds += (cpu_seconds() - start) / TRIES;
            for (int m = 0; m < v->n_legal; m++)
                if (same_move(a.move, v->legal[m]))
                    ret[k].lost += (best - judge.at[m].win) / TRIES;
        }
}

static void early_ends(int positions)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct early_end of[N_SETTLED] = {0};
    struct view v;
    for (uint64_t seed = 0, n = 0; n < (uint64_t)positions; seed++)
        if (choice_of_master(g, seed, &v)) {
            end_early(g, &v, seed, of);
            n++;
        }
    for (int k = 0; k < N_SETTLED; k++)
        printf("{\"bench\":\"early_end\",\"settled\":%g,\"positions\":%d,\"lost_of_a_match\":%.6f,"
               "\"ms_a_move\":%.1f}\n",
               (double)settled_at[k], positions, of[k].lost / positions,
               1e3 * of[k].seconds / positions);
}

/* ---- Calls where three play ------------------------------------------------------------------ */

/* Points of the policy on seat `mine`, less half of the others' points. heeding: it calls only
 * where the net agrees. */
static double policy_gets(const struct ruleset *g, int mine, bool heeding, int dealer,
                          const uint8_t *deck)
{
    const struct call_net *net = call_net_for(g, 3);
    struct move moves[MAX_MOVES];
    struct round r;
    round_deal(g, 3, dealer, deck, &r, NULL);
    while (r.phase != PHASE_OVER) {
        int n = round_legal(g, &r, r.turn, moves),
            pick = policy_pick(g, &policy_tuned, &r, moves, n);
        if (heeding && r.turn == mine && moves[pick].kind == MOVE_KOIKOI && r.hand[mine] != 0 &&
            !call_is_better(net, g, &r))
            pick = 1 - pick;
        round_apply(g, &r, r.turn, moves[pick], NULL);
    }
    if (r.result.winner < 0)
        return 0;
    return r.result.winner == mine ? r.result.points : -r.result.points / 2.0;
}

static void calls_of_three(int deals)
{
    const struct ruleset *g = preset(PRESET_MONGOLOPEDIA);
    struct rng chance = rng_seed(9);
    uint8_t deck[N_CARDS];
    double sum = 0;
    for (int i = 0; i < deals; i++) {
        deck_by_chance(&chance, deck);
        for (int s = 0; s < 3; s++)
            sum += policy_gets(g, s, true, i % 3, deck) - policy_gets(g, s, false, i % 3, deck);
    }
    printf("{\"bench\":\"calls_of_three\",\"deals\":%d,\"points_a_round\":%.3f}\n", deals,
           sum / (3 * deals));
}

/* ---- Calibration ----------------------------------------------------------------------------- */

enum { MOST = 4096 };

/* Estimates of one match, by seat. */
struct win_claims {
    int n;
    float win[MOST];
    uint8_t seat[MOST];
};

static bool pick_and_note(void *self, const struct ruleset *g, const struct view *v, uint64_t seed,
                          struct move *ret)
{
    struct win_claims *s = self;
    struct advice a;
    (void)g;
    search(v, LEVEL_HARD, &(struct budget){.visits = 0}, seed, &a);
    if (s->n < MOST) {
        s->seat[s->n] = (uint8_t)v->seat;
        s->win[s->n++] = a.win;
    }
    *ret = a.move;
    return true;
}

static void calibration(int matches)
{
    static struct win_claims said;
    double predicted[BINS] = {0}, won[BINS] = {0};
    long n[BINS] = {0};
    struct arena_player one = {.name = "hard", .pick = pick_and_note, .self = &said};
    struct arena_player *const both[2] = {&one, &one};
    for (int k = 0; k < matches; k++) {
        struct match m;
        said.n = 0;
        arena_match(preset(PRESET_STANDARD), both, 7000 + (uint64_t)k, NULL, &m);
        for (int i = 0; i < said.n; i++) {
            int bin = (int)(said.win[i] * BINS);
            bin = bin < BINS ? bin : BINS - 1;
            n[bin]++;
            predicted[bin] += (double)said.win[i];
            won[bin] += m.winner < 0 ? 0.5 : m.winner == said.seat[i];
        }
    }
    for (int b = 0; b < BINS; b++)
        if (n[b] > 0)
            printf("{\"bench\":\"calibration\",\"matches\":%d,\"from\":%.1f,\"moves\":%ld,"
                   "\"predicted\":%.3f,\"realised\":%.3f}\n",
                   matches, (double)b / BINS, n[b], predicted[b] / (double)n[b],
                   won[b] / (double)n[b]);
}

/* The share of a usual number that so many matches call for, at least one. */
static int share(int usual, int matches)
{
    return matches >= MATCHES ? usual : matches * usual / MATCHES + 1;
}

int main(int argc, char **argv)
{
    int matches = argc > 1 ? (int)strtol(argv[1], NULL, 10) : MATCHES;
    matches = matches < 1 ? 1 : matches;
    int judged = argc > 2 ? (int)strtol(argv[2], NULL, 10) : share(JUDGED, matches);
    speed("standard", PRESET_STANDARD);
    speed("sensei", PRESET_SENSEI);
    speed("mongolopedia", PRESET_MONGOLOPEDIA);
    regret(share(ENDINGS, matches), 1, 0);
    regret(share(ENDINGS, matches), 1, 1);
    regret(share(ENDINGS, matches), 2, 1);
    early_ends(judged < 1 ? 1 : judged);
    calls_of_three(share(DEALS, matches));
    calibration(matches);
}
