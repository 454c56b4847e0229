/* What a database has to offer: a narrow waist, so that there can be a second one and, for tests,
 * one that fails on purpose. Only store.c calls it.
 *
 * SQL is what SQLite and PostgreSQL both understand: parameters $1, $2 ..., ON CONFLICT, RETURNING.
 * It is passed as a string constant: its address is the name under which it is kept prepared.
 *
 * A failure that may pass (disk full, an I/O error, a lost connection) also sets db->ill, until
 * rollback: the transaction is spoilt, the same work may succeed later. A failure without `ill` is
 * ours: the statement was refused, and would be again.
 */
#ifndef KOIKOI_DB_H
#define KOIKOI_DB_H

#include "arena.h"
#include "err.h"

enum db_kind { DB_NULL, DB_INT, DB_TEXT, DB_BYTES };
struct db_value { enum db_kind kind; int64_t i; struct str s; };

static inline struct db_value db_int(int64_t i)
{
    return (struct db_value){.kind = DB_INT, .i = i};
}
static inline struct db_value db_text(struct str s)
{
    return (struct db_value){.kind = DB_TEXT, .s = s};
}
static inline struct db_value db_bytes(struct str s)
{
    return (struct db_value){.kind = DB_BYTES, .s = s};
}
static inline struct db_value db_null(void) { return (struct db_value){.kind = DB_NULL}; }

/* What came back: rows x cols values, row by row, in the arena. NULL reads as 0 and as empty text.
 * `made` is the KEY_COUNTED of the row that an INSERT of one row made. */
struct db_table { int rows, cols; struct db_value *at; int64_t changed, made; };

struct db {
    const struct db_verbs *verbs;
    bool ill;
};

struct db_verbs {
    /* Runs one statement to its end. `a` holds what comes back; it may be NULL for a statement that
     * returns no rows. */
    bool (*query)(struct db *db, struct arena *a, const char *sql, int n,
                  const struct db_value *args, struct db_table *ret, struct err *err) MUST_CHECK;
    /* Runs a text of several statements in which KEY_COUNTED, KEY_GIVEN, BY_ITS_KEY and BYTES stand
     * for this database's own words. */
    bool (*script)(struct db *db, struct str sql, struct err *err) MUST_CHECK;
    bool (*begin)(struct db *db, struct err *err) MUST_CHECK;
    bool (*commit)(struct db *db, struct err *err) MUST_CHECK;
    void (*rollback)(struct db *db);           /* also without a transaction */
    void (*idle)(struct db *db);               /* a good moment to tidy up */
    void (*close)(struct db *db);
};

/* One file in WAL mode, every commit synced. Made with mode 0600 if absent; locked for this
 * process. */
bool db_sqlite_open(struct str path, struct db **ret, struct err *err) MUST_CHECK;

#endif
