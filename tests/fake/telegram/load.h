/* Load: many chats say "/ping N" and wait for an answer that ends with N. */
#ifndef FAKE_LOAD_H
#define FAKE_LOAD_H

#include "text.h"

#include <stdbool.h>

void load_begin(void);
bool load_report(struct text *t); /* the fields of the result; true: nothing lost or doubled */
double percentile_ms(uint32_t *us, int64_t n, double p); /* sorts */

#endif
