/* Plays a match record again through the engine and compares every field of every line with what the
 * rules make of it; the shuffles are checked too (verify.h). */
#ifndef KOIKOI_REPLAY_H
#define KOIKOI_REPLAY_H

#include "err.h"
#include "str.h"

#include <stdio.h>

/* out (may be NULL) gets the match as a person would note it down, as far as it is right. On failure
 * *ret_line is the first wrong line (one behind the last if the record stops short) and err says what
 * is wrong with it, without the number. */
bool replay_record(struct str record, FILE *out, int *ret_line, struct err *err) MUST_CHECK;

/* `koikoi replay FILE`; returns the exit status. */
int replay_main(int argc, char **argv);

#endif
