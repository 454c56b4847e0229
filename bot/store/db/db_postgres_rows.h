/* Lists of values on the wire, and new rows of a store on a PostgreSQL server that are kept back until
 * several go together. Included by db_postgres*.c alone.
 *
 *     pg_list_clear(&l), pg_list_put(&l, &value) ..., type = pg_list_end(&l)      bytes: l.at, l.n
 *
 *     while (!pg_rows_put(q, sql, n, args))
 *         send what is in q->rows, and pg_rows_forget(q)
 */
#ifndef KOIKOI_DB_POSTGRES_ROWS_H
#define KOIKOI_DB_POSTGRES_ROWS_H

#include "db_open.h"

enum {
    PG_COLUMNS = 40,
    PG_TABLES = 4,   /* whose new rows are kept back, ... */
    PG_TOGETHER = 32 /* ... so many of each: the server begins with them meanwhile */
};

/* A list of values on the wire, in the binary form of an array. */
struct pg_list {
    int count;
    unsigned type; /* of its values; 0: only NULL so far, which is a text's */
    bool nulls;
    char *at;
    size_t n, cap;
};

/* New rows of a table that are kept back, or changed ones of one account: a list for each column. */
struct pg_rows {
    const char *sql;
    bool changed;
    int64_t account, key[PG_TOGETHER]; /* of those that are changed */
    int n_columns;
    struct pg_list column[PG_COLUMNS];
};

struct pg;

/* As the server's pg_type.dat numbers them. */
enum {
    PG_BOOL = 16,
    PG_BYTEA = 17,
    PG_INT8 = 20,
    PG_INT2 = 21,
    PG_INT4 = 23,
    PG_TEXT = 25,
    PG_BYTEAS = 1001,
    PG_TEXTS = 1009,
    PG_INT8S = 1016,
    PG_NUMERIC = 1700
};
void pg_put_number(int64_t v, int bytes, char *ret); /* big endian */
/* Begins the list anew; its memory stays. */
void pg_list_clear(struct pg_list *l);
void pg_list_put(struct pg_list *l, const struct db_value *v);
/* Completes it. Returns the type of the array. */
unsigned pg_list_end(struct pg_list *l);
void pg_list_free(struct pg_list *l);

/* The rows of that statement, one more among them. Returns NULL if those that are kept back must go
 * first: a row changes once in all of them. */
struct pg_rows *pg_rows_put(struct pg *q, const char *sql, bool changed, int n,
                            const struct db_value *args);
void pg_rows_forget(struct pg *q);

#endif
