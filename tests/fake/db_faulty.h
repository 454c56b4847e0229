/* A database that fails, or kills the process, at the n-th call: put around a real one. */
#ifndef KOIKOI_DB_FAULTY_H
#define KOIKOI_DB_FAULTY_H

#include "db.h"

enum db_fault {
    DB_FAILS,                   /* the call does nothing and fails, as with a full disk */
    DB_DIES,                    /* the process ends before the call */
    DB_DIES_AFTER               /* the process ends after the call was carried out */
};

/* Calls are counted from 1; those from `first` on fail, `times` of them (0: none). Takes `real`
 * over. */
struct db *db_faulty(struct db *real, enum db_fault fault, int first, int times);
/* How many calls there have been. */
int db_faulty_calls(const struct db *db);

#endif
