/* What lies before one player, to be drawn: the open cards of the field, a card they have just
 * drawn and must choose with, and their own hand. Made of a view alone, so it holds what that seat
 * may see and nothing else; and written as one line of plain data, which is all that waits in the
 * outbox for its picture.
 *
 *     spread_of(&view, &spread)               what present has to show
 *     spread_write(&spread, &buf)             "hand hanafuda 3b,8b,8p1||1b#1,3r#2!"
 *     spread_read(line, &spread, &err)        whoever draws it
 *
 * The line:
 *
 *     line   = "hand " deck " " cards "|" cards "|" cards      the field, the drawn card, the hand
 *     deck   = 1 to 23 of a-z 0-9 _ -                          a folder of pictures, as the rule set names it
 *     cards  = [card *("," card)]
 *     card   = code ["#" number] ["!"]                         a number from 1 to 48, drawn at it; "!" marks it
 *
 * Numbers are those of the message beside it: a hand's places, or, while a drawn card is asked for,
 * the choices, at what each would take. Marked is a hand card that can take something, and what can
 * be taken by the drawn card. No card comes twice.
 */
#ifndef KOIKOI_SPREAD_H
#define KOIKOI_SPREAD_H

#include "err.h"
#include "str.h"
#include "view.h"

enum spread_row { SPREAD_FIELD, SPREAD_DRAWN, SPREAD_HAND, SPREAD_ROWS };
enum { SPREAD_LINE = 640 };                 /* bytes of the longest line */

struct spread_card {
    uint8_t card, number;                   /* number 0: none */
    bool marked;
};
struct spread {
    char deck[RULES_WORD_SIZE];
    int n[SPREAD_ROWS];
    struct spread_card at[SPREAD_ROWS][N_CARDS];
};

/* Cards of a row are in canonical order. */
void spread_of(const struct view *v, struct spread *ret);
void spread_write(const struct spread *s, struct buf *ret);
/* Strict: reads what spread_write() writes, and nothing else. *ret is untouched on failure. */
bool spread_read(struct str line, struct spread *ret, struct err *err) MUST_CHECK;

#endif
