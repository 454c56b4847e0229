/* The computer player: a pure function of a view, a budget and a seed. It is handed a view and nothing
 * else, so it cannot look at hidden cards; the same arguments give the same answer. */
#ifndef KOIKOI_SEARCH_H
#define KOIKOI_SEARCH_H

#include "view.h"

enum level { LEVEL_BEGINNER, LEVEL_EASY, LEVEL_NORMAL, LEVEL_HARD, LEVEL_MASTER, N_LEVELS };
const char *level_key(enum level l);              /* "beginner" ... */
int level_read(const char *s, size_t n);          /* enum level or -1 */

/* The engine reads no clock: a budget in time is a callback the caller owns, asked every few hundred
 * playouts; search stops when it says true. NULL: only `visits` bounds it. */
struct budget {
    uint32_t visits;                              /* playouts at most; 0 = the level's own number */
    bool (*spent)(void *arg);
    void *arg;
};

struct advice {
    struct move move;                             /* the choice */
    float   value;                                /* expected points (or coins) of the round from here */
    uint8_t n;
    struct { struct move move; float value; uint32_t visits; } at[MAX_MOVES];
};

/* v->n_legal must be at least 1. */
void search(const struct view *v, enum level level, const struct budget *b, uint64_t seed,
            struct advice *ret);

#endif
