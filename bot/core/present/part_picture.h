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
/* The cards of each yaku on the poster, as lines; a hand that wins by itself is shown elsewhere. */
void part_poster_cards(struct draft *d, const struct round_summary *n);
bool part_has_poster(const struct round_summary *n); /* a round that somebody has won */
/* The set that a seat lacked the fewest cards of; empty for the winner, and without one. */
struct str part_near_miss(const struct draft *d, int seat, int winner);
/* The same for a preview of its link: who has won, the turning point; else the best hands. */
void part_picture_preview(struct draft *d);
/* Instead of a board: a call that was just made, or a yaku of 5 and more. Returns false for other
 * boards. */
bool part_splash(const struct draft *d, struct layout *l);
/* A layout in the deck of the table, or of the usual rules. */
void part_poster(const struct draft *d, struct layout *l);
/* The first row of a poster: a sentence without its marks and the emoji that it begins with. */
void part_poster_title(const struct draft *d, struct layout *l, struct str words);
/* A picture that is sent beside the message whose button, or whose word, asked for it: at most one for
 * that message. To be called first. */
void part_picture_beside(struct draft *d, bool picture);
/* A place of a table: the first three are a podium, with stamps, others a line; so are all while
 * `told` is false. `more` is a column if it is not NULL. */
void part_place(const struct draft *d, struct layout *l, int64_t place, bool told, struct str name,
                struct str sums, struct str more, struct str total);
struct str part_place_stamp(int64_t place); /* empty below the third */
/* What the seat's character says, beside its portrait. Adds nothing if no character plays there. */
void part_face(const struct draft *d, struct layout *l, int seat, enum manner m);
/* Of a character at the end of a match. */
static inline enum manner part_end_manner(int winner, int seat)
{
    return winner < 0 ? MANNER_DRAW : winner == seat ? MANNER_WIN : MANNER_LOSS;
}
/* The cards of the round's dearest set, or of the hand that was dealt; nothing if the round's captures
 * are not known and the set is not always of the same cards. */
cardset part_dearest_cards(const struct rules *r, const struct round_summary *n);
/* These cards in short, "8☀ 9🐾", if pictures show them; else empty. */
struct str part_hand_cards(const struct draft *d, const struct rules *r,
                           const struct round_summary *n);
void part_best_cards(struct draft *d); /* of the best hand of each in this match, as lines */
/* Its short name, and the key of its stamp. */
struct str part_dearest_words(const struct draft *d, const struct round_summary *n);
const char *part_dearest_key(const struct round_summary *n);
/* The last row, which bot this is, and the picture of the message. */
void part_poster_end(struct draft *d, struct layout *l);

/* Pieces of layouts: a row of words; captures, by name or NULL for the players', field, drawn card
 * and hand. Numbers are those of the text beside it: of hand cards, also on the field cards that
 * they can take, which `legend` explains if not empty; or those of the drawn card's choices. Marked
 * cards can capture, or be captured by the drawn card. */
void part_layout_line(struct layout *l, enum layout_kind kind, struct str left, struct str right);
void part_layout_table(const struct draft *d, struct layout *l, const struct str *names,
                       struct str legend);

#endif
