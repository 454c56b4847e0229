/* Summaries of the finished rounds of a match, read from its record. */
#ifndef KOIKOI_RECORD_ROUNDS_H
#define KOIKOI_RECORD_ROUNDS_H

#include "effect.h"

enum { MAX_RECORD_ROUNDS = 60 };

/* Reads the last MAX_RECORD_ROUNDS rounds into the arena and returns their number. Skips lines that
 * cannot be read. */
int record_rounds_read(struct arena *a, struct str record, const struct round_summary **ret);

/* Reads one line. Returns false if it is not the end of a round. */
bool record_round_read(struct str line, struct round_summary *ret);

#endif
