/* The rules once more, slowly: written from the rules page with names, sets and loops, sharing
 * nothing with the engine but the struct that holds the knobs. What the engine says is compared
 * with it. */
#ifndef KOIKOI_TESTS_NAIVE_H
#define KOIKOI_TESTS_NAIVE_H

#include "rules.h"

/* The 48 codes in canonical order. */
extern const char *const naive_codes[N_CARDS];

struct naive_score { int base, n_yaku, worth[N_YAKU]; };

struct naive_score naive_score(const struct rules *r, const bool pile[N_CARDS]);

/* The dearest hand yaku (enum hand_yaku) of a dealt hand. */
int naive_hand_yaku(const struct rules *r, const bool hand[N_CARDS]);

/* What a stop pays, uncapped. calls: koi-koi by seat. */
long naive_pay(const struct rules *r, int base, int n_yaku, int players, int winner,
               const int *calls,
               int table_brights);

/* A round as plain arrays: where each card is. */
enum naive_place { NAIVE_STOCK, NAIVE_FIELD, NAIVE_HAND, NAIVE_PILE = NAIVE_HAND + MAX_PLAYERS };
struct naive_round {
    int players, dealer, turn;
    int place[N_CARDS];
    int deck[N_CARDS], next;
    int drawn;                      /* waits for a choice, else -1 */
    bool asked;                     /* the seat to move decides */
    bool over;
    bool played[MAX_PLAYERS], four[MAX_PLAYERS];
    int calls[MAX_PLAYERS];
    struct naive_score at_call[MAX_PLAYERS];
};

void naive_deal(const struct rules *r, int players, int dealer, const int *deck,
                struct naive_round *ret);
/* Sequences of `depth` moves from here, resigning left out; an end before that depth counts
 * none. */
long naive_perft(const struct rules *r, const struct naive_round *n, int depth);

#endif
