/* View of a match from one seat, human or not; the only form in which a match leaves the engine. It
 * contains no card of other hands and none of the stock. */
#ifndef KOIKOI_VIEW_H
#define KOIKOI_VIEW_H

#include "match.h"

enum { SEAT_PUBLIC = -1 }; /* spectator: no hand */

struct view {
    struct rules rules;
    int8_t seat; /* the seat; SEAT_PUBLIC for the board */
    uint8_t stage, players, phase, turn, dealer;
    /* as in struct match: of the coming, running or last deal */
    uint16_t round_no, attempt;
    uint8_t drawn, void_why, table_brights;
    int8_t void_by;
    cardset hand; /* empty for SEAT_PUBLIC */
    cardset field, taken[MAX_PLAYERS];
    uint8_t hand_size[MAX_PLAYERS], stock_size;
    uint8_t koikoi[MAX_PLAYERS];
    struct score last_decision[MAX_PLAYERS];
    int32_t scores[MAX_PLAYERS];
    bool played[MAX_PLAYERS];
    int8_t winner;              /* of the match, once over */
    uint8_t why;                /* enum match_why */
    struct round_result result; /* of the round, once over; with capped points */
    uint8_t n_seen;
    struct seen seen[MAX_SEEN];
    uint8_t n_legal; /* legal moves of this seat now */
    struct move legal[MAX_MOVES];
};

void view_of(const struct ruleset *g, const struct match *m, int seat, struct view *ret);

#endif
