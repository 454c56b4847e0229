/* Result line of a program: one JSON object with its measurements and the server's counters. */
#ifndef FAKE_RESULT_H
#define FAKE_RESULT_H

#include "fake/telegram/http/text.h"

void result_begin(struct text_buffer *t); /* opens the object, with the label */
void result_print(struct text_buffer *t); /* adds the counters and prints the line */
/* Percentile p (0 < p <= 1) of n durations in us, as ms; 0 if n is 0. Sorts the durations. */
double result_percentile_ms(uint32_t *us, int64_t n, double p);

#endif
