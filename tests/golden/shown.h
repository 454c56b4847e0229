/* What chats show of what the bot can say: text as a chat writes it down, and which sentences
 * stand, whole, in a line that some chat expects. */
#ifndef KOIKOI_SHOWN_H
#define KOIKOI_SHOWN_H

#include "str.h"

/* Without marks; what differs from run to run as <hash>, <n> and <code>; further lines indented. */
void shown_plain(struct buf *b, struct str s);

void shown_line(struct str line);       /* a line was expected, and found */
void shown_count(void);                 /* an input is over: all its lines were found */
/* How many sentences no chat has shown; names them. */
int shown_missing(void);

#endif
