/* The computer player's thinking.
 *
 * 1. What the seat does not see is dealt by chance, many times; hands likelier to have been played
 *    as seen come more often (search_world.h).
 * 2. In each such world every move still in question is made, and all seats play on, each choosing
 *    by what it would see. All moves meet the same cards, so that their difference is not luck.
 *    Where a value net was learned from the rules, that goes on until the searching seat has
 *    played twice more; what its table is worth then is the result. Elsewhere the round is
 *    finished (search_playout.h).
 * 3. A result counts as the chance to win the match that it leaves (equity.h); the points of the
 *    round break ties.
 * 4. Moves that are worse beyond doubt drop out; the rest of the budget goes to the others
 *    (search_race.h). The search ends early where one is left, or where a wrong choice among those
 *    left costs too little to matter.
 * 5. The best of many had some luck too. So the worth of the moves is told by fresh worlds.
 *
 * The weaker levels choose at once (search_level.h) and use the playouts only for the worth they
 * report. To change how it plays: the trained numbers (nets.h), the levels (search_level.c), what a
 * result is worth (equity.c).
 */
#include "search.h"
#include "search_level.h"
#include "search_playout.h"
#include "search_race.h"

#include <math.h>
#include <string.h>

enum { BATCH = 32, MIN_WORLDS = 96 };
/* Fresh worlds, at most, and what they may take of all playouts: one of so many. */
enum { FRESH_WORLDS = 512, FRESH_SHARE = 4 };
/* Points of a round that playouts by a value net promise beyond what comes, where they go on past a
 * turn: good players keep better cards than a belief knows. Where a call of koi-koi is to be
 * decided there is no such gap. By tests/bench/calibration.c. */
static const float promised_too_much = 0.3f;
static const float tie_break = 0.0008f; /* weight of a point of the round against the match */

/* Results of a move, summed over its worlds. */
struct move_sums {
    double points, win;
    uint32_t sure; /* worlds in which this turn won the match */
};

struct thinking {
    const struct view *v;
    const struct habits *h;
    const struct budget *b;
    struct playouts playouts;
    struct belief belief;
    struct rng rng;
    uint32_t visits;
    struct race race;
    struct move_sums sums[MAX_MOVES];
};

/* ---- One playout ----------------------------------------------------------------------------- */

/* Points of a round won by the seat that sees v, less those of its opponents, capped by purses:
 * what a search counts. */
static float points_of(const struct view *v, const struct round_result *result)
{
    float points = (float)result->points;
    if (result->winner < 0)
        return 0;
    if (v->rules.scoring == SCORING_COINS && points > (float)v->scores[1 - result->winner])
        points = (float)v->scores[1 - result->winner];
    return result->winner == v->seat ? points : -points / (float)(v->players - 1);
}

/* Makes move i in a world and plays on. Returns the result's worth. */
static float try_move(struct thinking *t, int i, const struct round *world)
{
    const struct stakes *stakes = &t->playouts.stakes;
    struct move_sums *a = &t->sums[i];
    int next = (t->v->seat + 1) % t->v->players;
    struct playout_end came;
    struct round r;
    if (!playout_run(&t->playouts, world, t->v->legal[i], &r, &came)) {
        bool again = r.void_why != VOID_NONE;
        came.points = again ? 0 : points_of(t->v, &r.result);
        came.win = again ? stakes->again : stakes_of(stakes, r.result.winner, r.result.points);
    }
    bool went_on = r.hand[next] != world->hand[next];
    if (t->playouts.value.net != NULL && went_on && t->v->phase != PHASE_DECIDE) {
        came.points -= promised_too_much;
        came.win = fmaxf(came.win - promised_too_much * t->playouts.point, 0);
    }
    a->points += came.points;
    a->win += came.win;
    a->sure += came.win > certain_win && !went_on;
    t->visits++;
    return t->h->match ? came.win + tie_break * came.points : came.points;
}

/* ---- All moves, until the choice is settled -------------------------------------------------- */

/* Tries all candidates in one world. */
static void try_world(struct thinking *t, uint32_t k)
{
    float worth[MAX_MOVES];
    struct round world;
    world_draw(t->v, &t->belief, world_fraction(k), &t->rng, &world);
    for (int i = 0; i < t->race.n; i++)
        if (!t->race.at[i].out)
            worth[i] = try_move(t, i, &world);
    race_add(&t->race, worth);
}

