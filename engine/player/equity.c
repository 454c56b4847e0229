/* See equity.h. */
#include "equity.h"
#include "nets.h"

#include <math.h>
#include <string.h>

/* Differences of totals are cells of `unit`, HALF on each side. MARGIN further cells stand for
 * decided matches, so that no round leaves the table. */
enum {
    HALF = 160,
    MARGIN = 2 * EQUITY_POINTS,
    CELLS = 2 * (HALF + MARGIN) + 1,
    MID = HALF + MARGIN
};

/* An outcome of a round: its probability, and by how many cells it moves the difference towards the
 * winner. */
struct round_outcome {
    float chance, part;
    int cells;
    bool dealer;
};
struct odds {
    int n;
    float no_winner;
    struct round_outcome at[2 * EQUITY_POINTS];
};

/* chance[d][c]: the seat's chance to win the match when it leads by (c - MID) units, with so many
 * rounds to come; d: 1 if it deals the next one. */
struct ladder {
    float chance[2][CELLS];
};

/* ---- Which counts ---------------------------------------------------------------------------- */

const struct equity_rounds equity_rounds[] = {
#include "nets/rounds.inc"
};
const int n_equity_rounds = sizeof equity_rounds / sizeof *equity_rounds;

static int options_apart(const struct rules *a, const struct rules *b)
{
    int apart = 0;
    apart += 3 * (a->own_koikoi != b->own_koikoi) + 3 * (a->any_koikoi != b->any_koikoi);
    apart += 2 * (a->opponent_koikoi != b->opponent_koikoi) +
             2 * (a->has_seven_plus != b->has_seven_plus);
    apart += (a->seven_min_yaku != b->seven_min_yaku) + (a->wild_lightning != b->wild_lightning);
    apart += 2 * ((a->yaku[YAKU_HIKI] > 0) != (b->yaku[YAKU_HIKI] > 0)) +
             (a->trio_extra != b->trio_extra);
    apart += (a->hand_yaku_multiplied != b->hand_yaku_multiplied) +
             (a->yaku[YAKU_TSUKIMI] != b->yaku[YAKU_TSUKIMI]);
    apart += 3 * (a->koikoi_limit != b->koikoi_limit) + 3 * (a->call_bonus != b->call_bonus);
    apart +=
        (a->both_ribbons != b->both_ribbons) + (a->viewing_after_koikoi != b->viewing_after_koikoi);
    return apart;
}

const struct equity_rounds *equity_nearest(const struct rules *r, int players)
{
    const struct equity_rounds *best = &equity_rounds[0];
    uint64_t rules = net_rules_hash(r);
    int least = 1000;
    for (int i = 0; i < n_equity_rounds; i++) {
        const struct equity_rounds *e = &equity_rounds[i];
        int apart = options_apart(&e->rules, r) + 100 * (e->players != players);
        if (e->learned_from == rules && e->players == players)
            return e;
        if (apart < least) {
            best = e;
            least = apart;
        }
    }
    return best;
}

/* The lead after that many rounds is spread normally around 0; the mean of its size is SIZE of its
 * spread. */
int equity_win_points(const struct rules *r, int players)
{
    const double SIZE = 0.7979; /* the root of 2 / pi */
    const struct equity_rounds *e = equity_nearest(r, players);
    double sum = 0, squares = 0;
    for (int p = 0; p < EQUITY_POINTS; p++) {
        double share = (double)(e->dealer[p] + e->other[p]) / e->rounds;
        sum += share * p;
        squares += share * p * p;
    }
    bool coins = r->scoring == SCORING_COINS; /* what one wins the others pay */
    double lead = SIZE * sqrt(r->rounds * squares), points = lead;
    if (!coins)
        points = r->rounds * sum / players + lead / 2;
    if (coins && points > rules_start_score(r) * (players - 1))
        points = rules_start_score(r) * (players - 1);
    return points < 1 ? 1 : (int)(points + 0.5);
}

