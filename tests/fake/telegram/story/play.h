/* Player of a story against the bot, in any number of copies at once. */
#ifndef FAKE_PLAY_H
#define FAKE_PLAY_H

#include "arguments.h"
#include "fake/telegram/http/text.h"

#include <stdbool.h>

extern const struct argument play_table[]; /* the options of stories */

bool play_begin(void); /* false if the command line names no story */
/* Adds the fields of the result. Returns true if every copy reached its end. */
bool play_report(struct text_buffer *t);

#endif
