/* See arena_match.h. */
#include "arena_match.h"
#include "positions.h"
#include "search_world.h"
#include "sprt.h"

#include <math.h>
#include <string.h>
#include <time.h>

static void shuffle(uint64_t seed, int round, int attempt, uint8_t *deck)
{
    struct rng chance = rng_seed(seed * 1000003 + (uint64_t)round * 1009 + (uint64_t)attempt);
    deck_by_chance(&chance, deck);
}

static bool is_legal(const struct view *v, struct move m)
{
    for (int i = 0; i < v->n_legal; i++)
        if (same_move(v->legal[i], m))
            return true;
    return false;
}

bool arena_level_pick(void *self, const struct ruleset *g, const struct view *v, uint64_t seed,
                      struct move *ret)
{
    struct arena_level *l = self;
    struct advice a;
    search_under(g, v, l->level, &l->budget, seed, &a);
    *ret = a.move;
    return true;
}

void arena_match(const struct ruleset *g, struct arena_player *const *player, uint64_t seed,
                 struct luck_meter *meter, struct match *ret)
{
    struct rng chance = rng_seed(seed);
    uint8_t deck[N_CARDS];
    struct view v;
    struct move m;
    match_start(&g->rules, 2, 0, ret);
    while (ret->stage != MATCH_OVER) {
        if (ret->stage == MATCH_READY) {
            shuffle(seed, ret->round_no, ret->attempt, deck);
            if (meter)
                luck_deal(meter, ret, deck);
            match_deal(g, ret, deck, NULL);
            continue;
        }
        int seat = ret->round.turn;
        view_of(g, ret, seat, &v);
        clock_t start = clock();
        if (!player[seat]->pick(player[seat]->self, g, &v, rng_next(&chance), &m) ||
            !is_legal(&v, m)) {
            match_leave(g, ret, seat, NULL);
            break;
        }
        player[seat]->seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
        player[seat]->moves++;
        if (meter)
            luck_play(meter, ret, seat, m);
        match_apply(g, ret, seat, m, NULL);
    }
}

/* What a pair of matches, the same deals from both seats, brought the first player: the mean. */
struct arena_pair {
    double win, fair_win;       /* as 0 ... 1 */
    double points, fair_points; /* or coins, a match */
    int rounds;                 /* of both */
};

/* The match on one side of a pair. */
static void play_side(const struct ruleset *g, struct arena_player *a, struct arena_player *b,
                      int side, uint64_t seed, int worlds, struct arena_table *t,
                      struct arena_pair *ret)
{
    struct arena_player *seat[2] = {side ? b : a, side ? a : b};
    struct luck_meter meter;
    struct match m;
    luck_start(&meter, g, side, worlds, seed * 2 + (uint64_t)side);
    arena_match(g, seat, seed, worlds ? &meter : NULL, &m);
    int win = m.winner == side, loss = m.winner == 1 - side;
    double ahead = m.scores[side] - m.scores[1 - side];
    double rate = win + 0.5 * (!win && !loss);
    double points = g->rules.scoring == SCORING_COINS ? ahead / 2 : ahead;
    t->wins += win;
    t->losses += loss;
    t->draws += !win && !loss;
    t->forfeits += m.why == MATCH_LEAVE;
    ret->win += rate / 2;
    ret->fair_win += (rate - meter.sum.win) / 2;
    ret->points += points / 2;
    ret->fair_points += (points - meter.sum.points) / 2;
    ret->rounds += m.round_no;
}

void arena_duel(const struct ruleset *g, struct arena_player *a, struct arena_player *b,
                const struct arena_terms *terms, struct arena_table *ret)
{
    struct sample wins = {0}, points = {0}, fair_wins = {0}, fair_points = {0};
    memset(ret, 0, sizeof *ret);
    for (int k = 0; k < terms->pairs && ret->verdict == SPRT_GOES_ON; k++) {
        struct arena_pair p = {0};
        for (int side = 0; side < 2; side++)
            play_side(g, a, b, side, terms->seed + (uint64_t)k, terms->worlds, ret, &p);
        ret->matches += 2;
        ret->rounds += p.rounds;
        sample_add(&wins, p.win);
        sample_add(&points, 2 * p.points / p.rounds);
        sample_add(&fair_wins, p.fair_win);
        sample_add(&fair_points, p.fair_points);
        if (terms->high > terms->low)
            ret->verdict = (uint8_t)sprt_verdict(&fair_wins, terms->low, terms->high, 0.05);
    }
    ret->win_rate = sample_mean(&wins);
    ret->win_interval = sample_interval(&wins);
    ret->points = sample_mean(&points);
    ret->points_interval = sample_interval(&points);
    ret->fair_rate = sample_mean(&fair_wins);
    ret->fair_interval = sample_interval(&fair_wins);
    ret->fair_points = sample_mean(&fair_points);
    ret->fair_points_interval = sample_interval(&fair_points);
}
