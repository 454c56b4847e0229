/* See beacon.h. */
#include "beacon.h"

int64_t beacon_round_after(const struct beacon_chain *c, int64_t now)
{
    if (c->period == 0)
        return 0;
    return now < c->genesis ? 1 : (now - c->genesis) / c->period + 2;
}

int64_t beacon_published(const struct beacon_chain *c, int64_t round)
{
    return c->period == 0 ? 0 : c->genesis + (round - 1) * c->period;
}
