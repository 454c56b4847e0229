/* Checksums of rows, for damage that SQLite does not see: a bit that flipped inside a value. They
 * cover every column and the row's number. FNV-1a of 64 bits, which any change of a single byte
 * changes; no protection from anyone who can write to the file. Included by store*.c alone. */
#ifndef KOIKOI_SUM_H
#define KOIKOI_SUM_H

#include "store_session.h"
#include "store_sql.h"

/* Never 0, as a zeroed row reads. */
int64_t sum_session(const struct session_row *row);
int64_t sum_record(int64_t session, struct str lines);
int64_t sum_meta(struct str name, struct str value);

/* A wrong checksum of what this process has written since its start is a fault of the program. */
#define WRITTEN_WRONG                                                                              \
    "this run of koikoi has written it, and its checksum does not hold: a fault of the program, "  \
    "not of the disk"
static inline struct cache_key key_of_written(int64_t session, struct str name)
{
    return (struct cache_key){.no = session, .text = name};
}
static inline void write_here(struct store *s, int64_t session, struct str name)
{
    (void)cache_put(s->written, key_of_written(session, name), 1);
}
static inline bool written_here(struct store *s, int64_t session, struct str name)
{
    struct str found;
    return cache_find(s->written, key_of_written(session, name), &found);
}

#endif
