/* Reviews and hints: the worth of a move compared with the best one, and the reason, as data.
 *
 *     review_move(&view, move, visits, seed, &review)    for a move that was made
 *     review_hint(&view, visits, seed, &review)          for a move to come: review.best
 *
 * A pure function of a view, like the search. It gives a reason only if the numbers carry it
 * (review_worlds.c). No heap; about 300 kB of stack.
 */
#ifndef KOIKOI_REVIEW_H
#define KOIKOI_REVIEW_H

#include "search.h"

/* The difference between the best move and the other one: after the best move `seat` completes
 * `yaku` more often (its own) or less often (an opponent's), because of `card`. */
enum reason_kind {
    REASON_NONE,
    REASON_COMPLETES, /* the best move completes an own yaku at once */
    REASON_TAKES,     /* it captures the card towards an own yaku */
    REASON_HOLDS,     /* the other move gives away a hand card that an own yaku needs */
    REASON_BUILDS,    /* it makes an own yaku likelier, by no single card */
    REASON_DENIES,    /* it captures a card that an opponent needs */
    REASON_GIVES,     /* the other move lays down a card that an opponent needs */
    REASON_BLOCKS,    /* it makes an opponent's yaku less likely, by no single card */
    REASON_STOP,      /* stopping is worth more than koi-koi */
    REASON_KOIKOI,    /* koi-koi is worth more than stopping */
    N_REASONS
};
const char *reason_key(enum reason_kind k); /* "none" "completes" ... "koikoi" */

struct reason {
    uint8_t kind; /* enum reason_kind */
    int8_t seat;  /* owner of the yaku; -1: none */
    uint8_t yaku; /* enum yaku; N_YAKU: none */
    uint8_t card; /* CARD_NONE: none */
    /* probability that the seat has the yaku at the end of the round, after the best move */
    float chance;
    float instead; /* the same after the other move */
};

/* Outcomes of the round after a choice, by playouts: shares of 1. Points are means over the rounds
 * with that outcome, before any purse caps them; 0 without any. */
struct outlook {
    float win;        /* chance to win the match; a draw counts half */
    float won, lost;  /* the round is won: by this seat; by an opponent */
    float gain, risk; /* points in these cases */
};

/* A yaku that a seat does not have yet, and its chance to have it at the end of the round. */
struct prospect {
    int8_t seat;  /* -1: none */
    uint8_t yaku; /* enum yaku; N_YAKU: none */
    float chance; /* 0: none */
};

struct review {
    struct advice advice; /* all legal moves, from the search of the highest level */
    /* indices into v->legal; in a hint `made` is the best of the clearly worse moves, or `best` if
     * no move is */
    uint8_t best, made;
    float loss; /* chance to win the match lost by `made`, 0 ... 1; 0 if it may be sampling noise */
    float points; /* expected points of the round lost by `made`; 0 where `loss` is */
    /* a hint: chance to win the match after the best move that is not alike; -1 without any */
    float next;
    float spread;         /* best less worst of all moves: the most that could be lost */
    struct reason reason; /* REASON_NONE for a small loss */
    /* A hint: what the best move works towards, and which yaku of another it leaves one or two
     * cards away. In a decision both are as after a call, and a plan stands only if the call is
     * best. */
    struct prospect plan, threat;
    bool decision; /* koi-koi or stop: the two fields below are set */
    struct outlook stop, koikoi;
};

enum { REVIEW_VISITS = 3000 }; /* default number of playouts: 10 to 25 ms a hint */

/* v->n_legal must be at least 1, and `made` one of v->legal. visits: playouts of the search; the
 * rest takes about as many again. */
void review_move(const struct view *v, struct move made, uint32_t visits, uint64_t seed,
                 struct review *ret);
void review_hint(const struct view *v, uint32_t visits, uint64_t seed, struct review *ret);

/* True if the moves differ in equal plains alone. */
bool review_alike(struct move a, struct move b);

/* The cards that count for a yaku, and the number it needs; 0 for hiki, which counts months. */
cardset yaku_cards(const struct rules *r, enum yaku y, int *ret_need);

/* What a seat has of a yaku and needs in all; and the cards that would help and that it can still
 * get. */
struct reach {
    int have, need;
    cardset missing;
};
/* By the piles alone. Returns false if the seat has the yaku, others have taken too much for it, or
 * it would not be paid beside what the seat has: a trio takes its cards in, rain or brights cancel
 * a viewing. */
bool review_reach(const struct view *v, int seat, enum yaku y, struct reach *ret);
/* The same after a move of the own seat; other seats cannot get the cards that it keeps in hand. */
bool review_lacks(const struct view *v, struct move m, int seat, enum yaku y, struct reach *ret);

/* Engine-private: the cards that a move captures, its own among them. */
cardset review_captured(struct move m);

#endif
