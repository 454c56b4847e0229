/* Leases on a PostgreSQL server: which process has which accounts, and whose turn it is to write.
 * Included by db_postgres*.c alone.
 *
 * Rows of the table koikoi_lease, made here, not by a schema step: the steps already write.
 *
 *     name            holder                  epoch                     until
 *     turn            who wrote last          0                         -
 *     ACCOUNT         HOST/PID/START          counts its holders        by the server's clock
 *     daemon HOLDER   the accounts it wants   0                         the same: it is alive
 *     store           a tool, alone           counts its holders        the same
 *
 * A daemon renews what it has each LEASE_RENEW_MS for LEASE_MS. Whoever lives and wants the same
 * accounts has a share of them: one that has less takes what ran out or was given back, one that
 * has more gives all back and begins anew (db->regroup). Nothing is kept in a session of the server,
 * so a pooler may stand between.
 *
 * Fencing. Each transaction that writes locks the row `turn` first, so transactions of all daemons
 * follow one another; then it compares the sum of the epochs that it holds. Leases are taken under
 * the same lock, so a former holder never writes. A process that slept in the middle of a
 * transaction holds the lock: whoever waits too long ends its session. An expired lease that is not
 * taken is still ours.
 *
 * Memory. The row `turn` says who wrote last: if that is not us, what is remembered of the store may
 * be old (db->foreign). While nobody else writes, the answer is read with that of the first
 * statement; if it then is somebody else, the transaction fails and is repeated.
 */
#ifndef KOIKOI_DB_POSTGRES_LEASE_H
#define KOIKOI_DB_POSTGRES_LEASE_H

#include "db_postgres_link.h"

enum { LEASE_MS = 3000, LEASE_RENEW_MS = 250 };

/* The first statements of a transaction; the first one returns also its id. */
#define LEASE_TURN                                                                                 \
    "SELECT pg_current_xact_id()::text, holder FROM koikoi_lease WHERE name = 'turn' FOR UPDATE"
#define LEASE_FENCE                                                                                \
    "SELECT COALESCE(SUM(epoch), 0)::text FROM koikoi_lease WHERE holder = $1 AND name <> 'turn'"
/* Behind them if somebody else wrote last. */
#define LEASE_TAKE_TURN "UPDATE koikoi_lease SET holder = $1 WHERE name = 'turn'"
/* So long a transaction waits for its turn while others write. */
#define LEASE_PATIENCE "SELECT set_config('lock_timeout', '2s', true)"
/* Read the result of the first. Returns false if others have written and db->shared did not say so. */
bool lease_has_turn(struct pg *q, const PGresult *r, struct err *err) MUST_CHECK;
/* Reads that of the second. Returns false, with db->stale, if a lease is no longer ours. */
bool lease_is_ours(struct pg *q, const PGresult *r, struct err *err) MUST_CHECK;
/* Ends sessions that sleep in the middle of a transaction. */
bool lease_end_sleepers(struct pg *q, struct err *err) MUST_CHECK;

/* Takes leases, as db_open_in_turn() says. */
bool lease_await(struct pg *q, const struct db_turn *turn, struct err *err) MUST_CHECK;
/* Outside of a transaction. Returns false, with db->stale, if another process has taken one. */
bool lease_renew(struct pg *q, struct err *err) MUST_CHECK;
/* Milliseconds until they should be renewed; 0: now. */
int lease_wait(const struct pg *q);
/* Gives them back, if they are ours and there is a connection. */
void lease_release(struct pg *q);

#endif
