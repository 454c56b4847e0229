/* Passing on: see outbox_pass.c. Included by the files of this room alone.
 *
 *     outbox_pass_on(outbox, account, &out)    one message, in the transaction that pushes or refuses it
 *     outbox_pass_lane(outbox, lane)           all that waits in a chat, from the next transaction on
 *     outbox_pass_some(outbox, turn)           some of it, in each transaction
 *     outbox_commit_passed(outbox)             when that is durable
 */
#ifndef KOIKOI_OUTBOX_PASS_H
#define KOIKOI_OUTBOX_PASS_H

#include "lane.h"
#include "outbox.h"

enum { HELD_MS = 60 * 1000 }; /* a chat held up for longer: learners are written to in private */

/* Lanes whose rows are to be passed on. */
struct pass_queue {
    struct lane *first, *last;
    bool open;  /* a step is in the open transaction, ... */
    int64_t to; /* ... up to this row of the database; 0: to the end */
};

/* True if the chat takes nothing for longer than HELD_MS. */
bool outbox_holds(const struct outbox *o, const struct lane *l);
/* Each learner of a message that its chat does not take gets it in private. */
void outbox_pass_on(struct outbox *o, const struct account *to, const struct outgoing *out);
/* The chat takes nothing. */
void outbox_pass_lane(struct outbox *o, struct lane *l);
void outbox_pass_some(struct outbox *o, struct arena *turn);
void outbox_commit_passed(struct outbox *o);
/* The next rows of a lane, with ids above `after`, that are in the database alone. */
struct out_rows outbox_unloaded(struct outbox *o, const struct lane *l, int64_t after,
                                struct arena *turn);

#endif
