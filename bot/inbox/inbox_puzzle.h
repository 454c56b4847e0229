/* Days in a row that a person has solved. The rest of inbox_puzzle.c is called by its row. */
#ifndef KOIKOI_INBOX_PUZZLE_H
#define KOIKOI_INBOX_PUZZLE_H

#include "puzzle.h"
#include "store_puzzle.h"

/* Of the days before `day`. Its run ends the day before, or another one before. */
struct puzzle_record puzzle_record_load(struct store *s, struct arena *a, int64_t who, int64_t day);

#endif
