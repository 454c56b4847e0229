/* Decks: 48 drawings (SVG), one a card, found by the deck's name. A drawing is the file CODE.svg in
 * the deck's folder of the configured one, else the built-in decks/NAME/CODE.svg.
 *
 * A deck is read on the loop's thread when it is first asked for, and stays in memory. The rendered
 * images of all decks share a cache of 12 MB (deck_image), which one thread at a time may use.
 */
#ifndef KOIKOI_DECK_H
#define KOIKOI_DECK_H

#include "card.h"
#include "pictures.h"

enum { DECK_SVG_MOST = 64 * 1024, DECK_MARK = 16 };

struct deck;

/* `name`: letters, digits, _ and -. Fails if a card's drawing is missing or is larger than
 * DECK_SVG_MOST. */
bool decks_find(struct decks *d, struct str name, const struct deck **ret,
                struct err *err) MUST_CHECK;

struct str deck_svg(const struct deck *d, int card);
/* DECK_MARK bytes that two drawings have in common only if they are the same. */
const uint8_t *deck_mark(const struct deck *d, int card);

/* The cached image of a card that is `width` pixels wide, as it was kept; empty if it has to be
 * rendered. Valid until the next deck_keep(). */
struct str deck_image(const struct deck *d, int card, int width);
/* Caches a copy of n bytes, and returns it. */
uint8_t *deck_keep(const struct deck *d, int card, int width, const uint8_t *image, size_t n);
/* Bytes that the cached images of all decks take. */
size_t decks_image_bytes(const struct decks *d);

#endif
