/* The next round of a tournament, by its format. */
#include "tournament.h"

#include <assert.h>

/* ---- who deals first ---- */

struct balance {
    int firsts, last; /* firsts: less seconds; last: 1 first, -1 second, 0 neither */
};

static struct balance balance_of(const struct tournament *t, int entrant)
{
    struct balance b = {0};
    for (int i = 0; i < t->n_games; i++) {
        const struct tournament_game *g = &t->game[i];
        int side = g->unplayed ? 0 : (g->first == entrant) - (g->second == entrant);
        b.firsts += side;
        b.last = side ? side : b.last;
    }
    return b;
}

/* A game of two in which the one who dealt first less often deals first; equals take turns, and at
 * last the better seed does, or with `worse` the other. */
static struct tournament_game pair_by_balance(const struct tournament *t, int a, int b, bool worse)
{
    struct balance of_a = balance_of(t, a), of_b = balance_of(t, b);
    bool a_first = of_a.firsts != of_b.firsts ? of_a.firsts < of_b.firsts
                   : of_a.last != of_b.last   ? of_a.last < of_b.last
                                              : (a < b) != worse;
    return (struct tournament_game){.first = (uint8_t)(a_first ? a : b),
                                    .second = (uint8_t)(a_first ? b : a)};
}

static struct tournament_game pair_bye(int entrant)
{
    return (struct tournament_game){
        .first = (uint8_t)entrant, .second = NO_ENTRANT, .result = GAME_BYE, .unplayed = true};
}

/* ---- round robin ----
 *
 * The circle method, with the numbers and the first dealers of Berger's tables. With an odd number
 * of people the last place of the table is empty, and its opponent has a bye. */

static int pair_round_robin(const struct tournament *t, int round, struct tournament_game *ret)
{
    int people = t->n_entrants, n = people + people % 2, n_games = 0;
    for (int a = 1; a < n; a++) {
        /* numbers from 1 meet in round r if their sum is r + 1 modulo n - 1; a number that would
         * meet itself meets n */
        int b = (round + 1 - a) % (n - 1);
        b = b <= 0 ? b + n - 1 : b;
        b = b == a ? n : b;
        if (b < a)
            continue;
        /* whose sum is odd the smaller one begins; the last number is begun against by the lower
         * half */
        bool smaller = b == n ? 2 * a <= n : (a + b) % 2 == 1;
        ret[n_games++] = b > people
                             ? pair_bye(a - 1)
                             : (struct tournament_game){.first = (uint8_t)((smaller ? a : b) - 1),
                                                        .second = (uint8_t)((smaller ? b : a) - 1)};
    }
    return n_games;
}

/* ---- knock-out ----
 *
 * The usual bracket of the next power of two, in which the two best seeds can meet in the last
 * round alone. The best seeds have the byes of round 1. */

static int pair_knockout(const struct tournament *t, int round, struct tournament_game *ret)
{
    /* those who may play this round, in the order of the bracket: in round 1 seeds from 0,
     * "0 7 3 4 1 6 2 5" for eight */
    int in[ENTRANTS_MOST] = {0}, n = 0;
    for (int i = 0; round > 1 && i < t->n_games; i++)
        if (t->game[i].round == round - 1)
            in[n++] = tournament_winner(t, &t->game[i]);
    if (round == 1)
        for (n = 1; n < t->n_entrants; n *= 2)
            for (int i = n - 1; i >= 0; i--) {
                int seed = in[i];
                in[2 * i] = i % 2 == 0 ? seed : 2 * n - 1 - seed;
                in[2 * i + 1] = i % 2 == 0 ? 2 * n - 1 - seed : seed;
            }
    for (int i = 0; round == 1 && i < n; i++)
        in[i] = in[i] < t->n_entrants ? in[i] : NO_ENTRANT;
    for (int i = 0; i < n / 2; i++) {
        int a = in[2 * i], b = in[2 * i + 1];
        if (a != NO_ENTRANT && b != NO_ENTRANT) {
            ret[i] = pair_by_balance(t, a, b, true);
            continue;
        }
        ret[i] = pair_bye(a == NO_ENTRANT ? b : a);
        if (a == b)
            ret[i].result = GAME_NEITHER;
    }
    return n / 2;
}

