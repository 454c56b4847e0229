/* Round robin by the circle method, with the numbers and the first dealers of Berger's tables. With
 * an odd number of people the last place of the table is empty, and its opponent has a bye. */
#include "pairing.h"

/* The game of numbers a < b, from 1, of a table for n: whose sum is odd the smaller one begins; the
 * last number is begun against by the lower half. */
static struct tournament_game game_of(int a, int b, int n)
{
    bool smaller = b == n ? 2 * a <= n : (a + b) % 2 == 1;
    return (struct tournament_game){.first = (uint8_t)((smaller ? a : b) - 1),
                                    .second = (uint8_t)((smaller ? b : a) - 1)};
}

int pair_round_robin(const struct tournament *t, int round, struct tournament_game *ret)
{
    int people = t->n_entrants, n = people + people % 2, n_games = 0;
    for (int a = 1; a < n; a++) {
        /* numbers meet in round r if their sum is r + 1 modulo n - 1; who would meet themself meets
         * n */
        int b = (round + 1 - a) % (n - 1);
        b = b <= 0 ? b + n - 1 : b;
        b = b == a ? n : b;
        if (b < a)
            continue;
        struct tournament_game g = game_of(a, b, n);
        if (b > people)
            g = (struct tournament_game){.first = (uint8_t)(a - 1),
                                         .second = NO_ENTRANT,
                                         .result = GAME_BYE,
                                         .unplayed = true};
        ret[n_games++] = g;
    }
    return n_games;
}
