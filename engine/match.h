/* A match: rounds, dealers, totals, and who wins. Wraps round.h; a flat value too.
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

enum match_stage { MATCH_READY, MATCH_PLAYING, MATCH_OVER };    /* READY: waits for a deal */
enum match_why { MATCH_NONE, MATCH_ROUNDS, MATCH_BANKRUPT, MATCH_LEAVE };

struct match {
    uint8_t stage, players;
    uint16_t round_no, attempt;  /* of the deal waited for, running, or the last; both from 1 */
    uint8_t dealer;                   /* of that deal */
    int8_t  winner;                   /* MATCH_OVER: seat or -1 for a draw */
    uint8_t why;                      /* enum match_why */
    int32_t scores[MAX_PLAYERS];      /* totals: coins owned, or points */
    uint16_t rounds_won[MAX_PLAYERS];
    struct round round;               /* the running or last round */
    struct round_result last;         /* result of the last finished round, points as capped */
};

void match_start(const struct rules *r, int players, int dealer, struct match *ret);
/* m->stage must be MATCH_READY. A void deal leaves it so, with the next attempt. */
void match_deal(const struct ruleset *g, struct match *m, const uint8_t deck[static N_CARDS],
                struct round_log *ret_log);
enum illegal match_apply(const struct ruleset *g, struct match *m, int seat, struct move mv,
                         struct round_log *ret_log);
/* A seat leaves for good (resign or time), in a round or between rounds. */
void match_leave(const struct ruleset *g, struct match *m, int seat, struct round_log *ret_log);

/* The one seat with the highest total among `seats` (bit n: seat n); -1 if several share it. */
int match_leader(const struct match *m, unsigned seats);

/* First dealer by lots from the deck of round 0: joined[i] drew ret_lots[...]. ret_order[s] is the
 * joining index of seat s, ret_lots[s] that seat's last card. README.md, "Match". */
void lots_draw(const uint8_t deck[static N_CARDS], int players,
               uint8_t ret_order[static MAX_PLAYERS],
               uint8_t ret_lots[static MAX_PLAYERS]);

#endif
