/* Review of a finished match: every decision with its loss, and sums for each player. Made from the
 * record by bot/analysis (match_review_make.h), shown by page_review.c.
 *
 *     match_review_sum(&review)      once all rounds and decisions are in
 *
 * Chances are those to win the match, 0 ... 1; a draw counts as an equal share. Flat: it crosses
 * threads as bytes, the lines behind the head.
 */
#ifndef KOIKOI_MATCH_REVIEW_H
#define KOIKOI_MATCH_REVIEW_H

#include "review.h"

enum { REVIEW_ROUNDS = 200, REVIEW_LINES = 2500, REVIEW_MOMENTS = 3 };

struct match_review_round {
    uint16_t round;
    float start[MAX_PLAYERS]; /* chances before the deal */
};

struct match_review_line { /* one decision among at least two moves */
    uint16_t round, move;  /* move: of the round, from 1 */
    int32_t step;          /* its position in the replay */
    uint8_t seat;
    bool hinted;   /* made after a hint */
    bool decision; /* koi-koi or stop */
    struct move made, best;
    float loss, spread; /* as in struct review */
    float win;          /* chance after the best move */
    float points;       /* lost of the round, expected; as in struct review */
    /* decision: chance after stopping; and what a call leads to */
    float stop;
    struct outlook koikoi;
    struct reason reason;
};

/* An accuracy of fewer decisions is chance. */
enum { MATCH_REVIEW_FEW = 8 };

struct match_review_player {
    uint16_t decisions;
    float lost;        /* sum of the losses */
    float accuracy;    /* 1 - losses / the losses of the worst choice each time */
    float play, cards; /* change of the player's chance by play, by cards: -1 ... 1 */
};

struct match_review {
    uint8_t players, why; /* enum match_why */
    int8_t winner;
    uint16_t rounds; /* of the rule set */
    int32_t n_rounds, n;
    struct match_review_round round[REVIEW_ROUNDS];
    struct match_review_player player[MAX_PLAYERS];
    int32_t n_moments;
    int32_t moment[REVIEW_MOMENTS]; /* indices into at: the greatest losses, in the order of play */
    int32_t turning;                /* index into round: the greatest change of chances; -1: none */
    struct match_review_line at[];
};

#define REVIEW_SIZE(n)                                                                             \
    (sizeof(struct match_review) + (size_t)(n) * sizeof(struct match_review_line))

/* Chances after round i: before the next, or as the match ended. */
float match_review_after(const struct match_review *review, int i, int seat);
/* Fills player, moment and turning. A player's change from start to end is split in two: play is
 * the losses of the others (of three players, half of each) less the player's own; cards is the
 * rest. Both are 0 if a player left the match. */
void match_review_sum(struct match_review *review);

#endif
