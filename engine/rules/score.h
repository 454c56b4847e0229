/* Worth of a pile of captured cards, and pay of a round. Source: README.md, "Yaku", "What a round
 * pays". */
#ifndef KOIKOI_SCORE_H
#define KOIKOI_SCORE_H

#include "pile.h"

struct score {
    uint16_t base;          /* sum of worth[] */
    uint16_t n_yaku;        /* yaku counted; hiki once per month */
    uint16_t worth[N_YAKU]; /* 0 = does not count; hiki: the total over its months */
};

/* The counted yaku of one pile. called: its owner has called koi-koi in this round. */
void score_pile(const struct ruleset *g, cardset taken, bool called, struct score *ret);

/* How often a viewing counts in this round: 0 where its month is another, 2 in its own. */
static inline int score_season(const struct rules *r, enum yaku y)
{
    bool own = r->month == (y == YAKU_TSUKIMI ? 8 : 3);
    return r->viewing_season == IN_SEASON_ONLY ? own : 1 + (own && r->viewing_season != 0);
}

/* True if rain ends the viewings of this pile. */
static inline bool score_rained(const struct rules *r, cardset pile)
{
    static const cardset rain[] = {[RAIN_NONE] = 0,
                                   [RAIN_RAINMAN] = CARD(RAINMAN),
                                   [RAIN_RAINMAN_OR_LIGHTNING] = CARD(RAINMAN) | CARD(LIGHTNING),
                                   [RAIN_WILLOW] = SET_WILLOW};
    return (pile & rain[r->rain_cancels]) != 0;
}

/* Worth of tsukimi or hanami, but for the season. One that is off stays off after a call. */
static inline int score_viewing(const struct rules *r, enum yaku y, bool called)
{
    bool dearer = called && r->viewing_after_koikoi > 0 && r->yaku[y] > 0;
    return dearer ? r->viewing_after_koikoi : r->yaku[y];
}

enum multiplier {
    X_SEVEN_PLUS,
    X_OWN_KOIKOI,
    X_OPPONENT_KOIKOI,
    X_ANY_KOIKOI,
    X_TABLE_BRIGHTS,
    X_CALL_BONUS,
    N_MULTIPLIERS
};
const char *multiplier_key(enum multiplier m); /* the field's name: "seven_plus" ... */

enum round_why {
    WHY_NONE,
    WHY_STOP,
    WHY_HAND_YAKU,
    WHY_HAND_YAKU_TIE,
    WHY_EXHAUSTED,
    WHY_OYA_KAN,
    WHY_LEAVE,
    WHY_DEALER_POINT,
    WHY_BEST_YAKU
};

/* Result of a round. x[m] is the whole factor of multiplier m, 1 if it did not apply; points before
 * any purse caps them are (base + added) * the product of x, at most POINTS_MAX (0 without a
 * winner; a flat 6 under oya-kan, 1 as the dealer's point). If a hand yaku or exhaustion pays,
 * score holds its base and no yaku. */
enum { POINTS_MAX = 10000000, OYA_KAN_POINTS = 6, DEALER_POINTS = 1 };
struct round_result {
    uint8_t why;        /* enum round_why; WHY_NONE while it runs */
    int8_t winner;      /* seat, or -1 */
    uint8_t hand;       /* the winning hand yaku (enum hand_yaku), else HAND_NONE */
    struct score score; /* the winner's counted yaku; base alone for a hand yaku, exhaustion */
    uint16_t added;     /* to the base by the winner's calls (call_bonus), before any factor */
    uint32_t x[N_MULTIPLIERS];
    int32_t points; /* uncapped in a round's result, capped in a match's */
};

/* Calls of a round and brights of its table, as far as they affect its points. */
struct calls {
    uint8_t players, table_brights;
    uint8_t koikoi[MAX_PLAYERS]; /* calls by seat */
};
/* Sets winner, score, added, x and points of a round won with the counted yaku in `score`; the
 * caller sets why and hand. multiplied false: no multiplier applies. */
void score_pay(const struct ruleset *g, const struct calls *calls, int winner,
               const struct score *score, bool multiplied, struct round_result *ret);

/* True if a yaku of `now` is not in `then`, or is worth more: then a player may decide. */
bool score_is_new(const struct score *now, const struct score *then);

/* Best hand yaku of a dealt hand under the rules: the most valuable; on equal worth double_four,
 * four, pairs. */
enum hand_yaku hand_yaku_of(const struct ruleset *g, cardset hand);

#endif
