/* The computer player: a pure function of a view, a budget and a seed. It is handed a view and
 * nothing else, so it cannot look at hidden cards; the same arguments give the same answer.
 *
 *     struct budget b = { .visits = 0 };            the level's own number of playouts
 *     search(&view, LEVEL_NORMAL, &b, seed, &advice)
 *     advice.move, and for each legal move what it is worth
 *
 * How it thinks, and how to change it: search.c. No heap; about 200 kB of stack.
 */
#ifndef KOIKOI_SEARCH_H
#define KOIKOI_SEARCH_H

#include "view.h"

enum level { LEVEL_BEGINNER, LEVEL_EASY, LEVEL_NORMAL, LEVEL_HARD, LEVEL_MASTER, N_LEVELS };
const char *level_key(enum level l);     /* "beginner" ... */
int level_read(const char *s, size_t n); /* enum level or -1 */
uint32_t level_visits(enum level l);     /* playouts of its own accord */

/* The engine reads no clock: a budget in time is a callback the caller owns, asked every few
 * hundred playouts; search stops when it says true. NULL: only `visits` bounds it. */
struct budget {
    uint32_t visits; /* playouts at most; 0 = the level's own number */
    bool (*spent)(void *arg);
    void *arg;
};

struct advised {
    struct move move;
    float value; /* as below, if this move is made */
    float win;
    uint32_t visits; /* playouts behind the numbers; 0 = none, value is 0 */
};

struct advice {
    struct move move; /* the choice: one of v->legal */
    float value;      /* expected points (or coins) of the round from here:
                                                     won, less those another wins (with three players
                                                     half of those) */
    float win;        /* chance to win the match, a draw counting half; only
                                                     hard and master reckon it, 0 from the others */
    uint8_t n;
    struct advised at[MAX_MOVES]; /* v->legal in its order, with what each is worth */
};

/* v->n_legal must be at least 1. search_under() is for who has made v->rules ready already. */
void search_under(const struct ruleset *g, const struct view *v, enum level level,
                  const struct budget *b, uint64_t seed, struct advice *ret);
void search(const struct view *v, enum level level, const struct budget *b, uint64_t seed,
            struct advice *ret);

#endif
