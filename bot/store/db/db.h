/* Database interface of the store: a few verbs, so that there can be a second database and, for
 * tests, one that fails on purpose.
 *
 * SQL is what SQLite and PostgreSQL both understand: parameters $1, $2 ..., ON CONFLICT, RETURNING.
 * It is passed as a string constant: its address is the name under which it is kept prepared.
 *
 * A transient failure (disk full, an I/O error, a lost connection) also sets db->broken, until
 * rollback: the transaction is spoilt, the same work may succeed later. A failure without `broken`
 * is ours: the statement was refused, and would be again.
 *
 * Damage of the file passes neither by waiting nor by a rollback: db->damage then has a sentence
 * for the operator for good, and every call fails with it.
 */
#ifndef KOIKOI_DB_H
#define KOIKOI_DB_H

#include "arena.h"
#include "err.h"

enum db_kind { DB_NULL, DB_INT, DB_TEXT, DB_BYTES };
struct db_value {
    enum db_kind kind;
    int64_t i;
    struct str s;
};

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
static inline struct db_value db_null(void)
{
    return (struct db_value){.kind = DB_NULL};
}

/* A result: rows x cols values, row by row, in the arena. NULL reads as 0 and as empty text.
 * `inserted` is the KEY_COUNTED of the row that an INSERT made. */
struct db_table {
    int rows, cols;
    struct db_value *at;
    int64_t changed, inserted;
};

struct db {
    const struct db_verbs *verbs;
    bool broken;
    bool checked;      /* check() ran when it was opened */
    const char *path;  /* of its file, for sentences */
    struct err damage; /* empty: none was met */
};

struct db_verbs {
    /* Runs one statement to its end. The result lives in `a`, which may be NULL for a statement
     * without rows. */
    bool (*query)(struct db *db, struct arena *a, const char *sql, int n,
                  const struct db_value *args, struct db_table *ret, struct err *err) MUST_CHECK;
    /* Runs a text of several statements in which KEY_COUNTED, KEY_GIVEN, BY_ITS_KEY and BYTES stand
     * for this database's own words. */
    bool (*script)(struct db *db, struct str sql, struct err *err) MUST_CHECK;
    bool (*begin)(struct db *db, struct err *err) MUST_CHECK;
    bool (*commit)(struct db *db, struct err *err) MUST_CHECK;
    /* Reads all of it. Returns false if it is damaged, with db->damage set, or cannot be read. */
    bool (*check)(struct db *db, struct err *err) MUST_CHECK;
    void (*rollback)(struct db *db); /* also without a transaction */
    void (*idle)(struct db *db);     /* may tidy up */
    void (*close)(struct db *db);
};

/* One file in WAL mode, every commit synced. Made with mode 0600 if absent; locked for this
 * process. A file of at most DB_CHECK_BYTES is checked as a whole: a second at most. */
enum { DB_CHECK_BYTES = 64 * 1024 * 1024 };
bool db_sqlite_open(struct str path, struct db **ret, struct err *err) MUST_CHECK;
/* The same file to be read only, without the lock: beside a daemon that has it open. */
bool db_sqlite_open_to_read(struct str path, struct db **ret, struct err *err) MUST_CHECK;
/* Writes the error of a damaged file: the damage and the remedy. */
void db_damaged(struct db *db, const char *what);

#endif
