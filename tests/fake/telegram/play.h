/* Plays a scenario against the bot, in any number of copies at once. */
#ifndef FAKE_PLAY_H
#define FAKE_PLAY_H

#include "text.h"

#include <stdbool.h>

void play_begin(void);
bool play_report(struct text *t); /* the fields of the result; true: every copy came to its end */

#endif
