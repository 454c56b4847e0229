/* A deck that is as plain as can be, in the scratch folder: each card is one colour, and no two are
 * alike. */
#ifndef KOIKOI_TEST_PAPER_DECK_H
#define KOIKOI_TEST_PAPER_DECK_H

#include <stdint.h>

#include "str.h"

/* Writes decks/NAME/CODE.svg for all cards. Returns the folder: what decks_open() and decks_dir
 * take. */
struct str paper_deck(const char *name);
/* One card of it, anew. */
void paper_card(const char *name, int card, const char *svg);
uint32_t paper_colour(int card);        /* 0xRRGGBB */

#endif