/* unit: a cell in units of the difference; a point moves the difference by `step`. */
static void odds_make(const struct equity_rounds *e, float step, float unit, struct odds *ret)
{
    float all = (float)e->rounds;
    ret->n = 0;
    ret->no_winner = (float)e->no_winner / all;
    for (int side = 0; side < 2; side++)
        for (int p = 0; p < EQUITY_POINTS; p++) {
            uint32_t count = side ? e->dealer[p] : e->other[p];
            float move = (float)p * step / unit;
            if (count > 0)
                ret->at[ret->n++] = (struct round_outcome){(float)count / all, move - floorf(move),
                                                           (int)move, side};
        }
}

/* ---- Two players ----------------------------------------------------------------------------- */

struct duel {
    const struct rules *rules;
    struct odds odds;
    float step, unit; /* in units of the difference: a point; a cell */
    int edge;         /* cells from the middle to an empty purse; or HALF */
};

static float at_cell(const float *chance, float cell)
{
    if (cell <= 0 || cell >= CELLS - 1)
        return chance[cell <= 0 ? 0 : CELLS - 1];
    int low = (int)cell;
    return chance[low] + (cell - (float)low) * (chance[low + 1] - chance[low]);
}

/* The chances with no round left, or with extra rounds until a seat leads. */
static void last_rung(const struct duel *d, struct ladder *ret)
{
    float dealer = 0, other = 0;
    for (int i = 0; i < d->odds.n; i++)
        *(d->odds.at[i].dealer ? &dealer : &other) += d->odds.at[i].chance;
    float share = dealer + other > 0 ? dealer / (dealer + other) : 0.5f;
    for (int deals = 0; deals < 2; deals++)
        for (int c = 0; c < CELLS; c++) {
            float level =
                d->rules->tie_break == TIE_EXTRA_ROUND ? (deals ? share : 1 - share) : 0.5f;
            ret->chance[deals][c] = c > MID ? 1 : c < MID ? 0 : level;
        }
}

/* Whether the own seat deals after a round without a winner, of two. */
static bool deals_after_none(const struct rules *r, bool deals)
{
    return deals != (r->drawn_dealer == DRAWN_CHANGES);
}

/* The chances one round before `next`. */
static void rung(const struct duel *d, const struct ladder *next, struct ladder *ret)
{
    for (int deals = 0; deals < 2; deals++) {
        float *chance = ret->chance[deals];
        for (int c = 0; c < CELLS; c++)
            chance[c] = d->odds.no_winner * next->chance[deals_after_none(d->rules, deals)][c];
        for (int i = 0; i < d->odds.n; i++) { /* for every difference inside the edges */
            const struct round_outcome *o = &d->odds.at[i];
            bool own = o->dealer == (deals == 1);
            const float *to = next->chance[own] + (own ? o->cells : -o->cells),
                        *past = own ? to + 1 : to - 1;
            for (int c = MID - d->edge; c <= MID + d->edge; c++)
                chance[c] += o->chance * (to[c] + o->part * (past[c] - to[c]));
        }
        for (int c = 0; c <= MID - d->edge; c++)
            chance[c] = 0;
        for (int c = MID + d->edge; c < CELLS; c++)
            chance[c] = 1;
    }
}

static void duel_stakes(const struct view *v, const struct equity_rounds *e, struct stakes *ret)
{
    int me = (uint8_t)v->seat,
        left = v->rules.rounds > v->round_no ? v->rules.rounds - v->round_no : 0;
    float difference = (float)(v->scores[me] - v->scores[1 - me]);
    bool coins = v->rules.scoring == SCORING_COINS;
    struct ladder rungs[2] = {0}, *now = &rungs[0], *next = &rungs[1];
    struct duel d = {.rules = &v->rules, .step = 1, .unit = 1, .edge = HALF};
    if (coins) { /* the opponent's chance is the complement */
        float sum = (float)(v->scores[0] + v->scores[1]);
        d.step = 2;
        d.unit = sum > HALF ? sum / HALF : 1;
        d.edge = (int)(sum / d.unit + 0.5f);
    }
    odds_make(e, d.step, d.unit, &d.odds);
    last_rung(&d, now);
    for (int i = 0; i < left; i++) {
        struct ladder *t = now;
        rung(&d, now, next);
        now = next;
        next = t;
    }
    ret->no_winner = at_cell(now->chance[deals_after_none(&v->rules, v->dealer == me)],
                             difference / d.unit + MID);
    for (int w = 0; w < 2; w++)
        for (int p = 0; p < STAKE_POINTS; p++) {
            float to = difference + (w == me ? d.step : -d.step) * (float)p;
            bool broke = coins && p >= v->scores[1 - w];
            ret->win[w][p] =
                broke ? (w == me ? 1 : 0) : at_cell(now->chance[w == me], to / d.unit + MID);
        }
    rung(&d, now, next);
    ret->again = at_cell(next->chance[v->dealer == me], difference / d.unit + MID);
}

