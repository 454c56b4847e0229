/* Luck of a match: how much better the cards came for one seat than cards of their kind do.
 *
 *     luck_start(&meter, g, seat, worlds, seed)
 *     luck_deal(&meter, &match, deck)      before match_deal()
 *     luck_play(&meter, &match, who, move) before match_apply(), for every move
 *     result - meter.sum                   expects what the result expects, and scatters less
 *
 * A deal, or a card turned up, is worth the mean of `worlds` playouts that continue from it, less
 * the mean of as many from cards drawn in its place: any other deal, any other card of the stock.
 * Both follow one law before the card is known, so that their difference expects 0 whatever the
 * playouts are worth: a control variate that shifts no result. The better the playouts foresee the
 * match, the more luck they explain.
 *
 * Burch, Schmid, Moravcik, Bowling: AIVAT (2018), its part about chance. Two players.
 */
#ifndef KOIKOI_TESTS_ARENA_LUCK_H
#define KOIKOI_TESTS_ARENA_LUCK_H

#include "equity.h"
#include "match.h"
#include "rng.h"
#include "search_call.h"

struct luck {
    double win, points; /* of the match, as 0 ... 1; points ahead at its end, coins won */
};

struct luck_meter {
    const struct ruleset *g;
    const struct call_net *calls;
    int seat, worlds;
    struct rng rng;
    struct stakes stakes;        /* of the running round, seen by `seat` */
    int32_t scores[MAX_PLAYERS]; /* before it */
    struct luck sum;
};

void luck_start(struct luck_meter *ret, const struct ruleset *g, int seat, int worlds,
                uint64_t seed);
/* Takes the stakes of the round that m waits for or plays; luck_deal() does it too. */
void luck_round(struct luck_meter *l, const struct match *m);
/* m->stage is MATCH_READY. A void deal counts nothing. */
void luck_deal(struct luck_meter *l, const struct match *m, const uint8_t deck[static N_CARDS]);
void luck_play(struct luck_meter *l, const struct match *m, int who, struct move move);

#endif
