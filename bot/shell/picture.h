/* A line of the outbox becomes a picture: the spread of cards that it tells of (spread.h), as PNG.
 *
 *     picture_ask(decks, line, &ask, &err)    on the loop's thread: reads the line, finds the deck
 *     picture_name(&ask, name)                what it is called: a known name has been sent before
 *     work_push(... picture_run, bytes of ask)   the drawing itself, on any thread
 *     picture_of_job(output, &err)            its bytes, or why there are none
 *
 * A name is a hash of all that the drawing depends on: the drawings of its cards, in their places
 * and with their numbers and marks, and the version of this code. Drawing is deterministic, so the
 * same name is the same bytes; and unlike a hash of the bytes it is known before anything is drawn,
 * also after a restart, so that a picture that a network has seen is not drawn again. Two plains
 * that are drawn alike have one name.
 *
 * Fonts are not used: numbers are strokes. Cards are drawn once, in the one size they are shown in,
 * and kept with their deck: about 110 KB each, 5.3 MB for all of a deck.
 */
#ifndef KOIKOI_PICTURE_H
#define KOIKOI_PICTURE_H

#include "deck.h"
#include "spread.h"
#include "work.h"

enum { PICTURE_WIDTH = 720, PICTURE_NAME_SIZE = 33, PICTURE_VERSION = 1 };

struct picture_ask {
    const struct deck *deck;
    struct spread spread;
};

bool picture_ask(struct decks *d, struct str line, struct picture_ask *ret,
                 struct err *err) MUST_CHECK;
void picture_name(const struct picture_ask *ask, char ret[static PICTURE_NAME_SIZE]);
/* PNG, PICTURE_WIDTH pixels wide. Fails if a drawing cannot be read or the buffer is too small. */
bool picture_draw(const struct picture_ask *ask, struct buf *ret, struct err *err) MUST_CHECK;

/* The job: its input is one struct picture_ask, whose deck outlives it. */
void picture_run(struct str input, const struct job_pace *pace, struct buf *ret);
/* False, and its words, if it could not be drawn. The bytes are those of `output`. */
bool picture_of_job(struct str output, struct str *ret, struct err *err) MUST_CHECK;

#endif
