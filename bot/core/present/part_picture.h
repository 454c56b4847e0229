/* Parts that are pictures, where the network shows them: a hand, a board, posters. See part.h. */
#ifndef KOIKOI_PART_PICTURE_H
#define KOIKOI_PART_PICTURE_H

#include "part.h"

/* ---- hand and board (part_picture.c) ---- */

/* Field, hand and captures of the seat. It stays between rounds, where messages are edited: an edit
 * cannot turn a picture into a plain text. */
void part_picture_hand(struct draft *d);
bool part_has_cards(const struct draft *d);
void part_picture_board(struct draft *d); /* in a chat that wants it as a picture */

/* ---- posters (part_poster.c) ---- */

void part_picture_round(
    struct draft *d); /* who has won, the yaku with their cards, what they pay */
void part_picture_match(struct draft *d); /* who has won, scores by round, the best hand of each */
/* Instead of a board: a call that was just made, or a yaku of 5 and more. Returns false for other
 * boards. */
bool part_splash(const struct draft *d, struct layout *l);
/* The set that is worth most, of equals the first. */
int part_dearest(const uint16_t worth[static N_YAKU]);
/* The cards of a set that is always of the same ones; nothing for others, of which a round's summary
 * does not know the cards. */
cardset part_certain_cards(const struct rules *r, int yaku);
void part_sign(const struct draft *d, struct layout *l); /* the last row: which bot this is */

/* Pieces of layouts: a row of words; captures, by name or NULL for the players', field, drawn card
 * and hand. Numbers are those of the text beside it: of hand cards, also on the field cards that
 * they can take, which `legend` explains if not empty; or those of the drawn card's choices. Marked
 * cards can capture, or be captured by the drawn card. */
void part_layout_line(struct layout *l, enum layout_kind kind, struct str left, struct str right);
void part_layout_table(const struct draft *d, struct layout *l, const struct str *names,
                       struct str legend);

#endif
