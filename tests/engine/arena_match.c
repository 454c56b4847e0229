/* Duplicate matches: see arena_match.h. */
#include "arena_match.h"
#include "positions.h"
#include "search_world.h"

#include <math.h>
#include <string.h>
#include <time.h>

static void shuffle(uint64_t seed, int round, int attempt, uint8_t *deck)
{
    struct luck chance = luck_seed(seed * 1000003 + (uint64_t)round * 1009 + (uint64_t)attempt);

    deck_by_chance(&chance, deck);
}

static bool is_legal(const struct view *v, struct move m)
{
    for (int i = 0; i < v->n_legal; i++)
        if (v->legal[i].kind == m.kind && v->legal[i].card == m.card && v->legal[i].take == m.take)
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
                 struct match *ret)
{
    struct luck chance = luck_seed(seed);
    uint8_t deck[N_CARDS];
    struct view v;
    struct move m;

    match_start(&g->rules, 2, 0, ret);
    while (ret->stage != MATCH_OVER) {
        if (ret->stage == MATCH_READY) {
            shuffle(seed, ret->round_no, ret->attempt, deck);
            match_deal(g, ret, deck, NULL);
            continue;
        }
        int seat = ret->round.turn;
        view_of(g, ret, seat, &v);
        clock_t start = clock();
        if (!player[seat]->pick(player[seat]->self, g, &v, luck_next(&chance), &m) ||
            !is_legal(&v, m)) {
            match_leave(g, ret, seat, NULL);
            break;
        }
        player[seat]->seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
        player[seat]->moves++;
        match_apply(g, ret, seat, m, NULL);
    }
}

struct sums {
    double n, sum, squares;
};

static void add(struct sums *s, double x)
{
    s->n++;
    s->sum += x;
    s->squares += x * x;
}

static double interval(const struct sums *s)
{
    double mean = s->sum / s->n;

    return s->n < 2 ? INFINITY : 1.96 * sqrt(fmax(s->squares / s->n - mean * mean, 0) / (s->n - 1));
}

void arena_duel(const struct ruleset *g, struct arena_player *a, struct arena_player *b, int pairs,
                uint64_t seed, struct arena_table *ret)
{
    struct sums wins = {0}, points = {0};

    memset(ret, 0, sizeof *ret);
    for (int k = 0; k < pairs; k++) {
        double won = 0, gained = 0, rounds = 0;
        for (int side = 0; side < 2; side++) {
            struct arena_player *seat[2] = {side ? b : a, side ? a : b};
            struct match m;
            arena_match(g, seat, seed + (uint64_t)k, &m);
            int win = m.winner == side, loss = m.winner == 1 - side;
            double ahead = m.scores[side] - m.scores[1 - side];
            ret->wins += win;
            ret->losses += loss;
            ret->draws += !win && !loss;
            ret->forfeits += m.why == MATCH_LEAVE;
            won += win + 0.5 * (!win && !loss);
            gained += g->rules.scoring == SCORING_COINS ? ahead / 2 : ahead;
            rounds += m.round_no;
        }
        ret->rounds += (long)rounds;
        add(&wins, won / 2);
        add(&points, gained / rounds);
    }
    ret->matches = 2 * pairs;
    ret->win_rate = wins.sum / wins.n;
    ret->win_interval = interval(&wins);
    ret->points = points.sum / points.n;
    ret->points_interval = interval(&points);
}
