/* Lease of a store on a PostgreSQL server: which process may write to it, and send what it says.
 * Included by db_postgres*.c alone.
 *
 * One row of the table koikoi_lease, made here, not by a schema step: the steps already write.
 *
 *     name    'store'
 *     holder  HOST/PID, for people
 *     epoch   counts up each time the lease is taken
 *     until   by the clock of the server, since the clocks of daemons differ
 *
 * The holder renews it each second for LEASE_MS. Others look each DB_LOOK_MS and take a lease that
 * has run out or was given back. Nothing is kept in a session of the server, so a pooler may stand
 * between.
 *
 * Fencing. Each transaction that writes locks the row FOR SHARE and compares epoch and holder: a
 * taker waits for it, and after the taker it fails. A process that slept in the middle of one holds
 * that lock: the taker ends its session. An expired lease that is not taken is still ours.
 */
#ifndef KOIKOI_DB_POSTGRES_LEASE_H
#define KOIKOI_DB_POSTGRES_LEASE_H

#include "db_postgres_link.h"

enum { LEASE_MS = 3000, LEASE_RENEW_MS = 1000 };

/* The first statement of a transaction; also its id. */
#define LEASE_CHECK                                                                                \
    "SELECT pg_current_xact_id()::text, epoch::text, holder FROM koikoi_lease WHERE name = "       \
    "'store' FOR SHARE"
/* Reads its result. Returns false, with db->stale, if the lease is no longer ours. */
bool lease_is_ours(struct pg *q, const PGresult *r, struct err *err) MUST_CHECK;

/* Takes the lease, as db_open_in_turn() says; without `wait` it gives up after LEASE_MS and some. */
bool lease_await(struct pg *q, db_wait *wait, void *arg, struct err *err) MUST_CHECK;
/* Outside of a transaction. Returns false, with db->stale, if another process has taken it. */
bool lease_renew(struct pg *q, struct err *err) MUST_CHECK;
/* Milliseconds until it should be renewed; 0: now. */
int lease_wait(const struct pg *q);
/* Gives it back, if it is ours and there is a connection. */
void lease_release(struct pg *q);

#endif
