/* See badge.h. */
#include "badge.h"

const struct badge_row_of badges[N_BADGES] = {
    [BADGE_GOKO] = {"goko", T_BADGE_GOKO},
    [BADGE_SHIKO] = {"shiko", T_BADGE_SHIKO},
    [BADGE_HUNDRED] = {"hundred", T_BADGE_HUNDRED},
    [BADGE_RUN] = {"run", T_BADGE_RUN},
    [BADGE_CHAMPION] = {"champion", T_BADGE_CHAMPION},
};

enum badge badge_find(struct str key)
{
    int b = 0;
    while (b < N_BADGES && !str_is(key, str_of(badges[b].key)))
        b++;
    return (enum badge)b;
}
