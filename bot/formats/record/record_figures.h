/* Figures of a finished match, by seat, read from its record: what the season and a player's page
 * count. */
#ifndef KOIKOI_RECORD_FIGURES_H
#define KOIKOI_RECORD_FIGURES_H

#include "effect.h"

struct record_figures {
    bool moved; /* a card was played */
    int rounds; /* that ended, by whatever way but a player's leaving */
    struct figures_of_seat {
        int won;                      /* rounds */
        int calls;                    /* rounds in which they called koi-koi, */
        int calls_won, calls_paid;    /* and won the round; and another won it */
        uint16_t yaku[N_YAKU];        /* rounds won with it */
        struct round_summary dearest; /* round won with the most points; points 0: none */
    } seat[MAX_PLAYERS];
};

/* Skips lines that cannot be read. */
void record_figures_read(struct str record, struct record_figures *ret);

#endif
