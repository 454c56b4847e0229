/* The computer player's thinking.
 *
 * 1. What the seat does not see is dealt by chance, many times; hands likelier to have been played
 *    as seen come more often (search_world.h).
 * 2. In each such world every move still in question is made, and all seats play on, each choosing
 *    by what it would see. All moves meet the same cards, so that their difference is not luck.
 *    Where a value net was learned from the rules (value/table_value.h), seats choose what leaves
 *    the table worth most, until the searching seat has played twice more; what its table is worth
 *    then is the result. Elsewhere the round is finished by the tuned policy (search_policy.h),
 *    koi-koi by search_call.h.
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
#include "equity.h"
#include "search_call.h"
#include "search_level.h"
#include "search_race.h"
#include "table_value.h"

#include <math.h>
#include <string.h>

enum { BATCH = 32, MIN_WORLDS = 96 };
/* Fresh worlds, at most, and what they may take of all playouts: one of so many. */
enum { FRESH_WORLDS = 512, FRESH_SHARE = 4 };
/* The play of the searching seat at which a value net ends a playout, unless it is that of its last
 * card; the most moves that it compares, the policy's best. */
enum { VALUED_PLAYS = 2, VALUED_MOVES = 4 };
/* Where the net expects more points than these the playout goes on: to the net all beyond
 * VALUE_MOST_POINTS are alike. */
static const float few_points = 20;
/* Points of a round that playouts by a value net promise beyond what comes, where they go on past a
 * turn: good players keep better cards than a belief knows. Where a call of koi-koi is to be decided
 * there is no such gap. By tests/bench/calibration.c. */
static const float promised_too_much = 0.3f;
static const float certain_win = 0.995f; /* a chance to win the match that settles the choice */
static const float tie_break = 0.0008f;  /* weight of a point of the round against the match */

/* Results of a move, summed over its worlds. */
struct move_sums {
    double points, win;
    uint32_t sure; /* worlds in which this turn won the match */
};

struct thinking {
    const struct ruleset *g;
    const struct view *v;
    const struct habits *h;
    const struct budget *b;
    const struct call_net *calls; /* NULL: the policy decides */
    struct match_value value;     /* without a net the policy plays */
    struct value_voids voids;     /* at the view */
    bool for_match;               /* the value net knows how the match stands; else: points */
    float level, unit; /* chances of the match at 0 of the value net, and that 1 of it is worth */
    float point;       /* that a point is worth, with a value net */
    struct stakes stakes;
    struct belief belief;
    struct rng rng;
    uint32_t visits, limit;
    struct race race;
    struct move_sums sums[MAX_MOVES];
};

/* ---- One playout ----------------------------------------------------------------------------- */

/* What a stop is worth to the seat to move, of two, as the value net counts it. */
static float worth_of_stop(const struct thinking *t, int seat, int pays)
{
    if (!t->for_match)
        return (float)at_most(pays, VALUE_MOST_POINTS);
    float more = stakes_of(&t->stakes, seat, pays) - t->stakes.no_winner;
    float worth = value_of_chance(more, (double)t->unit);
    return seat == (uint8_t)t->v->seat ? worth : -worth;
}

/* MOVE_STOP or MOVE_KOIKOI; -1: the policy decides. A stop that decides the match settles it: a win
 * is taken, a loss is not. Otherwise two players follow a net, by what it says of the match; three
 * need the policy's consent as well. */
static int decided(const struct thinking *t, const struct round *r, const struct value_voids *voids)
{
    if (!t->h->match || r->hand[r->turn] == 0)
        return -1;
    if (r->players == 2) {
        int pays = policy_pays(t->g, r);
        float win = stakes_of(&t->stakes, r->turn, pays);
        bool call;
        if (r->turn != (uint8_t)t->v->seat)
            win = 1 - win;
        if (win > certain_win || win < 1 - certain_win)
            return win > 0.5f ? MOVE_STOP : MOVE_KOIKOI;
        if (t->value.net != NULL)
            call =
                value_after(t->value.net, t->g, r, voids, t->value.context[r->turn],
                            (struct move){.kind = MOVE_KOIKOI}) > worth_of_stop(t, r->turn, pays);
        else if (t->calls != NULL && t->h->calls_for_match)
            call = call_wins_more(t->calls, t->g, r, pays, &t->stakes, (uint8_t)t->v->seat);
        else if (t->calls != NULL)
            call = call_is_better(t->calls, t->g, r);
        else
            return -1;
        return call ? MOVE_KOIKOI : MOVE_STOP;
    }
    return t->calls != NULL && !call_is_better(t->calls, t->g, r) ? MOVE_STOP : -1;
}

/* A play or a choice by what the table is worth after it: an index into moves. */
static int valued(const struct thinking *t, const struct round *r, const struct value_voids *voids,
                  const struct move *moves, int n, float *ret_worth)
{
    const struct value_net *net = t->value.net;
    int context = t->value.context[r->turn];
    struct move some[VALUED_MOVES];
    float score[MAX_MOVES];
    uint8_t which[VALUED_MOVES];

    if (n <= VALUED_MOVES)
        return value_pick(net, t->g, r, voids, context, moves, n, ret_worth);
    struct sight at = policy_sight(r);
    policy_scores(t->g, &policy_tuned, &at, moves, n, score);
    for (int k = 0; k < VALUED_MOVES; k++) {
        int best = 0;
        for (int i = 1; i < n; i++)
            best = score[i] > score[best] ? i : best;
        score[best] = -INFINITY;
        which[k] = (uint8_t)best;
        some[k] = moves[best];
    }
    return which[value_pick(net, t->g, r, voids, context, some, VALUED_MOVES, ret_worth)];
}

