/* Opening a database: which one a name means, for whom, and what is known of it from outside. */
#ifndef KOIKOI_DB_OPEN_H
#define KOIKOI_DB_OPEN_H

#include "db.h"

/* The store that KOIKOI_STORE names: the path of an SQLite file, or postgresql://... Fails if
 * another process keeps it for some seconds. */
bool db_open(struct str where, struct db **ret, struct err *err) MUST_CHECK;
/* The same for a daemon: while other processes hold the store of a server, or all accounts, or
 * while the server cannot be reached, it calls wait(), which sleeps a little and returns false
 * to give up. Fails at once if the server refuses the user, the password or the database. */
/* holder: one of those processes; away: why the server cannot be reached, else NULL. */
typedef bool db_wait(void *arg, const char *holder, const char *away);
/* What a daemon opens it for. Daemons with the same accounts share them out evenly. */
struct db_turn {
    int n;                      /* accounts; 0: the whole store, alone */
    const struct str *accounts; /* names of letters, digits and dots */
    db_wait *wait;              /* NULL: it gives up after some seconds */
    void *arg;
    const char *name; /* NULL: the process's; for several in one process */
    /* Whom its network knows each account as; empty: unknown; NULL: all are. Fails while another
     * daemon has an account of the same name that is another bot. */
    const struct str *bots;
    bool *ret_useless; /* set if it fails as it will again: damage, a foreign store; may be NULL */
};
bool db_open_in_turn(struct str where, const struct db_turn *turn, struct db **ret,
                     struct err *err) MUST_CHECK;
/* Beside a daemon that has it open: to be read only, or to be written to as well. */
bool db_open_beside(struct str where, bool to_write, struct db **ret, struct err *err) MUST_CHECK;
bool db_is_server(struct str where);
/* A path, or the address of a server that is known. */
bool db_check_name(struct str where, struct err *err) MUST_CHECK;
/* Returns false if `where` is a file that is not there; a server is taken to be. */
bool db_exists(struct arena *a, struct str where);
/* The processes that have it open to write, for people; empty if not found, or not known. */
struct str db_holders(struct arena *a, struct str where);
/* Of the address of a server that names several hosts: what each of them is now, in a sentence
 * without secrets, and whether that is well. Returns how many; 0 for one host, or a file. */
enum { DB_HOSTS = 8 };
struct db_host {
    bool well;
    struct str is;
};
int db_hosts(struct arena *a, struct str where, struct db_host ret[static DB_HOSTS]);
/* The name without user, password and options, for logs and people. */
struct str db_shown(struct arena *a, struct str where);

/* PostgreSQL 13 or newer, tables in the first schema of the search path; checked likewise. */
bool db_postgres_open(struct str url, const struct db_turn *turn, struct db **ret,
                      struct err *err) MUST_CHECK;
bool db_postgres_open_beside(struct str url, bool to_write, struct db **ret,
                             struct err *err) MUST_CHECK;
struct str db_postgres_shown(struct arena *a, struct str url);
struct str db_postgres_holders(struct arena *a, struct str url);
int db_postgres_hosts(struct arena *a, struct str url, struct db_host ret[static DB_HOSTS]);

#endif
