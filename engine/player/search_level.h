/* Engine-private: the levels, a row each. */
#ifndef KOIKOI_SEARCH_LEVEL_H
#define KOIKOI_SEARCH_LEVEL_H

#include "search.h"
#include "search_world.h"

struct habits {
    const char *key;
    uint32_t visits;             /* playouts by default */
    bool thinks;                 /* chooses by playouts; else at once by `policy` */
    float inference;             /* see belief_make() */
    bool match;                  /* plays for the match, not for the points of the round */
    const struct policy *policy; /* of levels that do not search */
    bool longer;                 /* uses a budget beyond its own number of playouts */
    bool calls;                  /* decides koi-koi in its playouts by the net of search_call.h */
    bool calls_for_match;        /* and by what it says of the match, not of the round's points */
    /* Value nets play and end its playouts: it must think, for the match. Inference has them
     * anyway. */
    bool values;
    bool weighs;     /* tells the worth of moves by worlds it has not chosen by */
    float settled;   /* a choice with less at stake is, in chances of a match */
    float overlooks; /* share of captures without a bright that it overlooks */
};
extern const struct habits habits[N_LEVELS];

/* search_under() of a player with these habits, which need be no level's: for trainers. */
void search_as(const struct ruleset *g, const struct view *v, const struct habits *h,
               const struct budget *b, uint64_t seed, struct advice *ret);

/* The move of a level that does not search: an index into v->legal. world: any that v allows. */
int habit_pick(const struct ruleset *g, const struct habits *h, const struct view *v,
               const struct round *world, uint64_t seed);

#endif
