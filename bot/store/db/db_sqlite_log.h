/* The log of an SQLite file, which is synced on a thread of its own, so that the daemon goes on with
 * what needs no database. SQLite waits for the end of the sync as before.
 *
 *     db_log_open(file, &db)      the file has its log: it is in WAL mode, and was read
 *     db_log_close(log)           after sqlite3_close()
 */
#ifndef KOIKOI_DB_SQLITE_LOG_H
#define KOIKOI_DB_SQLITE_LOG_H

#include <sqlite3.h>

#include "db.h"

struct db_log;

/* While a sync lasts db->meanwhile is called, once it is set. NULL: the file has no log. */
struct db_log *db_log_open(sqlite3 *file, const struct db *db);
void db_log_close(struct db_log *log); /* may be NULL */

#endif
