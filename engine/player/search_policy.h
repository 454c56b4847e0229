/* Engine-private: the policy, which values cards and picks a move without a search.
 *
 * A policy is a table of numbers. Each open card has a worth to each side, by the side's own pile
 * (two poetry ribbons make the third valuable) and by the opponents' piles (one captured by them
 * makes the rest cheap). The score of a move adds what it gains and denies, and subtracts what it
 * offers. The same scores finish the playouts of the search where no value net plays them, and
 * where one does they say which moves it compares; they weigh hidden hands by the play seen, and,
 * with worse numbers, are the weaker levels.
 *
 *     policy_scores(g, p, &sight, moves, n, score)     for each play or choice; the highest wins
 *     policy_pick(g, p, &round, moves, n)             the choice, koi-koi and hand yaku included
 *
 * It uses only what the seat sees. Source of the numbers: `make nets` (nets.h).
 */
#ifndef KOIKOI_SEARCH_POLICY_H
#define KOIKOI_SEARCH_POLICY_H

#include "round.h"

enum { N_STAGES = 3, N_CLASSES = 12 };

/* Worths in points of the round, for a stage of the round. Arrays by the number held already, or by
 * the number of unseen cards of the month (0 ... 3). */
struct stage_policy {
    float trio[3], viewing[2], bright[4], rain;
    float animals[6], ribbons[6], plains[11], month[4];
    float deny;                /* share of a card's worth to an opponent, for capturing it first */
    float gain[4];             /* factor of the own worth, by unseen cards of the month: urgency */
    float keep[4];             /* factor of an opponent's worth, likewise */
    float expose[4], forgo[4]; /* laying a card down: share of an opponent's worth, of the own */
    float capture, pair;       /* any capture; laying a card beside one of its month in hand */
    float complete;            /* points of the pile gained at once */
    /* Shares of the worths of the other cards of the month. Laying a card down: unseen cards, to an
     * opponent and to the own seat; cards beside it in hand. A capture: unseen cards, likewise. */
    float lure, await, bait, spoil, miss;
    float danger;    /* share added to an opponent's worths after its koi-koi */
    float finish[3]; /* gaining a yaku: before any koi-koi, after an opponent's, after the own */
    float calm;      /* share taken off a capture for a yaku that no other seat can prevent */
};

struct policy {
    struct stage_policy stage[N_STAGES];
    /* Koi-koi if the sum is above 0. Terms: constant, per hand card left, own and opponents'
     * outlook, points for stopping, already called by an opponent, by oneself. */
    float koikoi, hand_left, own_outlook, other_outlook, pays, other_called, own_called;
    float in_hand, on_field; /* outlook: weight of an open card at that place; unseen is 1 */
};
enum { N_POLICY_NUMBERS = sizeof(struct policy) / sizeof(float) };

/* The trained numbers (nets/policy.inc), and the rule sets they were learned from. */
enum { N_POLICY_RULES = 4 };
extern const struct policy policy_tuned;
extern const uint64_t policy_learned_from[N_POLICY_RULES];

/* What one seat sees of a turn. */
struct sight {
    cardset hand, field, pile;
    cardset rival;  /* pile of the seat that plays next */
    cardset others; /* all piles but the own */
    bool called, rival_called;
};

/* What the seat to move sees. */
struct sight policy_sight(const struct round *r);

/* Stage of the round for a seat with that hand: 0 ... N_STAGES - 1. */
static inline int policy_stage(cardset hand)
{
    int left = set_count(hand);
    return left >= 6 ? 0 : left >= 3 ? 1 : 2;
}

/* Scores of plays (cards from the hand) or choices (for the drawn card), all of one kind. */
void policy_scores(const struct ruleset *g, const struct policy *p, const struct sight *sight,
                   const struct move *moves, int n, float *ret_score);

/* The policy's move for the seat to move in r (not over): an index into moves[0 ... n), its legal
 * moves. */
int policy_pick(const struct ruleset *g, const struct policy *p, const struct round *r,
                const struct move *moves, int n);

/* Pay of the seat to move for stopping now. */
int policy_pays(const struct ruleset *g, const struct round *r);

#endif
