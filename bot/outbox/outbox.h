/* Queue of messages that are still to be sent; the one way out of the daemon. A row is accepted
 * when the transaction that pushed it commits, and is kept until the network has taken it, refused
 * it for good, or it has expired.
 *
 * Order. Rows of a chat go one after another, each after the receipt of the one before it; only
 * behind a row that is `aside`, which has no place in a match's order, the next need not wait, and
 * such a row goes only when no other may. Where the rate limit of a chat holds rows up, whispers go
 * before messages for all as long as one of them answers a press, since networks take those for
 * seconds only. A newer row of a slot replaces an older one that was not sent. Answers to a press
 * go at once, past all rate limits.
 *
 * Rate. Each chat has windows, see lane.h; in the first minute after opening they are half full,
 * for what was sent before a restart. Each account has a bucket. LATER holds a chat (or the
 * account) back as long as the network asked, an hour at most, else 0.25, 0.5, 1 ... 60 s. What the
 * network asked for outlives a restart; a back-off of ours does not, only the count of attempts.
 * What fails stays in the store (store_failed()).
 *
 *     outbox_push(outbox, account, &out)            inside a transaction
 *     outbox_settle(outbox, ...)                    inside the same or another: writes outcomes
 *     outbox_commit(outbox)                         after the commit: rows may go
 *     outbox_abandon(outbox)                        after a rollback: all is as before
 *     outbox_rollback(outbox, mark)                 after a rollback to a savepoint: drops the rows
 *                                                   pushed since outbox_savepoint()
 *     outbox_pump(outbox, turn)                     starts whatever may be sent now
 *     outbox_reply(outbox, turn, row, &reply)       a transfer has ended
 *
 * Pictures. A row with out.picture waits until that has been drawn by another thread, three
 * seconds at most; then, or if it cannot be drawn, or where it would count as a message and less
 * than half of the account's burst is left, its text goes alone. Rows of other chats do not wait
 * for it, and answers to a press never do. The row stores the line to draw: after a restart it is
 * drawn anew.
 *
 * Crashes. Before a row is sent the database marks it as attempted: rows that will go at once are
 * stored with that mark, others get it in a transaction of their own. A row that is marked when it
 * is loaded is sent with out.maybe_sent.
 */
#ifndef KOIKOI_OUTBOX_H
#define KOIKOI_OUTBOX_H

#include "clock.h"
#include "histogram.h"
#include "registry.h"
#include "store.h"
#include "work.h"

struct outbox;
struct http;

/* Kind of a transfer: the first member of each tag of http_start(). */
enum flight { FLIGHT_POLL, FLIGHT_BESIDE, FLIGHT_ROW, FLIGHT_BEACON, FLIGHT_PROOF };

struct outbox_parts {
    struct store *store;
    struct http *http;
    struct work *work;
    struct work *drawing; /* a thread for pictures; NULL = send text alone */
    struct decks *decks;
    const struct clock *clock;
    int n_accounts;
    const struct account *accounts;
};

/* Loads the rows that are still to be sent. */
struct outbox *outbox_open(const struct outbox_parts *parts);
void outbox_close(struct outbox *o);
/* Loads what another daemon has pushed for our accounts. Call it after that daemon has written to
 * the store, before anything more is pushed; also inside a transaction. */
void outbox_look(struct outbox *o);

/* Stores the row; that of an account that is away is left to the daemon that has it. *out need not
 * outlive the call; its fields that the outbox sets are ignored. Aborts if the store has failed. */
void outbox_push(struct outbox *o, const struct account *to, const struct outgoing *out);
/* Rows pushed from now on answer what was heard at that moment, monotonic; 0: they answer
 * nothing. */
void outbox_heard(struct outbox *o, int64_t at);
/* The key under which the store keeps the posts of such messages: chat, and person if for one. */
struct str outbox_post_key(struct arena *a, const struct outgoing *out);
/* When the chat takes messages again (unix ms), if the network has asked for a pause that is longer
 * than a press waits; else 0. */
int64_t outbox_held(const struct outbox *o, const struct account *to, struct str chat);
/* Whether something about that match has waited for more than a minute in a chat, or (outbox_post_key()) in
 * a private one. WAITS_PASSED_ON: since the network has asked for a pause, and its learners have been
 * written to in private. */
enum outbox_wait { WAITS_NOT, WAITS_PASSED_ON, WAITS };
enum outbox_wait outbox_waits(const struct outbox *o, const struct account *to, struct str place,
                              int64_t match);
/* The message as one of its learners gets it in private. */
struct outgoing outbox_to_learner(const struct outgoing *out, struct str id);
int outbox_savepoint(const struct outbox *o);
void outbox_commit(struct outbox *o);
void outbox_rollback(struct outbox *o, int mark); /* to that savepoint */
void outbox_abandon(struct outbox *o);            /* the whole transaction, settling too */

/* ---- for the loop ---- */

void outbox_pump(struct outbox *o, struct arena *turn);
void outbox_reply(struct outbox *o, struct arena *turn, enum flight *row,
                  const struct reply *reply);
/* The end of a drawing job, good or bad. */
void outbox_drawn(struct outbox *o, const struct job_done *done);
/* Handles, inside a savepoint of its own, a message that will never arrive (receipt.kind NEVER; GONE,
 * MOVED and LATE the outbox handles itself), or one with out.reports that has arrived in its chat or
 * was answered (SENT). */
typedef void outbox_report(void *arg, const struct account *on, const struct outgoing *out,
                           const struct receipt *receipt);
/* Writes the outcomes of rows, inside a transaction. */
void outbox_settle(struct outbox *o, outbox_report *report, void *arg, struct arena *turn);
/* True if there are outcomes to write. */
bool outbox_unsettled(const struct outbox *o);
/* True if a transaction is due only to settle: outcomes have waited 5 ms, or a row waits for one of
 * them and most sends in flight have come back. */
bool outbox_wants_settling(const struct outbox *o);
/* When the next thing is to be done, monotonic ms; INT64_MAX = nothing until something else
 * happens. */
int64_t outbox_next(const struct outbox *o);
int outbox_in_flight(const struct outbox *o);
int outbox_waiting(const struct outbox *o); /* rows in memory, those in flight too */
/* What an account's network made of the sends, since the start. */
struct outbox_counts {
    int64_t sent, in_part, later, never;
    int64_t limited;        /* of `later`: 429 */
    struct histogram delay; /* from what was heard to its answer, taken by the network */
};
const struct outbox_counts *outbox_counts(const struct outbox *o, int account);
/* Chats into whose letter box something was put since the last call, also what was rolled back. */
enum { OUTBOX_KEPT = 64 };
struct outbox_kept {
    int n;
    bool all;                   /* there were more */
    uint64_t chat[OUTBOX_KEPT]; /* str_hash() of each */
};
struct outbox_kept outbox_take_kept(struct outbox *o);
/* A transaction of updates will come soon: outcomes wait for it, 20 ms at most. */
void outbox_expect(struct outbox *o, bool updates);
/* True if nothing is ready, in flight or unsettled (rows may be waiting for their time). */
bool outbox_quiet(const struct outbox *o);

#endif
