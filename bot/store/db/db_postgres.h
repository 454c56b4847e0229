/* State of a store on a PostgreSQL server: the connection (db_postgres_link.c), and the leases by
 * which daemons write side by side (db_postgres_lease.c). Included by db_postgres*.c alone. */
#ifndef KOIKOI_DB_POSTGRES_H
#define KOIKOI_DB_POSTGRES_H

#include "db_postgres_rows.h"

#include <libpq-fe.h>

enum {
    PG_STATEMENTS = 512, /* a power of two, well above the number of statements in the store */
    PG_PENDING = 256,
    PG_QUESTIONS = 8, /* most that are asked together */
    LEASE_MS = 3000,
    LEASE_RENEW_MS = 250,
    RECONNECT_MS = 1000,
    PATIENCE_MS = 3000,      /* a daemon waits so long for an answer, ... */
    PATIENCE_MOST_MS = 24000 /* ... longer if the server is there and only slow */
};

/* What was sent and not answered yet. */
enum pg_sent { PG_PLAIN, PG_PREPARES, PG_TURN, PG_STATE, PG_COMMIT };
struct pg_pending {
    enum pg_sent kind;
    int statement; /* of PG_PREPARES */
    int question;  /* of PG_PLAIN: its rows become that of pg.answer[]; else -1 */
};

/* A statement that the server keeps under the number of its place. */
struct pg_statement {
    const char *sql; /* by its address */
    bool sent, known;
    bool looked;
    enum pg_together { PG_ALONE, PG_INSERTS, PG_UPDATES } together; /* rows of lists, if so */
};

struct pg {
    struct db db;
    PGconn *conn;      /* NULL: lost, or not opened yet */
    bool to_read;      /* without the lease ... */
    bool edits;        /* ... but may write */
    bool any;          /* a host that takes nothing that is written will do */
    bool pooled;       /* the server's session is shared with others */
    bool inside;       /* a transaction has begun */
    uint32_t timeline; /* of the server: each promotion begins another; 0: it is a standby */
    uint32_t doubt;    /* a commit was sent on that one, its answer was not read; 0: none */
    bool refused;      /* the last connection failed, and with this address always will */
    int patience_ms;   /* for one answer; 0: as long as it takes */
    bool silent;       /* an answer did not come in that time, since the last connection */
    int64_t again_at;  /* CLOCK_BOOTTIME, ms: until then the server counts as away ... */
    struct err away;   /* ... for this reason */
    bool looked;       /* the server did not answer, and its address was checked for that */
    int n_pending;
    struct pg_pending pending[PG_PENDING];
    struct db_table answer[PG_QUESTIONS];
    struct pg_statement statement[PG_STATEMENTS];
    int n_rows;
    struct pg_rows rows[PG_TABLES];
    char *url;
    PQconninfoOption *options; /* the same, read */
    int n_hosts;
    char host[280];                                /* that we are connected to, or were */
    bool (*resume)(struct pg *q, struct err *err); /* of the lease, on a new connection; or NULL */
    const struct db_turn *turn;                    /* while it is opened */
    int n_accounts;                                /* that it was opened for; 0: for all of it */
    bool follows;                                  /* others had accounts when we looked */
    bool leased;                                   /* we hold leases ... */
    int n_leases;                                  /* ... so many ... */
    int64_t fence;                                 /* ... with epochs of this sum */
    int64_t held_at; /* CLOCK_BOOTTIME, ms: the last renewal that the server confirmed was sent */
    int64_t returned_at; /* the same clock: the last connection after a loss began; 0: none */
    bool beside;         /* this transaction runs beside those of others */
    bool counts;         /* it says in the row `turn` that it wrote ... */
    bool waited;         /* ... and has read the state of the store before all else */
    bool calm;           /* the last one found that nobody else had written */
    bool uncounted;      /* the row says that we write without counting: we are alone */
    int64_t seen_all, seen_others; /* what was counted when memory was last sound ... */
    int64_t renewed_others;        /* ... and when a lease was last renewed */
    char row[72];                  /* the account whose row counts what we write beside others */
    int64_t known_at;              /* the same clock: others know of us by then */
    bool blocked;                  /* another process kept the turn for too long */
    char holder[80];               /* our name in the table of leases ... */
    int lock;               /* ... and the advisory lock that each of our sessions holds; 0: none */
    char *list;             /* our accounts as an array of SQL, for those of the same list ... */
    char *bots;             /* ... and whom their networks know them as */
    int64_t stranger_since; /* CLOCK_BOOTTIME, ms: others have one of them as another bot; 0: no */
    char xid[24];           /* of the transaction; empty: not read yet */
    int64_t heard_at;       /* CLOCK_BOOTTIME, ms: answers in the pipeline were read */
    char shown[512];
};

/* ---- the connection ---- */

/* Takes the url; NULL with a sentence that repeats none of it if it cannot be read. */
struct pg *link_make(struct str url, bool to_read, struct err *err);
void link_free(struct pg *q);
/* Connects if there is no connection. After a loss it makes sure that the lease is still ours, and
 * that a commit in doubt has not taken effect: else db->damage and db->stale are set. */
bool link_ready(struct pg *q, struct err *err) MUST_CHECK;
void link_drop(struct pg *q);
/* After a connection that failed: true if it always will with this address (a user, a password or a
 * database that the server does not know, an option that means nothing), false if the server is away
 * or cannot serve now. */
bool link_is_wrong(struct pg *q);
/* Connects anew after a commit whose answer was lost, and asks once what became of it. False if it
 * took no effect, or if that cannot be known now: it is then asked again by link_ready(). */
bool link_committed(struct pg *q, struct err *err) MUST_CHECK;
/* The next result. NULL if all are read, on a timeout, or if the connection is lost. */
PGresult *link_result(struct pg *q);
/* For so many ms more our leases need not be renewed; 0: now. */
int link_held(const struct pg *q);
/* Runs a text without parameters outside of the pipeline; *ret (may be NULL) is the caller's. */
bool link_run(struct pg *q, const char *sql, PGresult **ret, struct err *err) MUST_CHECK;
/* Describes a failed result and sets db->broken or db->damage; NULL: the connection was lost.
 * Returns false. */
bool link_failed(struct pg *q, const PGresult *r, struct err *err);
/* Sets db->damage and db->stale: what we know of the store is not what it holds. Returns false. */
bool link_is_stale(struct pg *q, const char *why, struct err *err);

#endif