static bool is_spent(const struct thinking *t)
{
    return t->b->spent != NULL && t->b->spent(t->b->arg);
}

static void think(struct thinking *t, uint32_t limit)
{
    for (uint32_t k = 0;; k++) {
        int n = race_left(&t->race);
        if (t->visits + (uint32_t)n > limit && k > 0)
            break;
        try_world(t, k);
        if ((k + 1) % BATCH != 0)
            continue;
        if (is_spent(t))
            break;
        if (k + 1 >= MIN_WORLDS && race_prune(&t->race) < (double)t->h->settled)
            break;
    }
}

/* The leader; a move that wins the match now, whatever is hidden, comes before more points. */
static int chosen(const struct thinking *t)
{
    const struct runner *at = t->race.at;
    int pick = -1;
    for (int i = 0; i < t->race.n; i++) {
        const struct runner *a = &at[i], *b = &at[pick < 0 ? i : pick];
        if (a->n > 0 && t->sums[i].sure == a->n && a->worth / a->n >= b->worth / b->n)
            pick = i;
    }
    return pick < 0 ? race_leader(&t->race) : pick;
}

/* ---- The result ------------------------------------------------------------------------------ */

/* All moves once more, in at most as many worlds as the leader has seen: for the budget set
 * aside. */
static void weigh_anew(struct thinking *t, uint32_t playouts)
{
    uint32_t worlds = playouts / t->v->n_legal, seen = t->race.at[race_leader(&t->race)].n;
    if (worlds > seen)
        worlds = seen;
    if (worlds > FRESH_WORLDS)
        worlds = FRESH_WORLDS;
    if (worlds == 0)
        return;
    race_start(&t->race, t->v->n_legal);
    memset(t->sums, 0, sizeof t->sums);
    for (uint32_t k = 0; k < worlds; k++) {
        try_world(t, k);
        if ((k + 1) % BATCH == 0 && is_spent(t))
            break;
    }
}

static void put_advice(const struct thinking *t, int pick, struct advice *ret)
{
    memset(ret, 0, sizeof *ret);
    ret->n = (uint8_t)t->race.n;
    for (int i = 0; i < t->race.n; i++) {
        uint32_t n = t->race.at[i].n;
        ret->at[i].move = t->v->legal[i];
        ret->at[i].visits = n;
        if (n == 0)
            continue;
        ret->at[i].value = (float)(t->sums[i].points / n);
        ret->at[i].win = (float)(t->sums[i].win / n);
    }
    ret->playouts = t->visits;
    ret->move = ret->at[pick].move;
    ret->value = ret->at[pick].value;
    ret->win = ret->at[pick].win;
    /* nothing seems better than what was chosen for the best, whatever the luck of few worlds */
    for (int i = 0; i < t->race.n && t->h->thinks; i++)
        ret->at[i].win = fminf(ret->at[i].win, ret->win);
}

void search_as(const struct ruleset *g, const struct view *v, const struct habits *h,
               const struct budget *b, uint64_t seed, struct advice *ret)
{
    struct thinking t;
    struct round world;
    bool own = b->visits == 0 || (b->visits > h->visits && !h->longer);
    t = (struct thinking){.v = v, .h = h, .b = b, .rng = rng_seed(seed)};
    uint32_t limit = own ? h->visits : b->visits;
    race_start(&t.race, v->n_legal);
    playouts_start(g, v, h, &t.playouts);
    belief_make(g, v, t.h->inference, &t.rng, &t.belief);
    world_draw(v, &t.belief, 0, &t.rng, &world);
    uint32_t fresh = h->weighs && v->n_legal > 1 ? limit / FRESH_SHARE : 0;
    think(&t, limit - fresh);
    int pick = t.h->thinks ? chosen(&t) : habit_pick(g, t.h, v, &world, seed);
    weigh_anew(&t, fresh);
    put_advice(&t, pick, ret);
}

void search_under(const struct ruleset *g, const struct view *v, enum level level,
                  const struct budget *b, uint64_t seed, struct advice *ret)
{
    search_as(g, v, &habits[level], b, seed, ret);
}

void search(const struct view *v, enum level level, const struct budget *b, uint64_t seed,
            struct advice *ret)
{
    struct ruleset g;
    ruleset_make(&v->rules, &g);
    search_under(&g, v, level, b, seed, ret);
}
