/* Positions for tests of the computer player: random, or set up by hand. */
#ifndef KOIKOI_TESTS_POSITIONS_H
#define KOIKOI_TESTS_POSITIONS_H

#include "rng.h"
#include "match.h"
#include "search_call.h"
#include "view.h"

/* Rule sets that together use every option, for two and three players. */
enum { N_RULE_CASES = 15 };

struct rule_case {
    const char *name;
    int players;
    struct ruleset g;
};
const struct rule_case *rule_case(int i);

/* A shuffled deck, as even as rng_below(). */
void deck_by_chance(struct rng *chance, uint8_t ret[static N_CARDS]);

bool same_move(struct move a, struct move b);

/* A match of two with its first deal that is not void. */
void match_dealt(const struct ruleset *g, struct rng *chance, int dealer, struct match *ret);

/* What playouts choose for the seat to move: koi-koi by the net (NULL: by the policy), all else by
 * the tuned policy. An index into its legal moves. */
int playout_pick(const struct ruleset *g, const struct call_net *calls, const struct round *r,
                 const struct move *moves, int n);
/* Plays *r to its end, all seats choosing so. */
void playout_finish(const struct ruleset *g, const struct call_net *calls, struct round *r);

/* A match after `moves` random moves from a random deal. Returns false if the round ended
 * before. */
bool position(const struct ruleset *g, int players, uint64_t seed, int moves, struct match *ret);

/* A turn of seat 0, set up by hand; cards by their codes. The opponent holds others_hand (may be
 * NULL) and, up to others_cards, cards that no part of the setup names; the rest is the stock.
 * third: the pile of a third player, who holds as many; NULL: two play. */
struct setup {
    const char *hand, *field, *own, *other, *others_hand, *third;
    int others_cards, round_no, scores[2], dealer;
    enum phase phase;
};
void setup_set(const struct ruleset *g, const struct setup *s, struct match *ret);
/* What seat 0 sees there. */
void setup_view(const struct ruleset *g, const struct setup *s, struct view *ret);

/* Share of rounds that a seat wins with this yaku after a move of seat 0: the hidden cards are
 * dealt anew for each, the policy plays for all, and all stop as soon as they may. It knows of no
 * reason or plan. */
float wins_with(const struct ruleset *g, const struct match *m, struct move first, int seat,
                enum yaku y);

#endif
