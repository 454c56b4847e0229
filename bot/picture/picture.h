/* Pictures: a layout (layout.h) as PNG. Rooms that only pass a picture on see pictures.h.
 *
 * The name of a picture is a hash of everything the drawing depends on: the drawings of its cards,
 * their places, numbers and marks, its words, and the version of this code. Drawing is
 * deterministic, so equal names mean equal bytes; and the name is known before anything is drawn,
 * also after a restart, so that a picture the network already has is not drawn again. Two plains
 * that are drawn alike have one name.
 *
 * Rendered cards are cached, by deck and width: see deck.h.
 */
#ifndef KOIKOI_PICTURE_H
#define KOIKOI_PICTURE_H

#include "deck.h"
#include "layout.h"
#include "pictures.h"

enum { PICTURE_WIDTH = 540, PICTURE_VERSION = 8 };

/* A picture to be drawn. The words of its layout are part of the text that it was read from. */
struct picture_ask {
    const struct deck *deck;
    struct layout layout;
};

bool picture_ask(struct decks *d, struct str text, struct picture_ask *ret,
                 struct err *err) MUST_CHECK;
void picture_name(const struct picture_ask *ask, char ret[static PICTURE_NAME_SIZE]);
int picture_height(const struct layout *l); /* pixels */
/* PNG, PICTURE_WIDTH pixels wide. Fails if a drawing cannot be read or the buffer is too small. */
bool picture_draw(const struct picture_ask *ask, struct buf *ret, struct err *err) MUST_CHECK;

#endif
