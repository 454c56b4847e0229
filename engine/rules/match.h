/* Match: a sequence of rounds with dealers, totals and the winner. A flat value, like its round.
 *
 *     match_start(rules, players, first_dealer, &m)
 *     match_deal(g, &m, deck, &log)     for each round and attempt: MATCH_READY -> MATCH_PLAYING
 *     match_apply(g, &m, seat, move, &log)  until m.stage is MATCH_READY again or MATCH_OVER
 */
#ifndef KOIKOI_MATCH_H
#define KOIKOI_MATCH_H

#include "round.h"

/* A tie that extra rounds do not break is a draw after this round. */
enum { LAST_ROUND = 999 };

enum match_stage { MATCH_READY, MATCH_PLAYING, MATCH_OVER }; /* READY: waits for a deal */
/* AGREED: all who play agreed to a draw. */
enum match_why { MATCH_NONE, MATCH_ROUNDS, MATCH_BANKRUPT, MATCH_LEAVE, MATCH_AGREED };

struct match {
    uint8_t stage, players;
    uint16_t round_no, attempt;  /* of the coming, running or last deal; both from 1 */
    uint8_t dealer;              /* of that deal */
    int8_t winner;               /* MATCH_OVER: seat or -1 for a draw */
    uint8_t why;                 /* enum match_why */
    uint8_t gone;                /* bit n: seat n was left and cannot win; a computer plays it */
    int32_t scores[MAX_PLAYERS]; /* totals: coins owned, or points */
    uint16_t rounds_won[MAX_PLAYERS];
    struct round round;       /* the running or last round */
    struct round_result last; /* result of the last finished round, with capped points */
};

void match_start(const struct rules *r, int players, int dealer, struct match *ret);
/* m->stage must be MATCH_READY. A void deal leaves it there, with the next attempt. */
void match_deal(const struct ruleset *g, struct match *m, const uint8_t deck[static N_CARDS],
                struct round_log *ret_log);
enum illegal match_apply(const struct ruleset *g, struct match *m, int seat, struct move mv,
                         struct round_log *ret_log);
/* The seat that deals the round after one that `dealer` dealt and `winner` won, -1: without a
 * winner: the winner deals, else the same seat, or the next one if the rules say so. */
int match_next_dealer(const struct rules *r, int players, int dealer, int winner);
/* A seat leaves for good (resigns or runs out of time), in a round or between rounds, and the match
 * is over. */
void match_leave(const struct ruleset *g, struct match *m, int seat, struct round_log *ret_log);
/* The same of the first of three who leaves, where the two others play on. */
void match_go_on(struct match *m, int seat, struct round_log *ret_log);
/* The players, `seat` last, agree that the match is a draw. */
void match_agree(const struct ruleset *g, struct match *m, int seat, struct round_log *ret_log);
/* Sets the running round back to where it had seen `n_seen` entries, as `seat` asked. Returns
 * false, with *m untouched, if no player was to act there. */
bool match_take_back(const struct ruleset *g, struct match *m, int seat, int n_seen,
                     struct round_log *ret_log);

/* Number of the round of the running or last deal: between rounds the one before round_no. */
int match_dealt_round(const struct match *m);
/* Seats that can win: all but those that were left. */
unsigned match_contenders(const struct match *m);
/* The one seat with the highest total among `seats` (bit n: seat n); -1 if several share it. */
int match_leader(const struct match *m, unsigned seats);

/* Decides the first dealer by lots from the deck of round 0: joined[i] drew ret_lots[...].
 * ret_order[s] is the joining index of seat s, ret_lots[s] that seat's last card. README.md,
 * "Match". */
void lots_draw(const uint8_t deck[static N_CARDS], int players,
               uint8_t ret_order[static MAX_PLAYERS], uint8_t ret_lots[static MAX_PLAYERS]);

#endif
