/* The one way out. A row is accepted when the transaction that pushed it commits, and from then on it
 * is kept until the network has taken it, refused it for good, or it has become worthless.
 *
 * When: rows of a chat go one after another, never two at once; a newer row of the same slot replaces
 * an older one that has not been sent; each chat and each account has a pace; "later" holds a chat (or
 * the account) back at least as long as the network asked, else 1, 2, 4 ... 60 s. Answers to a press go at
 * once, past all pace.
 *
 *     outbox_push(outbox, account, &out, &err)      inside a transaction
 *     outbox_commit(outbox)                         it is durable: rows may fly
 *     outbox_rollback(outbox, mark)                 it is not: rows pushed since outbox_mark() are gone
 *
 * The loop pumps it; see loop.c.
 */
#ifndef KOIKOI_OUTBOX_H
#define KOIKOI_OUTBOX_H

#include "clock.h"
#include "registry.h"
#include "store.h"

struct outbox;

/* Stores the row. Nothing of *out has to outlive the call. Of *out only what the sayer fills in is
 * kept, not what the shell sets when it sends. */
bool outbox_push(struct outbox *o, const struct account *to, const struct outgoing *out,
                 struct err *err) MUST_CHECK;

#endif
