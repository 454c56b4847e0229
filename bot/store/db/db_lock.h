/* Lock of a database file: one daemon at a time. */
#ifndef KOIKOI_DB_LOCK_H
#define KOIKOI_DB_LOCK_H

#include "err.h"

/* Opens the file with these flags of open() besides, and locks it for this process. Returns the
 * descriptor, which holds the lock until it is closed; -1 on failure. */
int db_lock(const char *path, int flags, struct err *err) MUST_CHECK;

#endif
