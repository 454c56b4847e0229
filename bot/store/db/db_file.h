/* File of an SQLite store: its lock, one daemon at a time, and how it is made. */
#ifndef KOIKOI_DB_FILE_H
#define KOIKOI_DB_FILE_H

#include "err.h"

/* Opens the file with these flags of open() besides, and locks it for this process. Returns the
 * descriptor, which holds the lock until it is closed; -1 on failure. */
int db_lock(const char *path, int flags, struct err *err) MUST_CHECK;

/* Makes it without a table, in WAL mode, with mode 0600, and synced: it is there whole or not at
 * all. *ret_lock is its lock, or -1 if another process made the file meanwhile. */
bool db_sqlite_new(const char *path, int *ret_lock, struct err *err) MUST_CHECK;

#endif
