/* Layouts of what a match shows: parts that the bodies put together. See layout.h.
 *
 *     layout_open(&l, rules.deck), layout_piles(&l, view, names),
 *     layout_table(&l, view, legend)
 */
#ifndef KOIKOI_LAYOUT_TABLE_H
#define KOIKOI_LAYOUT_TABLE_H

#include "layout.h"

/* Each seat's captures; nothing while all have none. */
void layout_piles(struct layout *l, const struct view *v, const struct str *names);
/* Field, drawn card and hand as the seat of this view sees them.
 *
 * Numbers are those of the message beside the picture: positions in the hand, repeated on the field
 * cards that the hand card can take; or, while the player chooses for a drawn card, the choices, on
 * the card that each would capture. Marked cards are hand cards that can capture, or cards that the
 * drawn card can capture. `legend` explains the numbers on the field, if there are any; may be
 * empty. */
void layout_table(struct layout *l, const struct view *v, struct str legend);

#endif
