/* Backup and restore of a store's file. */
#ifndef KOIKOI_STORE_COPY_H
#define KOIKOI_STORE_COPY_H

#include "arena.h"
#include "err.h"

/* Copies all that is committed into a new file; a daemon may have the store open. *err says why
 * not, and then there is no file. */
bool store_backup(struct str where, struct str to, struct err *err) MUST_CHECK;
/* Puts a copy of the file `from`, a backup, at `where`, brought up to this version. What stood
 * there is kept as *ret_aside (empty: there was none); no daemon may have it open. A failure
 * changes nothing. */
bool store_restore(struct str from, struct str where, struct arena *a, struct str *ret_aside,
                   struct err *err) MUST_CHECK;

#endif
