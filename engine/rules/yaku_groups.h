/* Engine-private: the groups of yaku that share no card (see pile.h). Each function adds its
 * counted yaku to worth[]. score.c uses them to name yaku, rules.c to fill the tables. */
#ifndef KOIKOI_YAKU_GROUPS_H
#define KOIKOI_YAKU_GROUPS_H

#include "score.h"

/* The trios of animals and of ribbons. */
#define INOSHIKACHO (CARD(BOAR) | CARD(DEER) | CARD(BUTTERFLIES))
#define POETRY      (CARD(1) | CARD(5) | CARD(9))
#define BLUE        (CARD(21) | CARD(33) | CARD(37))

/* And the viewings; called: the owner of the pile has called koi-koi. */
void group_brights(const struct rules *r, cardset pile, bool called, struct score *s);
void group_animals(const struct rules *r, cardset pile, struct score *s);
void group_ribbons(const struct rules *r, cardset pile, struct score *s);
void group_plains(const struct rules *r, int n, struct score *s); /* n plains held */
void group_sum(struct score *s);                                  /* base from worth[] */

#endif
