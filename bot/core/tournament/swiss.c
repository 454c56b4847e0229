/* Swiss pairing in the manner of FIDE's Dutch system: people of equal points meet, the upper half
 * of such a group against the lower; who finds nobody there floats down. No two meet twice, and
 * nobody has a second bye, as long as any pairing of the whole round avoids it: a choice is taken
 * only if the others can still be paired (matching.c), so that the pairing never has to go back. */
#include "pairing.h"
#include "standing.h"

#include <assert.h>

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

static void fill(struct draw *d, const struct tournament *t)
{
    *d = (struct draw){.t = t};
    for (int i = 0; i < t->n_entrants; i++) {
        d->points[i] = standing_points(t, i);
        if (t->entrant[i].out)
            continue;
        int at = d->n++;
        for (; at > 0 && d->points[d->order[at - 1]] < d->points[i]; at--)
            d->order[at] = d->order[at - 1];
        d->order[at] = i;
        d->left |= bit(i);
    }
    for (int i = 0; i < t->n_games; i++) {
        const struct tournament_game *g = &t->game[i];
        if (g->result == GAME_BYE) {
            d->byes[g->first]++;
        } else {
            d->met[g->first][g->second]++;
            d->met[g->second][g->first]++;
        }
    }
}

static void allow(struct draw *d, int meetings)
{
    for (int i = 0; i < d->t->n_entrants; i++) {
        d->allowed[i] = 0;
        for (int k = 0; k < d->t->n_entrants; k++)
            if (k != i && d->met[i][k] <= meetings)
                d->allowed[i] |= bit(k);
    }
}

/* The bye goes to the last one of those with the fewest, if the others can be paired then. */
static int choose_bye(const struct draw *d, int byes)
{
    for (int i = d->n - 1; i >= 0; i--)
        if (d->byes[d->order[i]] == byes &&
            matching_is_complete(d->allowed, d->left & ~bit(d->order[i])))
            return d->order[i];
    return NO_ENTRANT;
}

static int fewest_byes(const struct draw *d)
{
    int fewest = d->byes[d->order[0]];
    for (int i = 1; i < d->n; i++)
        fewest = d->byes[d->order[i]] < fewest ? d->byes[d->order[i]] : fewest;
    return fewest;
}

/* Allows as few further meetings as a complete pairing needs. Returns who has the bye. */
static int open_pairing(struct draw *d)
{
    int bye = NO_ENTRANT;
    for (int meetings = 0;; meetings++) {
        allow(d, meetings);
        if (d->n % 2 == 0 && matching_is_complete(d->allowed, d->left))
            return NO_ENTRANT;
        if (d->n % 2 == 1)
            bye = choose_bye(d, fewest_byes(d));
        if (bye != NO_ENTRANT)
            return bye;
    }
}

/* Those left with the points of the best one; then all others, both in order. Returns the number of
 * the former. */
static int group_of(const struct draw *d, int *ret, int *ret_n)
{
    int n = 0, group = 0;
    for (int i = 0; i < d->n; i++)
        if (d->left >> d->order[i] & 1)
            ret[n++] = d->order[i];
    while (group < n && d->points[ret[group]] == d->points[ret[0]])
        group++;
    *ret_n = n;
    return group;
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

/* The opponent of the best one who is left: from the lower half of the group downward, then from
 * the upper half upward, then below the group. */
static int opponent_of_best(const struct draw *d)
{
    int at[ENTRANTS_MOST], n, m = group_of(d, at, &n), order[ENTRANTS_MOST], k = 0;
    uint64_t group = 0;
    for (int i = 0; i < m; i++)
        group |= bit(at[i]);
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

int pair_swiss(const struct tournament *t, struct tournament_game *ret)
{
    struct draw d;
    int n_games = 0;
    fill(&d, t);
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
        ret[n_games++] = (struct tournament_game){
            .first = (uint8_t)bye, .second = NO_ENTRANT, .result = GAME_BYE, .unplayed = true};
    return n_games;
}
