/* A hint as one short text: numbers and card codes, never a sentence. The session keeps it. Chances
 * are whole percents. */
#ifndef KOIKOI_HINT_H
#define KOIKOI_HINT_H

#include "review.h"
#include "session.h"
#include "str.h"

struct hint {
    struct move best;
    int win;                    /* percent to win the match after it */
    int kind, seat, yaku, card; /* as in struct reason */
    int chance, instead;        /* percent */
    int decision;               /* 1: koi-koi or stop; then also, in percent and points: */
    int stop_win, stop_gain;
    int koikoi_win, won, gain, lost, risk;
    int next; /* percent to win the match after the next best move; -1: there is no other */
    /* Yaku that the move works towards; and one that a seat is close to: after the move, or in a
     * decision after a call. A chance of 0 percent: none. */
    int plan, plan_chance;
    int threat_seat, threat, threat_chance;
};

void hint_of(const struct view *v, const struct review *r, struct hint *ret);
/* Appends fewer than HINT_SIZE bytes. */
void hint_write(const struct hint *h, struct buf *ret);
/* Returns false for any other text, or numbers out of range. A text may end before `next`, as those
 * of an older version do. */
bool hint_read(struct str s, struct hint *ret);

#endif
