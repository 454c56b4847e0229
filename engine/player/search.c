/* The computer player's thinking.
 *
 * 1. What the seat does not see is dealt by chance, many times, hands likelier to have been played
 * as
 *    seen more often (search_world.h).
 * 2. In each such world every move still in question is made and the round finished by the tuned
 * policy
 *    for all seats, each choosing by what it would see (search_policy.h; koi-koi by search_call.h): the
 *    same cards for every move, so that their difference is not luck.
 * 3. A result counts as the chance to win the match that it leaves (equity.h); the points of the
 * round
 *    decide only what the match leaves open.
 * 4. Moves that are worse beyond doubt drop out; what is left of the budget goes to the others. It
 * ends
 *    early where the move is settled: one is left, or those that are left differ by too little to matter.
 *
 * The weaker levels choose at once (search_level.h), and use the playouts only for the worth they
 * report. To change how it plays: numbers in search_weights.c (`make tune`), levels in
 * search_level.c, what a result is worth in equity.c.
 */
#include "search.h"
#include "equity.h"
#include "search_call.h"
#include "search_level.h"

#include <math.h>
#include <string.h>

enum { BATCH = 32, MIN_WORLDS = 96 };
static const float doubt = 3.2f;        /* standard errors between a move in question and one not */
static const float care = 0.0002f;      /* what a wrong choice may cost before it is thought over */
#define SURE 0.995f                     /* a chance to win the match that nobody plays on for */
static const float per_point = 0.0008f; /* what a point is worth beside the match */

struct arm {
    double worth, points, win;
    uint32_t n, sure; /* worlds tried; of these the match was won within the turn */
    bool out;
};

struct thinking {
    const struct ruleset *g;
    const struct view *v;
    const struct habits *h;
    const struct budget *b;
    const struct call_net *calls; /* NULL: the policy decides */
    struct stakes stakes;
    struct belief belief;
    struct luck luck;
    uint32_t visits, limit;
    int n;
    struct arm arm[MAX_MOVES];
    float now[MAX_MOVES];               /* worth of each move in the world at hand */
    double cross[MAX_MOVES][MAX_MOVES]; /* sums of products of worths, for the leftover moves */
};

/* ---- One playout ----------------------------------------------------------------------------- */

/* Where the match hangs on the decision nothing else is asked: a win is taken, a loss is not. Two
 * players call as they have learned; three where the policy would too. -1: the policy decides. */
static int decided(const struct thinking *t, const struct round *r)
{
    if (!t->h->match || r->hand[r->turn] == 0)
        return -1;
    if (r->players == 2) {
        float win = stakes_of(&t->stakes, r->turn, round_pays(t->g, r));
        if (r->turn != (uint8_t)t->v->seat)
            win = 1 - win;
        if (win > SURE || win < 1 - SURE)
            return win > 0.5f ? MOVE_STOP : MOVE_KOIKOI;
    }
    if (t->calls == NULL)
        return -1;
    if (!call_is_better(t->calls, t->g, r))
        return MOVE_STOP;
    return r->players == 2 ? MOVE_KOIKOI : -1;
}

static void play_out(const struct thinking *t, struct round *r)
{
    struct move moves[MAX_MOVES];

    while (r->phase != PHASE_OVER) {
        int n = round_legal(t->g, r, r->turn, moves), pick = -1;
        int kind = r->phase == PHASE_DECIDE ? decided(t, r) : -1;
        for (int i = 0; i < n && kind >= 0; i++)
            pick = moves[i].kind == kind ? i : pick;
        if (pick < 0)
            pick = policy_pick(t->g, &policy_tuned, r, moves, n);
        round_apply(t->g, r, r->turn, moves[pick], NULL);
    }
}

/* Points won by the seat, less those others win; a purse caps them. */
static float points_of(const struct view *v, const struct round_result *result)
{
    float points = (float)result->points;

    if (result->winner < 0)
        return 0;
    if (v->rules.scoring == SCORING_COINS && points > (float)v->scores[1 - result->winner])
        points = (float)v->scores[1 - result->winner];
    return result->winner == v->seat ? points : -points / (float)(v->players - 1);
}

static void try_move(struct thinking *t, int i, const struct round *world)
{
    struct round r = *world;
    struct arm *a = &t->arm[i];
    int next = (t->v->seat + 1) % t->v->players;

    round_apply(t->g, &r, t->v->seat, t->v->legal[i], NULL);
    play_out(t, &r);
    bool again = r.void_why != VOID_NONE;
    float points = again ? 0 : points_of(t->v, &r.result);
    float win = again ? t->stakes.again : stakes_of(&t->stakes, r.result.winner, r.result.points);
    t->now[i] = t->h->match ? win + per_point * points : points;
    a->worth += t->now[i];
    a->points += points;
    a->win += win;
    a->sure += win > SURE && r.hand[next] == world->hand[next];
    a->n++;
    t->visits++;
}

/* ---- All moves, and which of them stay ------------------------------------------------------- */

