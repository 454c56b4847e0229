/* Checksums of rows, for damage that SQLite does not see: a bit that flipped inside a value. They
 * cover every column and the row's number. FNV-1a of 64 bits, which any change of a single byte
 * changes; no protection from anyone who can write to the file. Included by store*.c alone. */
#ifndef KOIKOI_SUM_H
#define KOIKOI_SUM_H

#include "store_session.h"

/* Neither 0, as a zeroed row reads, nor this: */
enum { SUM_NONE = 1 /* the row was written before there were checksums */ };
int64_t sum_session(const struct session_row *row);
int64_t sum_record(int64_t session, struct str lines);
int64_t sum_meta(struct str name, struct str value);
static inline bool sum_holds(int64_t stored, int64_t sum)
{
    return stored == SUM_NONE || stored == sum;
}

#endif
