/* What a host does with a store as a whole: its health, backup, restore, a move. Only tools call
 * these. */
#ifndef KOIKOI_STORE_HOST_H
#define KOIKOI_STORE_HOST_H

#include "store_session.h"

/* Health of a store, for `koikoi doctor`. */
struct store_health {
    bool exists;
    int64_t schema; /* of another version than this program's only the file is read, not its rows */
    int64_t sessions, quarantined;
    int64_t sealed; /* values in the vault */
    int n_hosts;    /* of the address, if it names several */
    struct host_found {
        bool well;
        struct str is; /* in a sentence */
    } host[8];
    int n_cursors; /* of accounts; the first of them */
    struct account_cursor {
        struct str account, cursor;
    } cursor[32];
    struct ids damaged; /* sessions, or with such a record; at most 100 */
};
/* Reads all of the file and changes nothing; a daemon may have it open. Returns false if it is
 * damaged or cannot be read. */
bool store_examine(struct str where, struct arena *a, struct store_health *ret,
                   struct err *err) MUST_CHECK;

/* Copies all that is committed into a new file; a daemon may have the store open. *err says why
 * not, and then there is no file. */
bool store_backup(struct str where, struct str to, struct err *err) MUST_CHECK;
/* Puts a copy of the file `from`, a backup, at `where`, brought up to this version. What stood
 * there is kept as *ret_aside (empty: no file was there); no daemon may have it open. A failure
 * changes nothing. */
bool store_restore(struct str from, struct str where, struct arena *a, struct str *ret_aside,
                   struct err *err) MUST_CHECK;

struct store_moved {
    int tables;
    int64_t rows;
};
/* Moves a store into another, empty one: between a file and a server, either way. Copies every row
 * of `from` into `to` in one transaction, counters too, reads the copy again and compares the
 * number of rows and a hash of each table. Both are locked meanwhile; `from` keeps all it has.
 * Refuses a `to` in which there is any row. */
bool store_move(struct str from, struct str to, struct store_moved *ret,
                struct err *err) MUST_CHECK;

/* The newest migration that was applied, 0 for none. Fails if it is older than all that this
 * program has. */
int64_t store_schema(struct store *s);
/* Applies what config/schema has and the database has not. */
bool store_migrate(struct store *s, struct err *err) MUST_CHECK;
/* Every migration that this program knows was applied, and no other. */
bool store_is_current(struct store *s, struct err *err) MUST_CHECK;

#endif
