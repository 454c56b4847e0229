/* Plays a round whose every card is known to its end, fast: what a search does a million times.
 *
 *     struct luck c = luck_seed(seed);
 *     playout_round(g, policy, &c, &round, &end)      any rule set, any phase, round not changed
 *
 * or, where a caller makes its own worlds for two players and playout_is_fast(g, &round):
 *
 *     playout_from(&round, &world)                     then swap hidden cards as you like, and
 *     playout_run(g, policy, &c, &world, &end)         consumes world: copy it to keep it
 *
 * Both play the same moves for the same chance; where the rules or the state need more than the
 * fast path knows (three players, a hand yaku to declare ...) playout_round() takes the public
 * road of round.h. A hand yaku that may be declared is declared; a redeal is never called; what
 * can take, takes.
 */
#ifndef KOIKOI_PLAYOUT_H
#define KOIKOI_PLAYOUT_H

#include "luck.h"
#include "round.h"

/* How both sides play. All zero: every card and choice alike likely, stop at the first yaku. */
struct playout_policy {
    bool    greedy;  /* take what weighs most; if nothing can be taken lay down the lightest */
    uint8_t blunder;  /* greedy: of 256, how often a card is played at random all the same */
    uint8_t koikoi;               /* of 256, how often koi-koi is called whatever the yaku */
    /* always koi-koi with a base below cheap and `early` or more cards in hand */
    uint8_t cheap, early;
    uint8_t weight[N_CARDS];      /* of a card, in the hand or taken */
};

/* A world: two players, nothing hidden. */
struct playout {
    cardset field, hand[2], taken[2];
    cardset decided[2];           /* pile at the seat's last koi-koi */
    uint16_t called_base[2];      /* its base; 0 = never */
    uint8_t phase, turn, dealer, drawn, table_brights;
    uint8_t next;                 /* index in deck of the next stock card */
    uint8_t koikoi[2];
    uint8_t deck[N_CARDS];        /* only from `next` on is read */
};

struct playout_end {
    int8_t  winner;               /* seat or -1 */
    uint8_t why;                  /* enum round_why */
    int32_t points;               /* before any purse caps them */
};

bool playout_is_fast(const struct ruleset *g, const struct round *r);
void playout_from(const struct round *r, struct playout *ret);
void playout_run(const struct ruleset *g, const struct playout_policy *p, struct luck *c,
                 struct playout *world, struct playout_end *ret);
void playout_round(const struct ruleset *g, const struct playout_policy *p, struct luck *c,
                   const struct round *r, struct playout_end *ret);

/* A world just dealt to two players, shuffled with c; deals that would be over at once are not
 * looked for. For sampling and measuring. */
void playout_deal(const struct ruleset *g, int dealer, struct luck *c, struct playout *ret);

#endif
