/* Leases of a store on a PostgreSQL server: see db_postgres_lease.c. */
#ifndef KOIKOI_DB_POSTGRES_LEASE_H
#define KOIKOI_DB_POSTGRES_LEASE_H

#include "db_postgres.h"

/* The class of the advisory locks of daemons ("koik"). */
#define LEASE_LOCK "1802463595"

/* The first statements of a transaction: one of two that wait for their turn and return its id, and
 * in the state of then the leases and what was written ($1 our name, $2 our row). A lock that is
 * asked for later is given later, so neither kind starves. */
#define LEASE_ALONE "SELECT pg_current_xact_id()::text, pg_advisory_xact_lock(" LEASE_LOCK ", 0)"
#define LEASE_BESIDE                                                                               \
    "SELECT pg_current_xact_id()::text, pg_advisory_xact_lock_shared(" LEASE_LOCK ", 0)"
#define LEASE_WRITTEN(holder, row)                                                                 \
    "COALESCE(MAX(written) FILTER (WHERE name = 'turn'), 0), "                                     \
    "COALESCE(SUM(written) FILTER (WHERE name <> 'turn' AND name <> " row "), 0)::bigint, "        \
    "COUNT(*) FILTER (WHERE name = 'turn' AND epoch > 0 AND holder <> " holder ")"
#define LEASE_STATE                                                                                \
    "SELECT COALESCE(SUM(epoch) FILTER (WHERE holder = $1 AND name <> 'turn'), "                   \
    "0)::bigint, " LEASE_WRITTEN("$1", "$2") " FROM koikoi_lease"
/* Fails, and the transaction with it, unless LEASE_STATE shows what lease_read_state() expects: epochs
 * $3, what was written $4, and $5 or, if this one runs beside others ($6 is 1), whatever they wrote. */
#define LEASE_HOLDS                                                                                \
    "SELECT 1 / (fence = $3 AND everything = $4 AND ($6 = 1 OR others = $5) AND uncounted = 0)"    \
    "::int FROM (" LEASE_STATE ") AS state (fence, everything, others, uncounted)"
/* Behind them: this one writes. With $2 1 those that follow do not say so. */
#define LEASE_COUNT_ALL                                                                            \
    "UPDATE koikoi_lease SET holder = $1, epoch = $2, written = written + 1 WHERE name = 'turn'"
#define LEASE_COUNT_BESIDE "UPDATE koikoi_lease SET written = written + 1 WHERE name = $1"
/* So long a transaction waits for its turn while others write. */
#define LEASE_PATIENCE "SELECT set_config('lock_timeout', '2s', true)"
/* Reads the result of LEASE_STATE. Returns false, with db->stale, if a lease is no longer ours; or if
 * others have written, and what is remembered may have been used. */
bool lease_read_state(struct pg *q, const PGresult *r, struct err *err) MUST_CHECK;
/* Ends sessions that sleep in the middle of a transaction. */
bool lease_end_sleepers(struct pg *q, struct err *err) MUST_CHECK;

/* Takes leases, as db_open_in_turn() says. */
bool lease_await(struct pg *q, const struct db_turn *turn, struct err *err) MUST_CHECK;
/* Outside of a transaction. Returns false, with db->stale, if another process has taken one. */
bool lease_renew(struct pg *q, struct err *err) MUST_CHECK;
/* Gives them back, if they are ours and there is a connection. */
void lease_release(struct pg *q);

#endif
