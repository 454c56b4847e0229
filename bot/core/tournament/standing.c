/* See tournament.h. */
#include "tournament.h"

#include <limits.h>

enum { WIN = 2, DRAW = 1 };

static bool plays(const struct tournament_game *g, int entrant)
{
    return g->first == entrant || g->second == entrant;
}

/* The halves that a game brought one of its players; -1: none yet, and none for a bye where each
 * has one, or where points do not count. */
static int halves_of(const struct tournament *t, const struct tournament_game *g, int entrant)
{
    bool first = g->first == entrant;
    switch ((enum game_result)g->result) {
    case GAME_FIRST:
        return first ? WIN : 0;
    case GAME_SECOND:
        return first ? 0 : WIN;
    case GAME_DRAW:
        return DRAW;
    case GAME_NEITHER:
        return 0;
    case GAME_BYE:
        return t->format == FORMAT_ROUND_ROBIN || t->format == FORMAT_KNOCKOUT ? -1 : WIN;
    case GAME_OPEN:
    case N_GAME_RESULTS:
        break;
    }
    return -1;
}

/* The halves that a player has from the rounds before this one. */
static int halves_before(const struct tournament *t, int entrant, int round)
{
    int sum = 0;
    for (int i = 0; i < t->n_games; i++) {
        const struct tournament_game *g = &t->game[i];
        int halves = g->round < round && plays(g, entrant) ? halves_of(t, g, entrant) : 0;
        sum += halves > 0 ? halves : 0;
    }
    return sum;
}

int standing_points(const struct tournament *t, int entrant)
{
    return halves_before(t, entrant, INT_MAX);
}

/* -1, 0, 1: the higher number comes first. */
static int higher(int a, int b)
{
    return (a < b) - (a > b);
}

/* What two had from their games with each other. */
static int between(const struct tournament *t, const struct standing_row *a,
                   const struct standing_row *b)
{
    int of_a = 0, of_b = 0;
    for (int i = 0; i < t->n_games; i++) {
        const struct tournament_game *g = &t->game[i];
        if (!plays(g, a->entrant) || !plays(g, b->entrant) || g->result == GAME_OPEN)
            continue;
        of_a += halves_of(t, g, a->entrant);
        of_b += halves_of(t, g, b->entrant);
    }
    return higher(of_a, of_b);
}

static int by_figures(const struct tournament *t, const struct standing_row *a,
                      const struct standing_row *b)
{
    if (t->format == FORMAT_KNOCKOUT)
        return higher(a->survived, b->survived);
    int order = higher(a->points, b->points);
    if (order == 0 && t->format == FORMAT_SWISS)
        order = higher(a->buchholz, b->buchholz);
    if (order == 0 && t->format != FORMAT_ARENA)
        order = higher(a->sonneborn, b->sonneborn);
    return order ? order : higher(a->won, b->won);
}

/* In a round robin the game of exactly two equals decides between them. */
static bool decide_pair(const struct tournament *t, struct standing_row *rows, int n, int i)
{
    bool pair = (i == 0 || by_figures(t, &rows[i - 1], &rows[i])) &&
                (i + 2 >= n || by_figures(t, &rows[i + 1], &rows[i + 2]));
    int order = pair && t->format == FORMAT_ROUND_ROBIN ? between(t, &rows[i], &rows[i + 1]) : 0;
    if (order > 0) {
        struct standing_row row = rows[i];
        rows[i] = rows[i + 1];
        rows[i + 1] = row;
    }
    return order != 0;
}

void standing_table(const struct tournament *t, struct standing_row *ret)
{
    int n = t->n_entrants, own[ENTRANTS_MOST], as_opponent[ENTRANTS_MOST];
    bool swiss = t->format == FORMAT_SWISS;
    for (int i = 0; i < n; i++) { /* for Buchholz a bye, and a round after they left, are draws */
        own[i] = standing_points(t, i);
        as_opponent[i] = own[i] + (swiss ? DRAW * t->round : 0);
        for (int k = 0; swiss && k < t->n_games; k++)
            if (plays(&t->game[k], i))
                as_opponent[i] -= t->game[k].result == GAME_BYE ? WIN : DRAW;
    }
    for (int i = 0; i < n; i++) {
        struct standing_row *row = &ret[i];
        *row = (struct standing_row){.entrant = i};
        for (int k = 0; k < t->n_games; k++) {
            const struct tournament_game *g = &t->game[k];
            int halves = plays(g, i) ? halves_of(t, g, i) : -1;
            int other = g->first == i ? g->second : g->first;
            row->survived += tournament_winner(t, g) == i;
            if (halves < 0)
                continue;
            row->points += halves;
            row->won += halves == WIN;
            row->drawn += halves == DRAW;
            row->lost += halves == 0;
            if (swiss && g->unplayed) {
                /* of a virtual opponent: as many points as the player had before, what the game
                 * left over, and draws since */
                row->buchholz +=
                    halves_before(t, i, g->round) + WIN - halves + DRAW * (t->round - g->round);
            } else if (other != NO_ENTRANT) {
                row->buchholz += as_opponent[other];
                row->sonneborn += own[other] * halves;
            }
        }
    }
    for (int i = 1; i < n; i++) { /* insertion keeps the order of seeds among equals */
        struct standing_row row = ret[i];
        int at = i;
        for (; at > 0 && by_figures(t, &ret[at - 1], &row) > 0; at--)
            ret[at] = ret[at - 1];
        ret[at] = row;
    }
    for (int i = 0; i < n; i++)
        ret[i].place = i + 1;
    for (int i = 0; i + 1 < n; i++) {
        bool equal = by_figures(t, &ret[i], &ret[i + 1]) == 0;
        if (equal && decide_pair(t, ret, n, i)) {
            ret[i].place = i + 1;
            ret[i + 1].place = i + 2;
        } else if (equal) {
            ret[i + 1].place = ret[i].place;
        }
    }
}
