/* A second, slow implementation of the rules, written from the rules page with names, sets and
 * loops. It shares only the struct of rule options with the engine; tests compare the two. */
#ifndef KOIKOI_TESTS_NAIVE_H
#define KOIKOI_TESTS_NAIVE_H

#include "rules.h"

/* The 48 codes in canonical order. */
extern const char *const naive_codes[N_CARDS];

struct naive_score {
    int base, n_yaku, worth[N_YAKU];
};

/* called: the owner of the pile has called koi-koi. */
struct naive_score naive_score(const struct rules *r, const bool pile[N_CARDS], bool called);

/* The most valuable hand yaku (enum hand_yaku) of a dealt hand. */
int naive_hand_yaku(const struct rules *r, const bool hand[N_CARDS]);

/* The dealer after a round: winner -1 for none. */
int naive_next_dealer(const struct rules *r, int players, int dealer, int winner);

/* What a stop pays, without a cap. calls: koi-koi calls by seat. */
long naive_pay(const struct rules *r, int base, int n_yaku, int players, int winner,
               const int *calls, int table_brights);

/* A round as plain arrays: the place of each card. */
enum naive_place { NAIVE_STOCK, NAIVE_FIELD, NAIVE_HAND, NAIVE_PILE = NAIVE_HAND + MAX_PLAYERS };
struct naive_round {
    int players, dealer, turn;
    int place[N_CARDS];
    int deck[N_CARDS], next;
    int drawn;  /* card that waits for a choice, else -1 */
    bool asked; /* the seat to move decides about koi-koi */
    bool over;
    bool played[MAX_PLAYERS], four[MAX_PLAYERS];
    int calls[MAX_PLAYERS];
    struct naive_score at_call[MAX_PLAYERS];
};

void naive_deal(const struct rules *r, int players, int dealer, const int *deck,
                struct naive_round *ret);
/* Number of sequences of `depth` moves from here, without resignations. A sequence that ends
 * earlier does not count. */
long naive_perft(const struct rules *r, const struct naive_round *n, int depth);

#endif
