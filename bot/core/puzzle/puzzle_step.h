/* /puzzle: what it asks for, as its words or its button say. The inbox loads that before the
 * step. */
#ifndef KOIKOI_PUZZLE_STEP_H
#define KOIKOI_PUZZLE_STEP_H

#include "puzzle.h"
#include "step.h"

/* Index of a button of VERB_PUZZLE: an answer, by its number from 1; 0: the puzzle of the day; or
 * one of these. Its version is the day, or PUZZLE_PRACTICE and the place of a puzzle of no day. */
enum { PUZZLE_ANOTHER = 100, PUZZLE_LAST = 101, PUZZLE_PRACTICE = 1 << 24 };

/* current: the day whose puzzle is open in the chat; total: puzzles in the collection. */
void puzzle_asked(const struct world *w, const struct event *e, struct arena *a, int64_t current,
                  int total, struct puzzle_asked *ret);

/* Indices in view.legal of the answers that look different; returns their number. */
int puzzle_options(const struct puzzle *p, uint8_t ret[static MAX_PUZZLE_ANSWERS]);

#endif
