/* A store in an SQLite file, without the choice that db_open() makes: for backups, and for tests. */
#ifndef KOIKOI_DB_FILE_H
#define KOIKOI_DB_FILE_H

#include "db_open.h"

/* One file in WAL mode, every commit synced. Made with mode 0600 if absent; locked for this
 * process. Refuses the database of another program, without a change to it. A file of at most
 * DB_CHECK_BYTES is checked as a whole: a second at most. */
enum { DB_CHECK_BYTES = 64 * 1024 * 1024 };
bool db_sqlite_open(struct str path, struct db **ret, struct err *err) MUST_CHECK;
/* The same; *ret_useless: it is damaged or foreign, and no later attempt succeeds. */
bool db_sqlite_open_or_say(struct str path, struct db **ret, bool *ret_useless,
                           struct err *err) MUST_CHECK;
/* The same file, without the lock. */
bool db_sqlite_open_beside(struct str path, bool to_write, struct db **ret,
                           struct err *err) MUST_CHECK;
/* See db_holders(). */
struct str db_sqlite_holders(struct arena *a, struct str path);
/* Copies all that is committed into a file that must not exist, beside a daemon; mode 0600, checked
 * and synced, with its folder, before it gets its name. A failure leaves no file. */
bool db_sqlite_copy(struct str from, struct str to, struct err *err) MUST_CHECK;
/* Opens a file, with these flags of open() too, and locks it for this process. Returns the
 * descriptor, which holds the lock until it is closed, or -1. */
int db_lock(const char *path, int flags, struct err *err) MUST_CHECK;

#endif
