/* Knock-out: the usual bracket of the next power of two, in which the two best seeds can meet in
 * the last round alone. The best seeds have the byes of round 1. */
#include "pairing.h"

/* Seeds, from 0, in the order of the bracket: 0 7 3 4 1 6 2 5 for eight. Returns their number. */
static int bracket(int people, int *ret)
{
    int size = 1;
    ret[0] = 0;
    for (; size < people; size *= 2)
        for (int i = size - 1; i >= 0; i--) {
            int seed = ret[i];
            ret[2 * i] = i % 2 == 0 ? seed : 2 * size - 1 - seed;
            ret[2 * i + 1] = i % 2 == 0 ? 2 * size - 1 - seed : seed;
        }
    return size;
}

/* Those who may play this round, in the order of the bracket. */
static int survivors(const struct tournament *t, int round, int *ret)
{
    int n = 0;
    if (round == 1) {
        n = bracket(t->n_entrants, ret);
        for (int i = 0; i < n; i++)
            ret[i] = ret[i] < t->n_entrants ? ret[i] : NO_ENTRANT;
        return n;
    }
    for (int i = 0; i < t->n_games; i++)
        if (t->game[i].round == round - 1)
            ret[n++] = tournament_winner(t, &t->game[i]);
    return n;
}

int pair_knockout(const struct tournament *t, int round, struct tournament_game *ret)
{
    int in[ENTRANTS_MOST], n = survivors(t, round, in);
    for (int i = 0; i < n / 2; i++) {
        int a = in[2 * i], b = in[2 * i + 1];
        struct tournament_game g = {.first = (uint8_t)(a == NO_ENTRANT ? b : a),
                                    .second = NO_ENTRANT,
                                    .result = GAME_BYE,
                                    .unplayed = true};
        if (a != NO_ENTRANT && b != NO_ENTRANT)
            g = pair_by_balance(t, a, b, true);
        else if (a == NO_ENTRANT && b == NO_ENTRANT)
            g.result = GAME_NEITHER;
        ret[i] = g;
    }
    return n / 2;
}
