/* Engine-private: what tells the levels apart, a row each. */
#ifndef KOIKOI_SEARCH_LEVEL_H
#define KOIKOI_SEARCH_LEVEL_H

#include "search.h"
#include "search_world.h"

struct habits {
    const char *key;
    uint32_t visits;             /* playouts of its own accord */
    bool thinks;                 /* chooses by playouts; else by `policy` at once */
    float inference;             /* see belief_make() */
    bool match;                  /* plays for the match, not for the points of the round */
    const struct policy *policy; /* of those that do not think */
    bool calls;                  /* koi-koi in its playouts is called as search_call.h has
                                    learned */
    float overlooks;             /* share of the takes without a bright that it does not notice */
};
extern const struct habits habits[N_LEVELS];

/* The move of a level that does not think: an index into v->legal. world: any that v allows. */
int habit_pick(const struct ruleset *g, const struct habits *h, const struct view *v,
               const struct round *world, uint64_t seed);

#endif
