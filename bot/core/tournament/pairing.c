/* The next round of a tournament, by its format. */
#include "pairing.h"

#include <assert.h>

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
