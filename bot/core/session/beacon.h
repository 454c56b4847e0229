/* Rounds of a public beacon: a service that publishes 32 random bytes every few seconds, secret
 * until then. A seal names the first round published after it, and its value is mixed
 * into the deck of that deal: README.md of bot/formats, "Fair shuffle". */
#ifndef KOIKOI_BEACON_H
#define KOIKOI_BEACON_H

#include <stdint.h>

enum { BEACON_URL_SIZE = 200, BEACON_VALUE_SIZE = 65 };

/* Round 1 is published at `genesis`, the next ones `period` apart; unix ms. */
struct beacon_chain {
    char url[BEACON_URL_SIZE];
    int64_t genesis, period; /* period 0: not known yet */
};

/* Rounds that the seals of a session have named. */
struct beacon_rounds {
    char url[BEACON_URL_SIZE];     /* of the chain */
    int64_t next;                  /* named with next_seed; 0: none */
    int64_t until;                 /* unix ms: all are ready and the deal waits for `next`
                                      until then; 0: it does not wait */
    int64_t deal;                  /* named with deal_seed; 0: none */
    char value[BEACON_VALUE_SIZE]; /* of `deal`, lower-case hex; empty: dealt without */
};

/* The first round published after `now`; 0 if the period is not known. */
int64_t beacon_round_after(const struct beacon_chain *c, int64_t now);
/* When a round is published, unix ms; 0 if the period is not known. */
int64_t beacon_published(const struct beacon_chain *c, int64_t round);

#endif
