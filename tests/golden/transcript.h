/* Transcript: what the bot sent since the last input, as the lines of a chat file.
 *
 * A message that shows a board, a hand, a challenge or a record also has a short form,
 * "group edits: <board #1>". A chat may give it in place of the first line; the lines after it are
 * then a choice from the message, in its order.
 */
#ifndef KOIKOI_TEST_TRANSCRIPT_H
#define KOIKOI_TEST_TRANSCRIPT_H

#include "golden/chat_harness.h"

enum { TRANSCRIPT_BYTES = 64 * 1024, TRANSCRIPT_SHORT = 80, TRANSCRIPT_MESSAGES = 256 };

struct transcript {
    char text[TRANSCRIPT_BYTES];
    size_t n;
    bool
        has_code; /* a hash or a seed stands in a message outside a fold; a record does not count */
    int n_messages; /* those that have a short form */
    struct {
        size_t at;                    /* of its first line in `text` */
        char brief[TRANSCRIPT_SHORT]; /* its short form */
    } message[TRANSCRIPT_MESSAGES];
};

/* Takes over what the harness has collected. */
void transcript_take(struct transcript *t, struct chat_harness *s);
/* True if `wanted` is the short form of the message that begins at `line`, a part of t->text. */
bool transcript_is_brief(const struct transcript *t, const char *line, struct str wanted);

/* A text as a chat file has it: without marks, further lines indented, and <hash>, <n> and <code>
 * for what differs from run to run. */
void transcript_text(struct buf *b, struct str s);

#endif
