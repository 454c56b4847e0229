/* Scene: what one seat, or everybody, sees of a table, as plain values: the cards with what each can
 * do, the moves that are legal, what happened last, how far each player is, scores, round and clock.
 * Text, pictures, buttons and polls are made from it, so that all of them show the same.
 *
 *     scene_make(table, ruleset, &scene)        from the table's view alone: a scene holds no card
 *                                               that its reader may not see
 *     for i < scene.n_hand:                     the hand, in canonical order; numbers are i + 1
 *         card = &scene.hand[i]
 *         scene.move[card->first + k], k < card->n          what it can take, each with its yaku
 *     for i < scene.n_moves: scene.move[i]      what may be done now, in the order of the buttons
 *
 * A scene is made when it is read. It is not stored or sent: the newest takes the place of the one
 * before.
 */
#ifndef KOIKOI_SCENE_H
#define KOIKOI_SCENE_H

#include "table.h"

/* A choice; moves that differ in equal plains alone are one. */
struct scene_move {
    struct move move;
    int16_t legal; /* index in the view's legal moves, also that of its button; -1: not now */
    uint16_t makes[N_YAKU]; /* the yaku that it would add or raise, by their worth then */
    bool makes_any;
};

/* A card, and what it can do on the field as it lies. */
struct scene_card {
    uint8_t card;
    uint16_t first, n; /* its moves: move[first ... first + n) */
    cardset reach;     /* the cards of the field that it could take, equal ones too */
};

/* A yaku that a seat lacks and can still make. */
struct scene_near {
    uint8_t yaku, have, need;
    cardset missing; /* cards that would help */
};

struct scene_seat {
    cardset pile;
    uint8_t hand_size, calls;
    int32_t points;     /* of the match */
    int64_t time_left;  /* of a total clock, ms */
    struct score score; /* of the pile */
    uint8_t n_near;
    struct scene_near near[N_YAKU]; /* the nearest first, of those that say something */
};

/* One thing that a seat did: it played or drew a card and took others, or called koi-koi. */
struct scene_act {
    uint8_t seat, kind; /* enum seen_kind */
    uint8_t card;
    cardset took;
};

enum { SCENE_MOVES = 2 * MAX_MOVES, SCENE_ACTS = 4 };

struct scene {
    int8_t seat; /* the reader's; SEAT_PUBLIC */
    bool dealt;  /* a round runs */
    bool mine;   /* and the reader is to move */
    uint8_t players, turn, dealer, phase, stock_size;
    int round, rounds; /* the one that runs or has just ended; above `rounds`: an extra one */
    int64_t deadline;  /* of this move, unix ms; 0: none */
    cardset field;
    int n_hand, n_moves, n_all, n_acts;
    struct scene_card hand[N_CARDS];
    struct scene_card drawn; /* PHASE_DRAW: the card that waits for a choice */
    /* n_moves are legal now, behind them is what cards could do at another time: n_all together */
    struct scene_move move[SCENE_MOVES];
    struct scene_act act[SCENE_ACTS]; /* since a turn last began, */
    cardset moved;                    /* and the cards that they played, drew or took */
    uint16_t made[N_YAKU];            /* the yaku that they made or raised, by their worth now */
    struct scene_seat at[MAX_PLAYERS];
    struct round_result stop; /* how the round paid; or would, if the reader stopped now */
};

void scene_make(const struct table *t, const struct ruleset *g, struct scene *ret);

#endif
