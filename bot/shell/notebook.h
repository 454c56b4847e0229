/* The finished rounds of a match, read from the lines of its record. */
#ifndef KOIKOI_NOTEBOOK_H
#define KOIKOI_NOTEBOOK_H

#include "effect.h"

enum { MAX_NOTES = 60 };

/* At most MAX_NOTES of them, the last ones, in the arena; a line that cannot be read is left out.
 * Returns how many. */
int notebook_read(struct arena *a, struct str record, const struct round_note **ret);

#endif
