/* Check of SQLite's write-ahead log before it is opened. SQLite reads a log up to the first frame
 * whose checksum does not hold and drops the rest without a word: right after a power cut, when
 * that is the transaction that was being written, and a loss if later ones follow. Included by
 * db_sqlite.c alone. */
#ifndef KOIKOI_DB_WAL_H
#define KOIKOI_DB_WAL_H

#include <stdbool.h>

/* False if committed transactions follow on a damaged part. True too if the file is absent, empty
 * or cannot be read, which SQLite will say. */
bool db_wal_sound(const char *path);

#endif
