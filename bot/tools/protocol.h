/* `koikoi engine`: one JSON object a line in, one line out, in order. README.md, "Engine protocol".
 *
 *     struct protocol *p = protocol_open(folder, clock);
 *     protocol_line(p, line, &answer);              as often as there are lines
 *     protocol_close(p);
 *
 * A line that is refused changes nothing.
 */
#ifndef KOIKOI_PROTOCOL_H
#define KOIKOI_PROTOCOL_H

#include "str.h"

#include <stdio.h>

/* The longest line that is read; an answer needs at most as much again for the echoed id. */
enum { PROTOCOL_LINE_MAX = 256 * 1024, PROTOCOL_ANSWER_MAX = PROTOCOL_LINE_MAX + 64 * 1024 };

struct protocol;

/* folder: rule sets that win over the built-in ones (may be empty); it must outlive the protocol.
 * now_ms: a clock that only goes forward, for searches bounded by time. Aborts without memory. */
struct protocol *protocol_open(struct str folder, int64_t (*now_ms)(void));
void protocol_close(struct protocol *p);

/* Appends one line with its line feed to ret. `line` comes without; one longer than
 * PROTOCOL_LINE_MAX gets an error for an answer, whatever it holds. */
void protocol_line(struct protocol *p, struct str line, struct buf *ret);

/* Answers all lines of `in`, each at once; false if `out` broke. */
bool protocol_serve(FILE *in, FILE *out, struct str folder);
/* `koikoi engine`; returns the exit status. Rule sets are looked for in KOIKOI_RULES_DIR first. */
int protocol_main(int argc, char **argv);

#endif
