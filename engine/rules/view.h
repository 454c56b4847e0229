/* What one seat may know: the only thing that leaves the engine for eyes, human or not.
 * Made from a match; holds no card of another hand and none of the stock. */
#ifndef KOIKOI_VIEW_H
#define KOIKOI_VIEW_H

#include "match.h"

enum { SEAT_PUBLIC = -1 };            /* a spectator: no hand at all */

struct view {
    struct rules rules;
    int8_t  seat;                     /* whose eyes; SEAT_PUBLIC for the board */
    uint8_t stage, players, phase, turn, dealer;
    /* as in struct match: of the deal waited for, running, or the last */
    uint16_t round_no, attempt;
    uint8_t drawn, void_why, table_brights;
    int8_t  void_by;
    cardset hand;                     /* empty for SEAT_PUBLIC */
    cardset field, taken[MAX_PLAYERS];
    uint8_t hand_size[MAX_PLAYERS], stock_size;
    uint8_t koikoi[MAX_PLAYERS];
    struct score last_decision[MAX_PLAYERS];
    int32_t scores[MAX_PLAYERS];
    bool    played[MAX_PLAYERS];
    int8_t  winner;                   /* of the match, once over */
    uint8_t why;                      /* enum match_why */
    struct round_result result;       /* of the round, once over; points as capped */
    uint8_t n_seen;
    struct seen seen[MAX_SEEN];
    uint8_t n_legal;                  /* this seat's legal moves now */
    struct move legal[MAX_MOVES];
};

void view_of(const struct ruleset *g, const struct match *m, int seat, struct view *ret);

#endif
