/* What a pile of won cards is worth, and what a round pays. Source: README.md, "Yaku", "What a
 * round pays". */
#ifndef KOIKOI_SCORE_H
#define KOIKOI_SCORE_H

#include "pile.h"

struct score {
    uint16_t base;                /* sum of worth[] */
    uint16_t n_yaku;              /* yaku counted; hiki once per month */
    uint16_t worth[N_YAKU];       /* 0 = does not count; hiki is the total over its months */
};

/* The counted yaku of one pile. */
void score_pile(const struct ruleset *g, cardset taken, struct score *ret);
/* The same base, nothing else, four table reads: about 1.5 ns. */
static inline int score_base(const struct ruleset *g, cardset taken) { return pile_base(g, taken); }
/* The bases of n piles. */
void score_bases(const struct ruleset *g, const cardset *piles, size_t n, uint16_t *ret);

enum multiplier { X_SEVEN_PLUS, X_OWN_KOIKOI, X_OPPONENT_KOIKOI, X_ANY_KOIKOI, X_TABLE_BRIGHTS,
                  N_MULTIPLIERS };
const char *multiplier_key(enum multiplier m);  /* the field's name: "seven_plus" ... */

enum round_why { WHY_NONE, WHY_STOP, WHY_HAND_YAKU, WHY_HAND_YAKU_TIE, WHY_EXHAUSTED, WHY_OYA_KAN,
                 WHY_LEAVE };

/* How a round ended. x[m] is 1 where multiplier m did not apply, else its whole factor; points
 * before any purse caps it is base * the product of x, at most POINTS_MAX (0 without a winner; a
 * flat 6 under oya-kan). Where a hand yaku or oya-kan pays, score holds its base and no yaku. */
enum { POINTS_MAX = 10000000, OYA_KAN_POINTS = 6 };
struct round_result {
    uint8_t  why;                 /* enum round_why; WHY_NONE while it runs */
    int8_t   winner;              /* seat, or -1 */
    uint8_t  hand;                /* enum hand_yaku that won, else HAND_NONE */
    struct score score;  /* the winner's counted yaku; base alone for a hand yaku, oya-kan */
    uint32_t x[N_MULTIPLIERS];
    int32_t  points;              /* uncapped in the round's result; capped in a match's */
};

/* What the calls of a round, and the table it was dealt, do to its points. */
struct calls {
    uint8_t players, table_brights;
    uint8_t koikoi[MAX_PLAYERS];  /* calls by seat */
};
/* Fills winner, score, x and points of a round won with `score` counted; why and hand are the
 * caller's. multiplied false: no multiplier applies. */
void score_pay(const struct ruleset *g, const struct calls *calls, int winner,
               const struct score *score,
               bool multiplied, struct round_result *ret);

/* True if a yaku of `now` is not in `then`, or is worth more: what lets a player decide. */
bool score_is_new(const struct score *now, const struct score *then);

/* Best hand yaku of a dealt hand under the rules (dearest; double_four, four, pairs on equal
 * worth). */
enum hand_yaku hand_yaku_of(const struct ruleset *g, cardset hand);

#endif
