/* Ceiling on the commands of one person in one chat, so that one member cannot fill the pace at
 * which the bot may write there. It is kept in memory alone: a restart forgives all.
 *
 *     switch (ceiling_count(c, key, 1, mono)) ...  a command came; CEILING_POST for one that posts
 *                                                  what goes out as early as a match's messages
 *     ceiling_forgive(c, key)                      it was a legal move, which does not count
 */
#ifndef KOIKOI_CEILING_H
#define KOIKOI_CEILING_H

#include <stdint.h>

enum { CEILING_COMMANDS = 60, CEILING_POST = 12, CEILING_MS = 60 * 1000 };

enum ceiling_verdict {
    CEILING_BELOW,
    CEILING_REACHED, /* with this one, the first above: say so */
    CEILING_ABOVE    /* the next ones until the minute is over: silence */
};

struct ceiling;

struct ceiling *ceiling_open(void);
void ceiling_close(struct ceiling *c);
/* key: a person in a chat. A minute begins with the first command after the last minute. */
/* `weight`: as how many commands this one counts. */
enum ceiling_verdict ceiling_count(struct ceiling *c, uint64_t key, uint32_t weight, int64_t mono);
void ceiling_forgive(struct ceiling *c, uint64_t key);

#endif
