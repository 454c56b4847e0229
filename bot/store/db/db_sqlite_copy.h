/* Copy of an SQLite file while a daemon writes to it. */
#ifndef KOIKOI_DB_SQLITE_COPY_H
#define KOIKOI_DB_SQLITE_COPY_H

#include "err.h"
#include "str.h"

/* Writes all that is committed in the file `from` into a new file `to`, which must not exist; mode
 * 0600, checked as a whole and synced, with its folder, before it gets its name. A failure leaves
 * no file. */
bool db_sqlite_copy(struct str from, struct str to, struct err *err) MUST_CHECK;

#endif
