/* The file of a new store. */
#ifndef KOIKOI_DB_SQLITE_NEW_H
#define KOIKOI_DB_SQLITE_NEW_H

#include "err.h"

/* Makes it without a table, in WAL mode, with mode 0600, and synced: it is there whole or not at
 * all. *ret_lock is its lock (see db_lock.h), or -1 if another process made the file meanwhile. */
bool db_sqlite_new(const char *path, int *ret_lock, struct err *err) MUST_CHECK;

#endif
