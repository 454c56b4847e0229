/* Engine-private: likelihood of a play or a call, for beliefs about hidden hands.
 *
 * A conditional logit: each play of a hand has a sum of learned weights, and the chance of a play
 * is its share of the exponentials of all sums. The weights belong to what a player looks at: what
 * the table is worth after the play (table_value.h), the policy's score, the kinds of cards played
 * and captured, the unseen cards of the month, other cards of it in the hand, a stage of the round.
 * Players differ, so there are weights of some styles, and the likelihood of a hand is the mean
 * over styles of its likelihood for the whole round. A share of slips, spread evenly, keeps a
 * player of no style from being believed to hold impossible hands.
 *
 * A call of koi-koi is likelier the more the koi-koi net holds it worth: a logistic curve.
 *
 *     plays_log_chance(g, &sight, moves, n, made, worth, by_style)
 *     plays_log_chance_of_call(gain)
 *
 * McFadden, Conditional logit analysis of qualitative choice behavior (1974). The weights are
 * learned from what players choose (nets/plays.inc, made by `make nets`).
 */
#ifndef KOIKOI_SEARCH_PLAYS_H
#define KOIKOI_SEARCH_PLAYS_H

#include "search_policy.h"

enum {
    PLAY_KINDS = 4,  /* enum card_kind */
    PLAY_UNSEEN = 4, /* unseen cards of the month, 0 ... 3 */
    PLAY_BESIDE = 3, /* other cards of the month in the hand, 0 ... 2 */
    /* of a capture */
    PLAY_WITH = 0,                          /* kind of the card played */
    PLAY_BEST = PLAY_WITH + PLAY_KINDS,     /* kind of the best card captured */
    PLAY_LEAVES = PLAY_BEST + PLAY_KINDS,   /* unseen cards of the month */
    PLAY_TAKES = PLAY_LEAVES + PLAY_UNSEEN, /* other cards of the month in the hand */
    PLAY_MANY = PLAY_TAKES + PLAY_BESIDE,   /* captures more than one card */
    PLAY_EARLY,                             /* a capture early in the round */
    PLAY_LATE,                              /* a capture late in the round */
    /* of a card laid down */
    PLAY_LAYS,                              /* its kind */
    PLAY_OFFERS = PLAY_LAYS + PLAY_KINDS,   /* unseen cards of its month */
    PLAY_KEEPS = PLAY_OFFERS + PLAY_UNSEEN, /* other cards of its month in the hand */
    PLAY_PLAIN = PLAY_KEEPS + PLAY_BESIDE,  /* a plain card, by the stage of the round */
    PLAY_VIEWING = PLAY_PLAIN + N_STAGES,   /* a card of a viewing: curtain, moon, sake cup */
    N_PLAY_FEATURES,
    MAX_PLAY_FEATURES = 6
};

/* Who plays by what the table is worth, by what the policy says, or by neither so much. */
enum play_style { STYLE_VALUE, STYLE_POLICY, STYLE_PLAIN, N_STYLES };
enum { PLAY_CARDS = 9 }; /* cards in the hand, 0 ... 8 */

struct play_weights {
    struct style_weights {
        float worth[PLAY_CARDS]; /* of 1 that a value net counts, by the cards in the hand */
        float score[N_STAGES];   /* of a point of the policy's score */
        float of[N_PLAY_FEATURES];
    } style[N_STYLES];
    float call, call_gain; /* of a call: constant; of a point that it gains */
};

/* Writes the features of a MOVE_PLAY; at most MAX_PLAY_FEATURES. Returns their number. */
int play_features(const struct sight *at, const struct move *m,
                  uint8_t ret[static MAX_PLAY_FEATURES]);
/* Logarithm of the chance that a seat with that sight makes moves[made], of all its n plays, by
 * each style. worth: what the table is worth after each play; NULL, where no value net was learned:
 * all styles are that of the policy. */
void plays_log_chance(const struct ruleset *g, const struct sight *at, const struct move *moves,
                      int n, int made, const float *worth, float ret[static N_STYLES]);
/* Logarithm of the chance that a seat calls koi-koi which it holds worth so many points more than a
 * stop (call_gain()). */
float plays_log_chance_of_call(float gain);

#endif