/* ---- Swiss, in the manner of FIDE's Dutch system ----
 *
 * People of equal points meet, the upper half of such a group against the lower; a player without
 * an opponent there floats down. No two meet twice, and no player has a second bye, as long as any
 * pairing of the whole round avoids it: a choice is taken only if the others can still be paired
 * (matching.c), so that the pairing never has to go back. */

struct draw {
    const struct tournament *t;
    int order[ENTRANTS_MOST], n; /* those present, best first */
    int points[ENTRANTS_MOST], byes[ENTRANTS_MOST];
    uint8_t met[ENTRANTS_MOST][ENTRANTS_MOST];
    uint64_t allowed[ENTRANTS_MOST], left; /* left: to be paired */
};

static uint64_t bit(int i)
{
    return (uint64_t)1 << i;
}

/* Allows as few further meetings as a complete pairing needs. Returns who has the bye: the last one
 * of those with the fewest, if the others can be paired then. */
static int open_pairing(struct draw *d)
{
    int fewest = d->byes[d->order[0]];
    for (int i = 1; i < d->n; i++)
        fewest = d->byes[d->order[i]] < fewest ? d->byes[d->order[i]] : fewest;
    for (int meetings = 0;; meetings++) {
        for (int i = 0; i < d->t->n_entrants; i++) {
            d->allowed[i] = 0;
            for (int k = 0; k < d->t->n_entrants; k++)
                if (k != i && d->met[i][k] <= meetings)
                    d->allowed[i] |= bit(k);
        }
        if (d->n % 2 == 0 && matching_is_complete(d->allowed, d->left))
            return NO_ENTRANT;
        for (int i = d->n - 1; d->n % 2 == 1 && i >= 0; i--)
            if (d->byes[d->order[i]] == fewest &&
                matching_is_complete(d->allowed, d->left & ~bit(d->order[i])))
                return d->order[i];
    }
}

/* True if a may play b: the others can still be paired, and with `whole` as many of the group among
 * themselves as before. */
static bool may_pair(const struct draw *d, int a, int b, uint64_t group, bool whole)
{
    uint64_t rest = d->left & ~bit(a) & ~bit(b);
    if (!(d->allowed[a] >> b & 1) || !matching_is_complete(d->allowed, rest))
        return false;
    return !whole ||
           matching_size(d->allowed, group & rest) + 1 == matching_size(d->allowed, group);
}

/* The opponent of the best one who is left: from the lower half of their group, of equal points,
 * downward, then from the upper half upward, then below the group. */
static int opponent_of_best(const struct draw *d)
{
    int at[ENTRANTS_MOST] = {0}, order[ENTRANTS_MOST], n = 0, m = 0, k = 0;
    uint64_t group = 0;
    for (int i = 0; i < d->n; i++)
        if (d->left >> d->order[i] & 1)
            at[n++] = d->order[i];
    for (; m < n && d->points[at[m]] == d->points[at[0]]; m++)
        group |= bit(at[m]);
    for (int i = m / 2 > 0 ? m / 2 : 1; i < m; i++)
        order[k++] = at[i];
    for (int i = m / 2 - 1; i > 0; i--)
        order[k++] = at[i];
    for (int i = 0; i < k; i++)
        if (may_pair(d, at[0], order[i], group, true))
            return order[i];
    for (int i = m; i < n; i++)
        order[k++] = at[i];
    for (int i = 0; i < k; i++)
        if (may_pair(d, at[0], order[i], group, false))
            return order[i];
    return NO_ENTRANT;
}

