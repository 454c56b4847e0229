/* Load: many chats send "/ping N" and wait for an answer that ends with N. */
#ifndef FAKE_LOAD_H
#define FAKE_LOAD_H

#include "arguments.h"
#include "fake/telegram/http/text.h"

#include <stdbool.h>

extern const struct argument load_table[];

bool load_begin(void); /* false if the options order no load */
/* Adds the fields of the result; true if no answer was lost or doubled. */
bool load_report(struct text_buffer *t);

#endif
