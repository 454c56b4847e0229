/* Check of the shuffles of a match record: lots, commitments, seeds, decks. See README.md of
 * bot/formats, "Fair shuffle". replay.h checks the game. */
#ifndef KOIKOI_VERIFY_H
#define KOIKOI_VERIFY_H

#include "err.h"
#include "str.h"

#include <stdio.h>

/* out (may be NULL) gets a line for each good shuffle, with who cut it, and what that proves. On
 * failure *ret_line is the first wrong line and err its fault, without the number. */
bool verify_record(struct str record, FILE *out, int *ret_line, struct err *err) MUST_CHECK;

#endif
