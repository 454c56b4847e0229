/* Balance of a player: how often they have dealt first, and what they did last. */
#include "pairing.h"

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

struct tournament_game pair_by_balance(const struct tournament *t, int a, int b, bool worse)
{
    struct balance of_a = balance_of(t, a), of_b = balance_of(t, b);
    bool better = a < b;
    bool a_first = of_a.firsts != of_b.firsts ? of_a.firsts < of_b.firsts
                   : of_a.last != of_b.last   ? of_a.last < of_b.last
                                              : better != worse;
    return (struct tournament_game){.first = (uint8_t)(a_first ? a : b),
                                    .second = (uint8_t)(a_first ? b : a)};
}
