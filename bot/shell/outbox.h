/* The one way out. A row is accepted when the transaction that pushed it commits, and from then on
 * it is kept until the network has taken it, refused it for good, or it has become worthless.
 *
 * When: rows of a chat go one after another, each when the one before it has been taken; only for
 * what is said aside (out.aside) nothing behind it waits, since it has no place in a match's order;
 * and where the pace of a chat holds it up, what one person alone sees goes before what is for all
 * as long as some of it answers a press, which networks take for seconds. A newer row of the same
 * slot replaces an older one that has not been sent; each chat and each account has a pace, also
 * for what is said aside; "later" holds a chat (or the account) back at least as long as the
 * network asked, else 0.25, 0.5, 1 ... 60 s. Answers to a press go at once, past all pace.
 *
 *     outbox_push(outbox, account, &out, &err)      inside a transaction
 *     outbox_settle(outbox, ...)            inside the same or another: what became of earlier rows
 *     outbox_commit(outbox)                 it is durable: rows may fly, settled ones are forgotten
 *     outbox_abandon(outbox)                        it is not: all is as it was before
 *     outbox_rollback(outbox, mark)     a part was undone: rows pushed since outbox_mark() are gone
 *     outbox_pump(outbox, turn)                     starts whatever may be sent now
 *     outbox_reply(outbox, turn, row, &reply)       an answer came; to be settled soon
 *
 * A row with a picture to be drawn (out.picture) waits until that has been done, on another thread,
 * and for no more than three seconds; then, or if it cannot be drawn, or where it would cost a
 * message and the account's pace already holds messages up, its text goes alone. Rows of other
 * chats do not wait for it, and answers to a press never do. Only the line is stored: after a
 * restart it is drawn anew.
 *
 * After a crash a row that may have been tried is sent with out.unknown set. The database is told
 * so before a row flies: rows that will fly at once are pushed with that mark, others get it in a
 * transaction of their own before they go.
 */
#ifndef KOIKOI_OUTBOX_H
#define KOIKOI_OUTBOX_H

#include "clock.h"
#include "registry.h"
#include "store.h"
#include "work.h"

struct outbox;
struct http;

/* The first member of whatever is handed to http_start() as a tag. */
enum flight { FLIGHT_POLL, FLIGHT_ROW };

struct outbox_parts {
    struct store *store;
    struct http *http;
    struct work *work;
    struct work *drawing;       /* a thread for pictures; NULL: none are drawn */
    struct decks *decks;
    const struct clock *clock;
    int n_accounts;
    const struct account *accounts;
};

/* Loads what was left unsaid. */
bool outbox_open(const struct outbox_parts *parts, struct outbox **ret, struct err *err) MUST_CHECK;
void outbox_close(struct outbox *o);

/* Stores the row. Nothing of *out has to outlive the call. Of *out only what the sayer fills in is
 * kept, not what the shell sets when it sends. */
bool outbox_push(struct outbox *o, const struct account *to, const struct outgoing *out,
                 struct err *err) MUST_CHECK;
/* Where messages of this kind stand: the place of their posts in the store. */
struct str outbox_place(struct arena *a, const struct outgoing *out);
int outbox_mark(const struct outbox *o);
void outbox_commit(struct outbox *o);
void outbox_rollback(struct outbox *o, int mark);    /* a part of the transaction */
void outbox_abandon(struct outbox *o);               /* all of it, settling too */

/* ---- for the loop ---- */

void outbox_pump(struct outbox *o, struct arena *turn);
void outbox_reply(struct outbox *o, struct arena *turn, enum flight *row,
                  const struct reply *reply);
/* A picture has been drawn, or could not be. */
void outbox_drawn(struct outbox *o, const struct job_done *done);
/* Takes a message that will never arrive, inside a mark of its own: see inbox_never(). */
typedef bool outbox_never(void *arg, const struct account *on, const struct outgoing *out,
                          const struct receipt *receipt, struct err *err);
/* Writes what became of rows. Inside a transaction. */
bool outbox_settle(struct outbox *o, outbox_never *never, void *arg, struct arena *turn,
                   struct err *err) MUST_CHECK;
/* There is something for it to write. */
bool outbox_unsettled(const struct outbox *o);
/* True if a transaction is due only to settle: receipts have waited 5 ms, or somebody waits for one
 * of them and most of those under way have come back. */
bool outbox_wants_settling(const struct outbox *o);
/* The next moment at which there is something to do; INT64_MAX: only when something else
 * happens. */
int64_t outbox_next(const struct outbox *o);
/* So much waits to be sent on that account that no news should be asked for there. */
bool outbox_long(const struct outbox *o, const struct account *a);
int outbox_flying(const struct outbox *o);
int outbox_waiting(const struct outbox *o);          /* rows in memory, those in flight too */
/* Nothing is ready to be sent, in flight or unsettled (rows may be waiting for their time). */
bool outbox_quiet(const struct outbox *o);

#endif
