/* Engine-private: how a player without time to think values cards and picks a move.
 *
 * A policy is a table of numbers. Every open card gets a worth to each side from what the side
 * holds already (two poetry ribbons make the third dear) and from what the others have taken (one
 * of them taken makes the rest cheap); a move is what it gains, what it keeps from the others, and
 * what it lays before them. The same scores finish the playouts of the search, weigh hidden hands
 * by what was played and declined, and, with numbers that err, are the weaker levels.
 *
 *     policy_scores(g, p, &sight, moves, n, score)     for each play or choice; the highest is made
 *     policy_pick(g, p, &round, moves, n)             which move that is, koi-koi and hand yaku too
 *
 * Sees what the seat sees, nothing more. Source of the numbers: search_weights.c.
 */
#ifndef KOIKOI_SEARCH_POLICY_H
#define KOIKOI_SEARCH_POLICY_H

#include "round.h"

enum { N_STAGES = 3, N_CLASSES = 12 };

/* Worths in points of the round, for a stage of it. Arrays by "held already" or by the number of
 * cards of the month nobody has seen yet (0 ... 3). */
struct stage_policy {
    float trio[3], viewing[2], bright[4], rain;
    float animals[6], ribbons[6], plains[11], month[4];
    float deny;                /* of a card's worth to another, for taking it first */
    float gain[4];             /* of own worth, by unseen cards of the month: urgency */
    float keep[4];             /* of another's worth, likewise */
    float expose[4], forgo[4]; /* laying a card down: of another's worth, of one's own */
    float capture, pair;       /* taking at all; laying beside a card of the month held */
    float complete;            /* points of the pile gained at once */
};

struct policy {
    struct stage_policy stage[N_STAGES];
    /* Koi-koi if the sum is above 0: constant, per hand card left, own and others' outlook, points
     * that stopping pays, already called by another, by oneself. */
    float koikoi, hand_left, own_outlook, other_outlook, pays, other_called, own_called;
    float in_hand, on_field; /* outlook: weight of an open card there, unseen is 1 */
};
enum { N_POLICY_NUMBERS = sizeof(struct policy) / sizeof(float) };

extern const struct policy policy_tuned;

/* What one seat sees of a turn. */
struct sight {
    cardset hand, field, pile;
    cardset rival;  /* pile of the seat that plays next */
    cardset others; /* all piles but one's own */
};

/* Scores of plays (cards from the hand) or choices (for the drawn card), all of one kind. */
void policy_scores(const struct ruleset *g, const struct policy *p, const struct sight *sight,
                   const struct move *moves, int n, float *ret_score);

/* The policy's move for the seat to move in r (not over): an index into moves[0 ... n), its legal
 * ones. */
int policy_pick(const struct ruleset *g, const struct policy *p, const struct round *r,
                const struct move *moves, int n);

/* What the seat to move would be paid for stopping now. */
int round_pays(const struct ruleset *g, const struct round *r);

#endif
