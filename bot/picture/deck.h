/* Decks of pictures: 48 drawings (SVG), one a card, by the deck's name. They are the built-in ones,
 * decks/NAME/CODE.svg, or files of the same name in the configured folder, card by card.
 *
 * A deck is read when it is first asked for, on the loop's thread, and stays until the end. What a
 * drawing becomes on paper is kept beside it by whoever draws (deck_image), from any thread.
 */
#ifndef KOIKOI_DECK_H
#define KOIKOI_DECK_H

#include "card.h"
#include "err.h"
#include "str.h"

enum { DECK_SVG_MOST = 64 * 1024, DECK_MARK = 16 };

struct deck;
struct decks;

struct decks *decks_open(struct str folder);        /* empty: the built-in ones alone; no file is
                                                       read yet */
void decks_close(struct decks *d);                  /* nobody draws any more */
/* `name`: letters, digits, _ and -. Fails if a card's drawing is missing or is larger than
 * DECK_SVG_MOST. */
bool decks_find(struct decks *d, struct str name, const struct deck **ret,
                struct err *err) MUST_CHECK;

struct str deck_svg(const struct deck *d, int card);
/* DECK_MARK bytes that two drawings have in common only if they are the same. */
const uint8_t *deck_mark(const struct deck *d, int card);

/* The kept image of a card; NULL: none yet. Constant once it is there. */
const uint8_t *deck_image(const struct deck *d, int card);
/* Hands over malloc()ed bytes; returns the image that is kept: these, or the one that another
 * thread made meanwhile. */
const uint8_t *deck_keep(const struct deck *d, int card, uint8_t *image);

#endif
