/* The one way in: whatever happens (an update, a deadline, a message that could not be delivered, a
 * finished job) becomes an event for a session, and what follows from it is stored and pushed.
 *
 * Every call runs inside a transaction and a mark that the loop has opened, and on the loop's
 * thread. True: taken (that somebody was refused is taken, too). False: it was not; if store_ill()
 * the database failed and the loop gives up the batch, tries again later and nothing is lost; else
 * this one event is poison: the loop undoes it alone, puts it into quarantine and goes on.
 *
 * What it says goes to outbox_push(), what it wants computed to work_push(): both hold it back
 * until the loop has committed.
 */
#ifndef KOIKOI_INBOX_H
#define KOIKOI_INBOX_H

#include "clock.h"
#include "outbox.h"
#include "registry.h"
#include "store.h"
#include "work.h"

struct inbox;

/* What it is made of. All of it is the loop's and outlives the inbox. */
struct inbox_parts {
    struct store *store;
    struct outbox *outbox;
    struct work *work;
    const struct clock *clock;
    int n_accounts;
    const struct account *accounts;
    struct str rules_dir, texts_dir;       /* files here win over the embedded ones; empty: none */
    struct str default_rules;              /* a preset's name */
    struct str default_language;
    int64_t think_ms;                      /* the computer's time for a move, on one core */
};

bool inbox_open(const struct inbox_parts *parts, struct inbox **ret, struct err *err) MUST_CHECK;
void inbox_close(struct inbox *in);

/* Asks store_hear() first: an update that was heard before is taken and does nothing. */
bool inbox_take(struct inbox *in, const struct account *from, const struct update *u,
                struct err *err) MUST_CHECK;
/* The deadline of the session has come. It must move or clear `due`, or it will come again. */
bool inbox_clock(struct inbox *in, int64_t session, struct err *err) MUST_CHECK;
/* A message that will never be delivered (receipt.kind is NEVER; GONE, MOVED and LATE do not come
 * here: the outbox deals with them). */
bool inbox_never(struct inbox *in, const struct account *on, const struct outgoing *out,
                 const struct receipt *receipt, struct err *err) MUST_CHECK;
/* The daemon did not run for so long: the chat is told, its clocks go on where they stood. */
bool inbox_away(struct inbox *in, int64_t chat, int64_t away_ms, struct err *err) MUST_CHECK;
bool inbox_job_done(struct inbox *in, const struct job_done *done, struct err *err) MUST_CHECK;

#endif
