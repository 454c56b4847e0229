/* A whole match looked at again: every decision with what it gave away, and what that makes of the
 * players. Made by the shell from the record (lesson_make.h there), summed up here, shown by
 * present_review.c.
 *
 *     lesson_sum(&lesson)      once all rounds and decisions are in
 *
 * Chances are those to win the match, 0 ... 1, a draw counting as an equal share. Flat: it crosses
 * threads as bytes, the lines behind the head.
 */
#ifndef KOIKOI_LESSON_H
#define KOIKOI_LESSON_H

#include "review.h"

enum { LESSON_ROUNDS = 200, LESSON_LINES = 2500, LESSON_MOMENTS = 3 };

struct lesson_round {
    uint16_t round;
    float start[MAX_PLAYERS];       /* chances before the deal */
};

struct lesson_line {                /* one decision: there was something to choose */
    uint16_t round;
    uint8_t seat;
    bool hinted;                    /* made after a hint */
    bool decision;                  /* koi-koi or stop */
    struct move made, best;
    float loss, spread;             /* as in struct review */
    float win;                      /* chance after the best move */
    float stop, koikoi;             /* decision: chance after each */
    struct reason reason;
};

struct lesson_player {
    uint16_t decisions;
    float lost;                     /* chances given away by the own choices, summed */
    float accuracy;                 /* 1 - given away / what could have been: the worst choice each
                                       time */
    float play, cards;              /* what the play and what the cards did to the own chance, -1
                                       ... 1 */
};

struct lesson {
    uint8_t players, why;           /* enum match_why */
    int8_t winner;
    uint16_t rounds;                /* of the rule set */
    int32_t n_rounds, n;
    struct lesson_round round[LESSON_ROUNDS];
    struct lesson_player player[MAX_PLAYERS];
    int32_t n_moments;
    int32_t moment[LESSON_MOMENTS]; /* indices into at: what gave most away, in the order of play */
    int32_t turning;                /* index into round: the one that moved the chances most; -1:
                                       none */
    struct lesson_line at[];
};

#define LESSON_SIZE(n) (sizeof(struct lesson) + (size_t)(n) * sizeof(struct lesson_line))

/* Chances after round i: before the next, or as the match ended. */
float lesson_after(const struct lesson *l, int i, int seat);
/* Fills player, moment and turning. Of somebody's whole change from the start to the end the play
 * is what the others gave away (of three players, half of it each) less what they gave away
 * themselves; the rest is the cards'. Nobody's cards decide a match that somebody left: there both
 * are 0. */
void lesson_sum(struct lesson *l);

#endif
