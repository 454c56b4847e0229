/* A line of a match record as a person would note it down. */
#ifndef KOIKOI_RECORD_NOTE_H
#define KOIKOI_RECORD_NOTE_H

#include "record.h"

#include <stdio.h>

/* v: a line that has been checked; head: of its record; t: its kind. */
void record_note(FILE *out, const struct record_head *head, struct str t, const cJSON *v);

#endif
