/* Checks of an open SQLite file for damage; each sets db->damage if it finds some. Included by
 * db_sqlite*.c alone. */
#ifndef KOIKOI_DB_SQLITE_CHECK_H
#define KOIKOI_DB_SQLITE_CHECK_H

#include "db.h"

/* Reads all of the file. */
bool db_sqlite_check(struct db *db, struct err *err) MUST_CHECK;
/* A number for the text of all tables and indexes, kept in the file's user_version; a file in which
 * that is 0 is from before. */
bool db_sqlite_schema_sum(struct db *db, int32_t *ret, struct err *err) MUST_CHECK;
bool db_sqlite_schema_sound(struct db *db, struct err *err) MUST_CHECK;

#endif