/* Where a playout has come to, as the searching seat sees it. */
struct outcome {
    float points, win;
};

/* Plays to the end of the round or to the cut by the value net. Returns true at the cut, with what
 * the table is worth there. */
static bool play_out(const struct thinking *t, struct round *r, struct value_voids *voids,
                     struct outcome *ret)
{
    struct move moves[MAX_MOVES];
    const int me = (uint8_t)t->v->seat;
    float worth = 0;
    int plays = 0;

    while (r->phase != PHASE_OVER) {
        int n = round_legal(t->g, r, r->turn, moves), pick = -1;
        int kind = r->phase == PHASE_DECIDE && n > 1 ? decided(t, r, voids) : -1;
        for (int i = 0; i < n && kind >= 0; i++)
            pick = moves[i].kind == kind ? i : pick;
        if (t->value.net && n > 1 && (moves[0].kind == MOVE_PLAY || moves[0].kind == MOVE_CHOOSE)) {
            pick = valued(t, r, voids, moves, n, &worth);
            plays += r->turn == me && moves[0].kind == MOVE_PLAY;
            if (plays >= VALUED_PLAYS && r->turn == me && set_count(r->hand[me]) > 1) {
                ret->points = t->for_match
                                  ? value_after(t->value.net, t->g, r, voids, 0, moves[pick])
                                  : worth;
                ret->win = fminf(fmaxf(t->level + worth * t->unit, 0), 1);
                if (fabsf(ret->points) < few_points)
                    return true;
            }
        }
        if (pick < 0)
            pick = policy_pick(t->g, &policy_tuned, r, moves, n);
        value_see(voids, r, moves[pick]);
        round_apply(t->g, r, r->turn, moves[pick], NULL);
    }
    return false;
}

float points_of(const struct view *v, const struct round_result *result)
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
    struct round r = *world;
    struct move_sums *a = &t->sums[i];
    int next = (t->v->seat + 1) % t->v->players;
    struct value_voids voids = t->voids;
    struct outcome came;

    value_see(&voids, &r, t->v->legal[i]);
    round_apply(t->g, &r, t->v->seat, t->v->legal[i], NULL);
    if (!play_out(t, &r, &voids, &came)) {
        bool again = r.void_why != VOID_NONE;
        came.points = again ? 0 : points_of(t->v, &r.result);
        came.win =
            again ? t->stakes.again : stakes_of(&t->stakes, r.result.winner, r.result.points);
    }
    bool went_on = r.hand[next] != world->hand[next];
    if (t->value.net != NULL && went_on && t->v->phase != PHASE_DECIDE) {
        came.points -= promised_too_much;
        came.win = fmaxf(came.win - promised_too_much * t->point, 0);
    }
    a->points += came.points;
    a->win += came.win;
    a->sure += came.win > certain_win && !went_on;
    t->visits++;
    return t->h->match ? came.win + tie_break * came.points : came.points;
}

/* How the value net counts. Far from the end of the match its unit is a point, which counts by the
 * slope of the stakes between 6 points lost and 6 won. */
static void value_start(struct thinking *t)
{
    const int me = (uint8_t)t->v->seat, swing = 6;
    float high = stakes_of(&t->stakes, me, swing), low = stakes_of(&t->stakes, 1 - me, swing);

    t->voids = value_voids_of(t->v->seen, t->v->n_seen, t->v->field);
    t->for_match = t->value.context[0] != 0;
    t->point = (high - low) / (float)(2 * swing);
    t->level = t->for_match ? t->stakes.no_winner : (high + low) / 2;
    t->unit = t->for_match ? (float)stakes_unit(t->v, &t->stakes) : t->point;
}

/* ---- All moves, until the choice is settled -------------------------------------------------- */

/* Tries all candidates in one world. */
static void try_world(struct thinking *t, uint32_t k)
{
    float fraction = fmodf(0.5f + 0.61803399f * (float)(k & 0xffff), 1), worth[MAX_MOVES];
    struct round world;

    world_draw(t->v, &t->belief, fraction, &t->rng, &world);
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

/* All moves once more, in at most as many worlds as the leader has seen: for the budget set aside. */
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

static uint32_t limit_of(const struct habits *h, const struct budget *b)
{
    return b->visits == 0 || (b->visits > h->visits && !h->longer) ? h->visits : b->visits;
}

void search_as(const struct ruleset *g, const struct view *v, const struct habits *h,
               const struct budget *b, uint64_t seed, struct advice *ret)
{
    struct thinking t;
    struct round world;

    t = (struct thinking){
        .g = g, .v = v, .h = h, .b = b, .rng = rng_seed(seed), .limit = limit_of(h, b)};
    race_start(&t.race, v->n_legal);
    if (t.h->calls)
        t.calls = call_net_for(g, v->players);
    if (t.h->thinks)
        stakes_make(v, &t.stakes);
    if (t.h->values)
        t.value = match_value_of(v);
    if (t.value.net != NULL)
        value_start(&t);
    belief_make(g, v, t.h->inference, &t.rng, &t.belief);
    world_draw(v, &t.belief, 0, &t.rng, &world);
    uint32_t fresh = h->weighs && v->n_legal > 1 ? t.limit / FRESH_SHARE : 0;
    think(&t, t.limit - fresh);
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
