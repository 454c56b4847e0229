/* One-line notation, both ways: printable ASCII without spaces around, made for saving,
 * comparing and pasting into a bug report. README.md gives the grammar. Reading checks
 * everything: a line that no play could have produced in shape (a card twice, a seat out of
 * range, rules_check failing) is refused with the byte offset of the fault. */
#ifndef KOIKOI_NOTE_H
#define KOIKOI_NOTE_H

#include "match.h"
#include "view.h"

enum { NOTE_MAX = 2048, NOTE_MOVE_MAX = 64 };

/* Return the length written (without the NUL), at most NOTE_MAX - 1. */
int note_rules(const struct rules *r, char ret[static NOTE_MAX]);
int note_match(const struct match *m, char ret[static NOTE_MAX]);
int note_move(struct move m, char ret[static NOTE_MOVE_MAX]);

/* Return -1 if good, else the offset of the first bad byte; *ret untouched then. */
int note_read_rules(const char *s, size_t n, struct rules *ret);
/* Plays the round again by g, whose rules the match must fit. */
int note_read_match(const struct ruleset *g, const char *s, size_t n, struct match *ret);
int note_read_move(const char *s, size_t n, struct move *ret);

#endif
