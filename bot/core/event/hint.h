/* What the teacher said of a position, kept in the session as one short text: numbers and card
 * codes, never a sentence. Shares are whole percents, as they are shown. */
#ifndef KOIKOI_HINT_H
#define KOIKOI_HINT_H

#include "review.h"
#include "session.h"
#include "str.h"

struct hint {
    struct move best;
    int win;                            /* percent to win the match after it */
    int kind, seat, yaku, card;         /* as in struct reason */
    int chance, instead;                /* percent */
    int decision;                       /* 1: koi-koi or stop; then also, in percent and points: */
    int stop_win, stop_gain;
    int koikoi_win, won, gain, lost, risk;
};

void hint_of(const struct view *v, const struct review *r, struct hint *ret);
/* Appends fewer than HINT_SIZE bytes. */
void hint_write(const struct hint *h, struct buf *ret);
/* False if it is none, or its numbers are out of range. */
bool hint_read(struct str s, struct hint *ret);

#endif