static int pair_swiss(const struct tournament *t, struct tournament_game *ret)
{
    struct draw d = {.t = t};
    int n_games = 0;
    for (int i = 0; i < t->n_entrants; i++) {
        d.points[i] = standing_points(t, i);
        if (t->entrant[i].out)
            continue;
        int at = d.n++;
        for (; at > 0 && d.points[d.order[at - 1]] < d.points[i]; at--)
            d.order[at] = d.order[at - 1];
        d.order[at] = i;
        d.left |= bit(i);
    }
    for (int i = 0; i < t->n_games; i++) {
        const struct tournament_game *g = &t->game[i];
        if (g->result == GAME_BYE) {
            d.byes[g->first]++;
        } else {
            d.met[g->first][g->second]++;
            d.met[g->second][g->first]++;
        }
    }
    if (d.n < 2)
        return 0;
    int bye = open_pairing(&d);
    if (bye != NO_ENTRANT)
        d.left &= ~bit(bye);
    for (int i = 0; i < d.n; i++) {
        int a = d.order[i];
        if (!(d.left >> a & 1))
            continue;
        int b = opponent_of_best(&d);
        assert(b != NO_ENTRANT); /* open_pairing() has seen to it */
        d.left &= ~bit(a) & ~bit(b);
        ret[n_games] = pair_by_balance(t, a, b, n_games % 2 == 1);
        n_games++;
    }
    if (bye != NO_ENTRANT)
        ret[n_games++] = pair_bye(bye);
    return n_games;
}

/* ---- arena ----
 *
 * Those who are free, best first: each meets the nearest behind them whom they did not meet last.
 * Two who did are paired again only where no other game runs and no third player is free. */

static bool is_free(const struct tournament *t, int entrant)
{
    bool is = !t->entrant[entrant].out;
    for (int i = 0; i < t->n_games; i++)
        is &= t->game[i].result != GAME_OPEN ||
              (t->game[i].first != entrant && t->game[i].second != entrant);
    return is;
}

static int last_opponent(const struct tournament *t, int entrant)
{
    for (int i = t->n_games - 1; i >= 0; i--)
        if (t->game[i].first == entrant || t->game[i].second == entrant)
            return t->game[i].first == entrant ? t->game[i].second : t->game[i].first;
    return NO_ENTRANT;
}

static void add_meeting(struct tournament *t, int a, int b)
{
    if (t->n_games == ARENA_GAMES_MOST)
        return;
    struct tournament_game g = pair_by_balance(t, a, b, false);
    g.round = (uint8_t)t->round;
    g.board = (uint8_t)(t->n_games + 1);
    t->game[t->n_games++] = g;
}

void tournament_pair_free(struct tournament *t)
{
    struct standing_row rows[ENTRANTS_MOST];
    int free[ENTRANTS_MOST], n = 0, games = t->n_games;
    bool others = !tournament_round_over(t), paired[ENTRANTS_MOST] = {false};
    standing_table(t, rows);
    for (int i = 0; i < t->n_entrants; i++)
        if (is_free(t, rows[i].entrant))
            free[n++] = rows[i].entrant;
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n && !paired[i]; k++)
            if (!paired[k] && last_opponent(t, free[i]) != free[k]) {
                paired[i] = paired[k] = true;
                add_meeting(t, free[i], free[k]);
            }
    if (n >= 2 && !others && t->n_games == games)
        add_meeting(t, free[0], free[1]);
}

/* ---- the round ---- */

void tournament_pair(struct tournament *t)
{
    struct tournament_game games[ENTRANTS_MOST / 2 + 1];
    int round = t->round + 1, n = 0;
    switch ((enum tournament_format)t->format) {
    case FORMAT_SWISS:
        n = pair_swiss(t, games);
        break;
    case FORMAT_ROUND_ROBIN:
        n = pair_round_robin(t, round, games);
        break;
    case FORMAT_KNOCKOUT:
        n = pair_knockout(t, round, games);
        break;
    case FORMAT_ARENA: /* tournament_pair_free() */
    case N_FORMATS:
        break;
    }
    assert(t->n_games + n <= GAMES_MOST);
    for (int i = 0; i < n; i++) {
        games[i].round = (uint8_t)round;
        games[i].board = (uint8_t)(i + 1);
        tournament_decide_absent(t, &games[i]);
        t->game[t->n_games++] = games[i];
    }
    t->round = round;
}
