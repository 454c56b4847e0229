/* What the program reads in the records that it wrote: summaries of the finished rounds, figures of
 * the players; a record without a player's name; the beginning of one under other names. Lines that
 * cannot be read are skipped. */
#ifndef KOIKOI_RECORD_ROUNDS_H
#define KOIKOI_RECORD_ROUNDS_H

#include "arena.h"
#include "effect.h"

enum { MAX_RECORD_ROUNDS = 60 };

/* Reads the last MAX_RECORD_ROUNDS rounds into the arena and returns their number. */
int record_rounds_read(struct arena *a, struct str record, const struct round_summary **ret);

/* Figures of a finished match, by seat: what the season and a player's page count. */
struct record_figures {
    bool moved; /* a card was played */
    struct figures_of_seat {
        struct tally tally;           /* rounds, but for one that somebody left */
        uint16_t yaku[N_YAKU];        /* rounds won with it */
        struct round_summary dearest; /* round won with the most points; points 0: none */
    } seat[MAX_PLAYERS];
};
void record_figures_read(struct str record, struct record_figures *ret);

/* Returns the lines with another name for the seat, and for its place in the order of joining;
 * lines that do not begin with the head of a match are returned as they are. */
struct str record_forget(struct arena *a, struct str lines, int seat, int joined, struct str name);

/* The beginning of a match that goes on from another: the first lines of that one's record. */
struct record_begun {
    int64_t from; /* its number */
    int lines;
    struct str names[MAX_PLAYERS]; /* by seat, in place of its own */
    uint8_t joined[MAX_PLAYERS];   /* by seat: see struct seats */
    const struct seed *anew;       /* of a stock that was dealt anew; NULL: it lies as dealt */
    const struct seed *deal_seed;  /* of the last deal among the lines, */
    const uint8_t *deck;           /* and its cards as they lie now; */
    int next;                      /* the first of the stock */
};
/* Appends it. Returns false if the record cannot be read so. */
bool record_begin(struct buf *b, struct str record, const struct record_begun *g);

#endif
