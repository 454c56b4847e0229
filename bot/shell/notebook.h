/* The finished rounds of a match, read from the lines of its record. */
#ifndef KOIKOI_NOTEBOOK_H
#define KOIKOI_NOTEBOOK_H

#include "effect.h"

/* At most `most` of them, the last ones; a line that cannot be read is left out. Returns how many. */
int notebook_read(struct str record, int most, struct round_note ret[]);

#endif
