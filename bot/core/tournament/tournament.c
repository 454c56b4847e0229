/* See tournament.h. */
#include "tournament.h"

/* ---- people ---- */

int tournament_present(const struct tournament *t)
{
    int n = 0;
    for (int i = 0; i < t->n_entrants; i++)
        n += !t->entrant[i].out;
    return n;
}

int tournament_find(const struct tournament *t, int64_t person)
{
    for (int i = 0; person != 0 && i < t->n_entrants; i++)
        if (t->entrant[i].person == person)
            return i;
    return -1;
}

/* Rounds for so many people: as wished (0: as usual), in the limits of the format. */
static int rounds_for(enum tournament_format format, int entrants, int wished)
{
    int all = entrants - 1 + entrants % 2, knockout = 0;
    while (1 << knockout < entrants)
        knockout++;
    int swiss = wished > 0 ? wished : knockout + 1;
    return format == FORMAT_ARENA                         ? 1
           : format == FORMAT_KNOCKOUT                    ? knockout
           : format == FORMAT_ROUND_ROBIN || swiss >= all ? all
                                                          : swiss;
}

void tournament_seed(struct tournament *t)
{
    for (int i = 1; i < t->n_entrants; i++) {
        struct tournament_entrant e = t->entrant[i];
        int at = i;
        for (; at > 0 && t->entrant[at - 1].rating < e.rating; at--)
            t->entrant[at] = t->entrant[at - 1];
        t->entrant[at] = e;
    }
    t->rounds = rounds_for((enum tournament_format)t->format, t->n_entrants, t->rounds);
}

/* ---- rounds ---- */

bool tournament_forfeit(struct tournament_game *g, bool first, bool second)
{
    if (!first && !second)
        return false;
    g->unplayed = true;
    g->result = first && second ? GAME_NEITHER : first ? GAME_SECOND : GAME_FIRST;
    return true;
}

void tournament_decide_absent(const struct tournament *t, struct tournament_game *g)
{
    if (g->first == NO_ENTRANT)
        return;
    bool first = t->entrant[g->first].out;
    bool second = g->second != NO_ENTRANT && t->entrant[g->second].out;
    if (g->result == GAME_BYE) {
        g->result = first ? GAME_NEITHER : GAME_BYE;
        return;
    }
    tournament_forfeit(g, first, second);
}

/* The first game of this round without a result: of this entrant, or anybody's (-1); one that is
 * not begun yet. */
static struct tournament_game *open_game(struct tournament *t, int entrant, bool unbegun)
{
    for (int i = 0; i < t->n_games; i++) {
        struct tournament_game *g = &t->game[i];
        if (g->round == t->round && g->result == GAME_OPEN && (!unbegun || g->session == 0) &&
            (entrant < 0 || g->first == entrant || g->second == entrant))
            return g;
    }
    return NULL;
}

bool tournament_round_over(const struct tournament *t)
{
    for (int i = 0; i < t->n_games; i++)
        if (t->game[i].round == t->round && t->game[i].result == GAME_OPEN)
            return false;
    return true;
}

bool tournament_is_over(const struct tournament *t)
{
    return tournament_round_over(t) && (t->round >= t->rounds || tournament_present(t) < 2);
}

struct tournament_game *tournament_game_of(struct tournament *t, int entrant)
{
    return open_game(t, entrant, false);
}

struct tournament_game *tournament_next_open(struct tournament *t)
{
    return open_game(t, -1, false);
}

struct tournament_game *tournament_next_to_begin(struct tournament *t)
{
    return open_game(t, -1, true);
}

struct tournament_game *tournament_leave(struct tournament *t, int entrant)
{
    struct tournament_game *g = open_game(t, entrant, false);
    t->entrant[entrant].out = true;
    if (g && g->session == 0)
        tournament_decide_absent(t, g);
    return g && g->result == GAME_OPEN ? g : NULL;
}

int tournament_winner(const struct tournament *t, const struct tournament_game *g)
{
    int better = g->first < g->second ? g->first : g->second;
    switch ((enum game_result)g->result) {
    case GAME_FIRST:
    case GAME_BYE:
        return g->first;
    case GAME_SECOND:
        return g->second;
    case GAME_DRAW:
        return better;
    case GAME_NEITHER:
        if (g->first == NO_ENTRANT || g->second == NO_ENTRANT)
            return NO_ENTRANT;
        return !t->entrant[better].out ? better : better == g->first ? g->second : g->first;
    case GAME_OPEN:
    case N_GAME_RESULTS:
        break;
    }
    return NO_ENTRANT;
}
