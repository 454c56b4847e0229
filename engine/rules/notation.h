/* One-line notation of rule sets, matches and moves, both ways: printable ASCII without spaces, for
 * saving, comparing and bug reports. The grammar is in README.md of the engine. The reader refuses
 * every line that no play could produce (a card twice, a seat out of range, a rule set that fails
 * rules_check()), with the byte offset of the fault. */
#ifndef KOIKOI_NOTATION_H
#define KOIKOI_NOTATION_H

#include "match.h"
#include "view.h"

/* Start of a line: its kind and version. */
#define NOTATION_RULES "R1"
#define NOTATION_MATCH "M1"

enum { NOTATION_MAX = 2048, NOTATION_MOVE_MAX = 64 };

/* Return the length without the NUL, at most NOTATION_MAX - 1. */
int notation_rules(const struct rules *r, char ret[static NOTATION_MAX]);
int notation_match(const struct match *m, char ret[static NOTATION_MAX]);
int notation_move(struct move m, char ret[static NOTATION_MOVE_MAX]);

/* Return -1 if the line is valid, else the offset of the first bad byte; *ret is untouched then. */
int notation_read_rules(const char *s, size_t n, struct rules *ret);
/* Replays the round under g, whose rules must be those of the match. */
int notation_read_match(const struct ruleset *g, const char *s, size_t n, struct match *ret);
int notation_read_move(const char *s, size_t n, struct move *ret);

#endif
