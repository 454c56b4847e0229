/* See tournament.h. */
#include "pairing.h"

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

static int log2_up(int n)
{
    int rounds = 0;
    while (1 << rounds < n)
        rounds++;
    return rounds;
}

int tournament_rounds_for(enum tournament_format format, int entrants, int wished)
{
    int all = entrants - 1 + entrants % 2;
    if (format == FORMAT_KNOCKOUT)
        return log2_up(entrants);
    if (format == FORMAT_ROUND_ROBIN)
        return all;
    int rounds = wished > 0 ? wished : log2_up(entrants) + 1;
    return rounds < all ? rounds : all;
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
    t->rounds = tournament_rounds_for((enum tournament_format)t->format, t->n_entrants, t->rounds);
}

/* ---- rounds ---- */

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
    if (first || second) {
        g->unplayed = true;
        g->result = first && second ? GAME_NEITHER : first ? GAME_SECOND : GAME_FIRST;
    }
}

int tournament_open_games(const struct tournament *t)
{
    int n = 0;
    for (int i = 0; i < t->n_games; i++)
        n += t->game[i].round == t->round && t->game[i].result == GAME_OPEN;
    return n;
}

bool tournament_round_over(const struct tournament *t)
{
    return tournament_open_games(t) == 0;
}

bool tournament_is_over(const struct tournament *t)
{
    return tournament_round_over(t) && (t->round >= t->rounds || tournament_present(t) < 2);
}

struct tournament_game *tournament_game_of(struct tournament *t, int entrant)
{
    for (int i = 0; i < t->n_games; i++) {
        struct tournament_game *g = &t->game[i];
        if (g->round == t->round && g->result == GAME_OPEN &&
            (g->first == entrant || g->second == entrant))
            return g;
    }
    return NULL;
}

struct tournament_game *tournament_leave(struct tournament *t, int entrant)
{
    struct tournament_game *g = tournament_game_of(t, entrant);
    t->entrant[entrant].out = true;
    if (g && g->session == 0)
        tournament_decide_absent(t, g);
    return g && g->result == GAME_OPEN ? g : NULL;
}

struct tournament_game *tournament_next_open(struct tournament *t)
{
    for (int i = 0; i < t->n_games; i++)
        if (t->game[i].round == t->round && t->game[i].result == GAME_OPEN)
            return &t->game[i];
    return NULL;
}

struct tournament_game *tournament_next_to_begin(struct tournament *t)
{
    for (int i = 0; i < t->n_games; i++)
        if (t->game[i].round == t->round && t->game[i].result == GAME_OPEN &&
            t->game[i].session == 0)
            return &t->game[i];
    return NULL;
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
