/* See world.h. */
#include "world.h"

struct match other_world(const struct match *m, int seat, struct rng *c)
{
    struct match w = *m;
    struct round *r = &w.round;
    uint8_t hidden[N_CARDS];
    int n = 0;
    for (int i = r->next; i < N_CARDS; i++)
        hidden[n++] = r->deck[i];
    for (int p = 0; p < r->players; p++)
        for (cardset h = p == seat ? 0 : r->hand[p]; h != 0; h = set_rest(h))
            hidden[n++] = (uint8_t)set_first(h);
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(rng_next(c) % (uint64_t)(i + 1));
        uint8_t card = hidden[i];
        hidden[i] = hidden[j];
        hidden[j] = card;
    }
    n = 0;
    for (int i = r->next; i < N_CARDS; i++)
        r->deck[i] = hidden[n++];
    for (int p = 0; p < r->players; p++) {
        int size = set_count(r->hand[p]);
        if (p == seat)
            continue;
        r->hand[p] = 0;
        while (size-- > 0)
            r->hand[p] |= CARD(hidden[n++]);
        r->may_redeal[p] = !r->may_redeal[p]; /* secret too: it would reveal four of a month */
    }
    for (int i = 0; i < r->next; i++) /* the order of the deal is hidden */
        r->deck[i] = 0;
    return w;
}
