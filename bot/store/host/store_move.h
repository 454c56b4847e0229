/* Move of a whole store into another, empty one: between a file and a server, either way. */
#ifndef KOIKOI_STORE_MOVE_H
#define KOIKOI_STORE_MOVE_H

#include "arena.h"
#include "err.h"

struct store_moved {
    int tables;
    int64_t rows;
};

/* Copies every row of `from` into `to` in one transaction, counters too, reads the copy again and
 * compares the number of rows and a hash of each table. Both are locked meanwhile; `from` keeps all
 * it has. Refuses a `to` in which there is any row. */
bool store_move(struct str from, struct str to, struct store_moved *ret,
                struct err *err) MUST_CHECK;

#endif