/* ---- Three players --------------------------------------------------------------------------- */

/* Estimates a seat's chance as the product of its chances to pass each opponent, scaled to a sum of
 * 1. */
static float table_chance(const struct view *v, const float *total, float spread)
{
    float sum = 0, own = 0;
    for (int s = 0; s < v->players; s++) {
        float p = 1;
        for (int o = 0; o < v->players; o++) {
            float ahead = total[s] - total[o];
            if (o != s)
                p *= spread > 0  ? 0.5f * erfcf(-(ahead / spread) * 0.70710678f)
                     : ahead > 0 ? 1
                     : ahead < 0 ? 0
                                 : 0.5f;
        }
        sum += p;
        own = s == v->seat ? p : own;
    }
    return sum > 0 ? own / sum : 0.5f;
}

static void table_stakes(const struct view *v, const struct equity_rounds *e, struct stakes *ret)
{
    int left = v->rules.rounds > v->round_no ? v->rules.rounds - v->round_no : 0;
    float total[MAX_PLAYERS] = {0}, squares = 0;
    for (int p = 0; p < EQUITY_POINTS; p++)
        squares += (float)(p * p) * (float)(e->dealer[p] + e->other[p]) / (float)e->rounds;
    float one = squares * 2 / (float)v->players; /* variance of a difference in one round */
    for (int s = 0; s < v->players; s++)
        total[s] = (float)v->scores[s];
    ret->no_winner = table_chance(v, total, sqrtf(one * (float)left));
    ret->again = table_chance(v, total, sqrtf(one * (float)(left + 1)));
    for (int w = 0; w < v->players; w++)
        for (int p = 0; p < STAKE_POINTS; p++) {
            total[w] = (float)(v->scores[w] + p);
            ret->win[w][p] = table_chance(v, total, sqrtf(one * (float)left));
            total[w] = (float)v->scores[w];
        }
}

void stakes_make(const struct view *v, struct stakes *ret)
{
    const struct equity_rounds *e = equity_nearest(&v->rules, v->players);
    memset(ret, 0, sizeof *ret);
    if (v->players == 2)
        duel_stakes(v, e, ret);
    else
        table_stakes(v, e, ret);
}

double stakes_unit(const struct view *v, const struct stakes *s)
{
    const struct equity_rounds *e = equity_nearest(&v->rules, 2);
    double n = 0, x = 0, xx = 0, p = 0, pp = 0;
    int me = (uint8_t)v->seat;
    for (int w = 0; w < 2; w++)
        for (int k = 0; k < EQUITY_POINTS; k++) {
            double count = w == v->dealer ? e->dealer[k] : e->other[k];
            double worth = (double)stakes_of(s, w, k), points = w == me ? k : -k;
            n += count, x += count * worth, xx += count * worth * worth;
            p += count * points, pp += count * points * points;
        }
    n += e->no_winner;
    x += (double)((float)e->no_winner * s->no_winner);
    xx += (double)((float)e->no_winner * s->no_winner * s->no_winner);
    x /= n, p /= n;
    return fmax(sqrt(fmax(xx / n - x * x, 0)) / sqrt(pp / n - p * p), 0.002);
}
