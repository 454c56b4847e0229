/* `koikoi engine`: one JSON object a line in, one line out, in order. README.md, "Engine protocol".
 *
 *     struct protocol *p = protocol_open(folder, clock);
 *     protocol_line(p, line, &answer);              for each line
 *     protocol_close(p);
 *
 * A refused line changes nothing.
 */
#ifndef KOIKOI_PROTOCOL_H
#define KOIKOI_PROTOCOL_H

#include "str.h"

#include <stdio.h>

/* Bytes of the longest line; an answer needs at most as much again for the echoed id. */
enum { PROTOCOL_LINE_MAX = 256 * 1024, PROTOCOL_ANSWER_MAX = PROTOCOL_LINE_MAX + 64 * 1024 };

struct protocol;

/* folder: rule sets that replace built-in ones; may be empty; must outlive the protocol. now_ms: a
 * monotonic clock, for searches bounded by time. */
struct protocol *protocol_open(struct str folder, int64_t (*now_ms)(void));
void protocol_close(struct protocol *p);

/* Appends the answer and a line feed to ret. `line` is without its line feed; one longer than
 * PROTOCOL_LINE_MAX is answered with an error. */
void protocol_line(struct protocol *p, struct str line, struct buf *ret);

/* Answers all lines of `in`, each at once. Returns false if writing failed. */
bool protocol_serve(FILE *in, FILE *out, struct str folder);

#endif
