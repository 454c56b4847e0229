/* The teacher: what a move was worth beside the best one, and why, as numbers and data, never
 * words.
 *
 *     review_move(&view, move, visits, seed, &review)    a move that was made
 *     review_hint(&view, visits, seed, &review)     what to make: review.best, beside the next best
 *
 * Pure like the search it asks, and as blind: it is handed a view. The same arguments give the same
 * answer. A reason is given only where the numbers carry it; how that is found: review.c,
 * review_reason.c. No heap; about 300 kB of stack.
 */
#ifndef KOIKOI_REVIEW_H
#define KOIKOI_REVIEW_H

#include "search.h"

/* What tells the best move from the other. `seat` completes `yaku` more often (its own) or less
 * often (another's) after the best one; `card` is what makes the difference. */
enum reason_kind {
    REASON_NONE,
    REASON_COMPLETES, /* the best move completes the own yaku at once */
    REASON_TAKES,     /* it takes the card, towards an own yaku */
    REASON_HOLDS,     /* the other move gives the card out of the hand, which an own yaku needs */
    REASON_BUILDS,    /* it makes an own yaku likelier; no single card says how */
    REASON_DENIES,    /* it takes the card, which another needs */
    REASON_GIVES,     /* the other move lays down the card, which another needs */
    REASON_BLOCKS,    /* it makes another's yaku less likely; no single card says how */
    REASON_STOP,      /* stopping is worth more than koi-koi */
    REASON_KOIKOI,    /* koi-koi is worth more than stopping */
    N_REASONS
};

struct reason {
    uint8_t kind;    /* enum reason_kind */
    int8_t  seat;    /* whose yaku; -1: none */
    uint8_t yaku;    /* enum yaku; N_YAKU: none */
    uint8_t card;    /* CARD_NONE: none */
    float chance;    /* that the seat has the yaku when the round ends, after the best move */
    float instead;   /* the same after the other */
};

/* What lies behind a choice: how the round ends, as playouts have it. Shares of 1; points before
 * any purse caps them, means over the rounds that ended so, 0 if none did. */
struct outlook {
    float win;       /* chance to win the match, a draw counting half */
    float won, lost; /* the round: by oneself; by another */
    float gain, risk;        /* points then */
};

struct review {
    struct advice advice;    /* all legal moves, by the search that the highest level plays by */
    uint8_t best, made;      /* indices into v->legal; for a hint `made` is the best of those that
                                are clearly worse, or `best` if there is none */
    float loss;              /* chance to win the match given away by `made`: 0 ... 1. What could be
                                the sampling alone counts as none. */
    float spread;            /* best less worst of all: what could be given away */
    struct reason reason;    /* REASON_NONE where loss is small */
    bool decision;           /* koi-koi or stop: these two are filled in */
    struct outlook stop, koikoi;
};

enum { REVIEW_VISITS = 3000 };          /* a good number of playouts: some 20 ms */

/* v->n_legal must be at least 1, and `made` be one of v->legal. visits: playouts for the search;
 * the rest takes about as many again. */
void review_move(const struct view *v, struct move made, uint32_t visits, uint64_t seed,
                 struct review *ret);
void review_hint(const struct view *v, uint32_t visits, uint64_t seed, struct review *ret);

/* True if it makes no difference which is made: they differ in equal plains alone. */
bool review_alike(struct move a, struct move b);

/* The cards a yaku is made of and how many of them it needs; 0 for hiki, which has its own way. */
cardset yaku_cards(const struct rules *r, enum yaku y, int *ret_need);

/* Engine-private: why v->legal[best] is better than v->legal[other]; and the outlook of a
 * choice. */
void review_reason(const struct view *v, int best, int other, uint32_t worlds, uint64_t seed,
                   struct reason *ret);
void review_outlook(const struct view *v, struct move m, uint32_t worlds, uint64_t seed,
                    struct outlook *ret);

#endif
