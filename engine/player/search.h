/* The computer player: a pure function of a view, a budget and a seed. It cannot look at hidden
 * cards, as a view holds none. The same arguments give the same answer.
 *
 *     struct budget b = { .visits = 0 };            the level's own number of playouts
 *     search(&view, LEVEL_NORMAL, &b, seed, &advice)
 *     advice.move, and the worth of each legal move
 *
 * How it thinks, and how to change it: search.c. No heap; about 200 kB of stack.
 */
#ifndef KOIKOI_SEARCH_H
#define KOIKOI_SEARCH_H

#include "view.h"

enum level { LEVEL_BEGINNER, LEVEL_EASY, LEVEL_NORMAL, LEVEL_HARD, LEVEL_MASTER, N_LEVELS };
const char *level_key(enum level l);     /* "beginner" ... */
int level_read(const char *s, size_t n); /* enum level or -1 */
uint32_t level_visits(enum level l);     /* playouts by default */

/* Budget of a search. The engine reads no clock: a limit in time is a callback, asked every few
 * hundred playouts; the search stops when it returns true. NULL: `visits` is the only limit. */
struct budget {
    uint32_t visits; /* most playouts; 0 = the level's own number */
    bool (*spent)(void *arg);
    void *arg;
};

struct advised {
    struct move move;
    float value; /* as in struct advice, if this move is made */
    float win;
    uint32_t visits; /* playouts behind these numbers; 0 = none, and value is 0 */
};

struct advice {
    struct move move; /* the choice: one of v->legal */
    /* expected points (or coins) of the round from here: the seat's less the opponents' (half of
     * theirs with three players) */
    float value;
    float win;         /* chance to win the match, a draw counts half; 0 from levels below hard */
    uint32_t playouts; /* of the whole search, at most the budget's */
    uint8_t n;
    struct advised at[MAX_MOVES]; /* worth of each move, in the order of v->legal */
};

/* v->n_legal must be at least 1. search_under() takes v->rules prepared by the caller. */
void search_under(const struct ruleset *g, const struct view *v, enum level level,
                  const struct budget *b, uint64_t seed, struct advice *ret);
void search(const struct view *v, enum level level, const struct budget *b, uint64_t seed,
            struct advice *ret);

#endif