static int leader(const struct thinking *t)
{
    int best = -1;

    for (int i = 0; i < t->n; i++)
        if (!t->arm[i].out && (best < 0 || t->arm[i].worth > t->arm[best].worth))
            best = i;
    return best;
}

static int left_in(const struct thinking *t)
{
    int n = 0;

    for (int i = 0; i < t->n; i++)
        n += !t->arm[i].out;
    return n;
}

/* All moves in question in one world. */
static void try_world(struct thinking *t, uint32_t k)
{
    float fraction = fmodf(0.5f + 0.61803399f * (float)(k & 0xffff), 1);
    struct round world;

    world_draw(t->v, &t->belief, fraction, &t->luck, &world);
    for (int i = 0; i < t->n; i++)
        if (!t->arm[i].out)
            try_move(t, i, &world);
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j <= i && !t->arm[i].out; j++)
            t->cross[i][j] += t->arm[j].out ? 0 : (double)t->now[i] * t->now[j];
}

/* What is lost by taking the leader, should this one be better after all: how likely times how
 * much, for a difference that is `mean` ahead and known to `error`. */
static double loss_to(double mean, double error)
{
    double z = mean / error;

    return error * (0.39894228 * exp(-0.5 * z * z) - z * 0.5 * erfc(z * 0.70710678));
}

/* Drops what is worse than the leader beyond doubt: the spread is that of their difference. What
 * the rest may still cost is answered. */
static double drop(struct thinking *t)
{
    int best = leader(t);
    double n = t->arm[best].n, cost = 0;

    for (int i = 0; i < t->n; i++) {
        if (i == best || t->arm[i].out)
            continue;
        double mean = (t->arm[best].worth - t->arm[i].worth) / n;
        double both = i > best ? t->cross[i][best] : t->cross[best][i];
        double square = (t->cross[best][best] + t->cross[i][i] - 2 * both) / n;
        double error = sqrt(fmax(square - mean * mean, 0) / n) + 1e-9;
        t->arm[i].out = mean > doubt * error;
        cost += t->arm[i].out ? 0 : loss_to(mean, error);
    }
    return cost;
}

static void think(struct thinking *t)
{
    for (uint32_t k = 0;; k++) {
        int n = left_in(t);
        if (t->visits + (uint32_t)n > t->limit && k > 0)
            break;
        try_world(t, k);
        if ((k + 1) % BATCH != 0)
            continue;
        if (t->b->spent != NULL && t->b->spent(t->b->arg))
            break;
        if (k + 1 >= MIN_WORLDS && drop(t) < care)
            break;
    }
}

/* The leader; but what wins the match now, whatever is hidden, is not given up for more points. */
static int chosen(const struct thinking *t)
{
    int pick = -1;

    for (int i = 0; i < t->n; i++) {
        const struct arm *a = &t->arm[i], *b = &t->arm[pick < 0 ? i : pick];
        if (a->n > 0 && a->sure == a->n && a->worth / a->n >= b->worth / b->n)
            pick = i;
    }
    return pick < 0 ? leader(t) : pick;
}

/* ---- The answer ------------------------------------------------------------------------------ */

static void answer(const struct thinking *t, int pick, struct advice *ret)
{
    memset(ret, 0, sizeof *ret);
    ret->n = (uint8_t)t->n;
    for (int i = 0; i < t->n; i++) {
        const struct arm *a = &t->arm[i];
        ret->at[i].move = t->v->legal[i];
        ret->at[i].visits = a->n;
        if (a->n == 0)
            continue;
        ret->at[i].value = (float)(a->points / a->n);
        ret->at[i].win = (float)(a->win / a->n);
    }
    ret->move = ret->at[pick].move;
    ret->value = ret->at[pick].value;
    ret->win = ret->at[pick].win;
}

/* A level is what it is: only the highest thinks longer than its own number when it is allowed
 * to. */
static uint32_t limit_of(enum level level, const struct budget *b)
{
    uint32_t own = habits[level].visits;

    return b->visits == 0 || (b->visits > own && level != LEVEL_MASTER) ? own : b->visits;
}

void search_under(const struct ruleset *g, const struct view *v, enum level level,
                  const struct budget *b, uint64_t seed, struct advice *ret)
{
    struct thinking t;
    struct round world;

    t = (struct thinking){.g = g,
                          .v = v,
                          .h = &habits[level],
                          .b = b,
                          .luck = luck_seed(seed),
                          .limit = limit_of(level, b),
                          .n = v->n_legal};
    if (t.h->calls)
        t.calls = call_net_for(g, v->players);
    if (t.h->thinks)
        stakes_make(v, &t.stakes);
    belief_make(g, v, t.h->inference, &t.luck, &t.belief);
    world_draw(v, &t.belief, 0, &t.luck, &world);
    think(&t);
    answer(&t, t.h->thinks ? chosen(&t) : habit_pick(g, t.h, v, &world, seed), ret);
}

void search(const struct view *v, enum level level, const struct budget *b, uint64_t seed,
            struct advice *ret)
{
    struct ruleset g;

    ruleset_make(&v->rules, &g);
    search_under(&g, v, level, b, seed, ret);
}
