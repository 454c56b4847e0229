/* Values on their way to a PostgreSQL server, and tables on their way back. Included by
 * db_postgres*.c alone. */
#ifndef KOIKOI_DB_POSTGRES_VALUE_H
#define KOIKOI_DB_POSTGRES_VALUE_H

#include "db.h"

#include <libpq-fe.h>

enum { PG_VALUES_MOST = 40 };

/* Arguments in the binary form of int8, text and bytea; they point into the values. */
struct pg_values {
    Oid types[PG_VALUES_MOST];
    const char *at[PG_VALUES_MOST];
    int lengths[PG_VALUES_MOST], formats[PG_VALUES_MOST];
    char numbers[PG_VALUES_MOST][8];
};
void pg_values(int n, const struct db_value *args, struct pg_values *ret);

/* Copies a result in text form into the arena. */
void pg_table(const PGresult *r, struct arena *a, struct db_table *ret);

#endif
