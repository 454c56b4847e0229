/* See db_postgres_value.h. Results come as text: numbers of five types read the same that way. */
#include "db_postgres_value.h"

#include <assert.h>
#include <stdlib.h>

/* As the server's pg_type.dat numbers them. */
enum { BOOL = 16, BYTEA = 17, INT8 = 20, INT2 = 21, INT4 = 23, TEXT = 25, NUMERIC = 1700 };

static void put_big_endian(int64_t v, char ret[static 8])
{
    for (int i = 7; i >= 0; i--, v >>= 8)
        ret[i] = (char)(v & 0xff);
}

void pg_values(int n, const struct db_value *args, struct pg_values *ret)
{
    assert(n <= PG_VALUES_MOST);
    for (int i = 0; i < n; i++) {
        const struct db_value *v = &args[i];
        ret->formats[i] = 1;
        ret->types[i] = v->kind == DB_INT ? INT8 : v->kind == DB_BYTES ? BYTEA : TEXT;
        ret->at[i] = v->s.n ? v->s.p : "";
        ret->lengths[i] = (int)v->s.n;
        if (v->kind == DB_INT) {
            put_big_endian(v->i, ret->numbers[i]);
            ret->at[i] = ret->numbers[i];
            ret->lengths[i] = 8;
        } else if (v->kind == DB_NULL) {
            ret->types[i] = 0; /* the server knows */
            ret->at[i] = NULL;
        }
    }
}

static int hex_digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* "\x48693f" */
static struct str bytes_of(struct str hex, struct arena *a)
{
    size_t n = hex.n >= 2 ? (hex.n - 2) / 2 : 0;
    char *p = arena_room(a, n + 1);
    for (size_t i = 0; i < n; i++)
        p[i] = (char)(hex_digit(hex.p[2 + 2 * i]) << 4 | hex_digit(hex.p[3 + 2 * i]));
    p[n] = '\0';
    return (struct str){p, n};
}

static struct db_value value_of(const PGresult *r, int row, int col, struct arena *a)
{
    struct str s = {PQgetvalue(r, row, col), (size_t)PQgetlength(r, row, col)};
    if (PQgetisnull(r, row, col))
        return db_null();
    switch (PQftype(r, col)) {
    case INT8:
    case INT4:
    case INT2:
    case NUMERIC:
        return db_int(strtoll(s.p, NULL, 10));
    case BOOL:
        return db_int(str_is(s, STR("t")));
    case BYTEA:
        return db_bytes(bytes_of(s, a));
    default:
        return db_text(arena_str(a, s));
    }
}

void pg_table(const PGresult *r, struct arena *a, struct db_table *ret)
{
    struct db_table t = {.rows = PQntuples(r), .cols = PQnfields(r)};
    (void)str_int(str_of(PQcmdTuples((PGresult *)(uintptr_t)r)), &t.changed);
    if (t.rows > 0) {
        assert(a);
        t.at = arena_array(a, struct db_value, (size_t)t.rows * (size_t)t.cols);
    }
    for (int i = 0; i < t.rows; i++)
        for (int k = 0; k < t.cols; k++)
            t.at[i * t.cols + k] = value_of(r, i, k, a);
    *ret = t;
}
