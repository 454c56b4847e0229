/* A line of a match record as text for people. */
#ifndef KOIKOI_RECORD_TEXT_H
#define KOIKOI_RECORD_TEXT_H

#include "record.h"

#include <stdio.h>

/* v: a checked line; head: of its record; t: its kind. */
void record_text(FILE *out, const struct record_head *head, struct str t, const cJSON *v);

#endif
