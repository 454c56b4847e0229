/* Wrapper of a database that fails, or kills the process, at the n-th call. */
#ifndef KOIKOI_DB_FAULTY_H
#define KOIKOI_DB_FAULTY_H

#include "db.h"

enum db_fault {
    DB_FAILS,      /* the call does nothing and fails, as with a full disk */
    DB_IS_DAMAGED, /* the call does nothing: the file is found to be damaged */
    DB_DIES,       /* the process ends before the call */
    DB_DIES_AFTER  /* the process ends after the call was carried out */
};

/* Calls are counted from 1; those from `first` on fail, `times` of them (0: none). Takes ownership
 * of `real`. */
struct db *db_faulty(struct db *real, enum db_fault fault, int first, int times);
/* Number of calls so far. */
int db_faulty_calls(const struct db *db);

#endif
