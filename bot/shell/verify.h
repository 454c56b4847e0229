/* Checks the shuffles of a match record: lots, commitments, seeds, decks. README.md, "Fair
 * shuffle". The game itself is replay.h's business. */
#ifndef KOIKOI_VERIFY_H
#define KOIKOI_VERIFY_H

#include "err.h"
#include "str.h"

#include <stdio.h>

/* out (may be NULL) gets a line for each shuffle that holds. On failure *ret_line is the first
 * wrong line and err says what is wrong with it, without the number. */
bool verify_record(struct str record, FILE *out, int *ret_line, struct err *err) MUST_CHECK;

#endif
