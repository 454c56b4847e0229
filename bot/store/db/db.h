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
 * for the operator for good, and every call fails with it. */
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

/* A result: rows x cols values, row by row, in the arena. NULL reads as 0 and as empty text. */
struct db_table {
    int rows, cols;
    struct db_value *at;
    int64_t changed;
};

struct db {
    const struct db_verbs *verbs;
    bool broken;
    bool faltered;     /* it was `broken` at some time since it was opened */
    bool checked;      /* check() ran when it was opened */
    bool is_server;    /* kept by a server, not in a file */
    const char *path;  /* of its file, or the server's address without secrets: for sentences */
    bool stale;        /* `damage` is of what this process knows: opened anew, the store is sound */
    struct err damage; /* empty: none was met */
    /* Of a server's store that daemons share. */
    uint64_t held;      /* accounts of struct db_turn that are ours, by their places; else all */
    const char *holder; /* our name in the table of leases; NULL: nobody shares it */
    bool shared;        /* other processes write to it now */
    bool foreign;       /* one has since this was last cleared: what is remembered may be old */
    bool regroup;       /* accounts are to change hands: it should be opened anew */
};

struct db_verbs {
    /* Runs one statement to its end. The result lives in `a`, which may be NULL for a statement
     * without rows. Without `ret`, inside a transaction, the statement may run later, and a later
     * call fails in its place: at the latest the commit. */
    bool (*query)(struct db *db, struct arena *a, const char *sql, int n,
                  const struct db_value *args, struct db_table *ret, struct err *err) MUST_CHECK;
    /* Runs a text of several statements in which KEY_COUNTED, KEY_GIVEN, BY_ITS_KEY and BYTES stand
     * for this database's own words; TEXT sorts by its bytes. */
    bool (*script)(struct db *db, struct str sql, struct err *err) MUST_CHECK;
    bool (*begin)(struct db *db, struct err *err) MUST_CHECK;
    bool (*commit)(struct db *db, struct err *err) MUST_CHECK;
    /* Reads all of it. Returns false if it is damaged, with db->damage set, or cannot be read. */
    bool (*check)(struct db *db, struct err *err) MUST_CHECK;
    void (*rollback)(struct db *db); /* also without a transaction */
    void (*idle)(struct db *db);     /* may tidy up */
    /* Makes sure, outside of a transaction, that the store is still ours; *ret_ms is when to call
     * again. Returns false, with `broken` or `stale`, if it is not, or cannot be asked. NULL: a
     * lock of the system holds it. */
    bool (*keep)(struct db *db, int *ret_ms, struct err *err) MUST_CHECK;
    void (*close)(struct db *db);
    /* Queries for a move of all rows: the names of the store's tables, in order; of table $1 the
     * columns of its key and, as they are to be selected, all columns, in order; the tables with
     * a KEY_COUNTED and the last number given out there. */
    const char *tables, *keys, *columns, *counters;
    /* That number is above `last` from now on. */
    bool (*set_counter)(struct db *db, struct str table, int64_t last, struct err *err) MUST_CHECK;
};

/* The store that KOIKOI_STORE names: the path of an SQLite file, or postgresql://... Fails if
 * another process keeps it for some seconds. */
bool db_open(struct str where, struct db **ret, struct err *err) MUST_CHECK;
/* The same for a daemon: while other processes hold the store of a server, or all accounts, or
 * while the server cannot be reached, it calls wait(), which sleeps a little and returns false
 * to give up. Fails at once if the server refuses the user, the password or the database. */
/* holder: one of those processes; away: why the server cannot be reached, else NULL. */
typedef bool db_wait(void *arg, const char *holder, const char *away);
/* What a daemon opens it for. Daemons with the same accounts share them out evenly. */
struct db_turn {
    int n;                      /* accounts; 0: the whole store, alone */
    const struct str *accounts; /* names of letters, digits and dots */
    db_wait *wait;              /* NULL: it gives up after some seconds */
    void *arg;
    const char *name; /* NULL: the process's; for several in one process */
    /* Whom its network knows each account as; empty: unknown; NULL: all are. Fails while another
     * daemon has an account of the same name that is another bot. */
    const struct str *bots;
    bool *ret_useless; /* set if it fails as it will again: damage, a foreign store; may be NULL */
};
bool db_open_in_turn(struct str where, const struct db_turn *turn, struct db **ret,
                     struct err *err) MUST_CHECK;
/* Beside a daemon that has it open: to be read only, or to be written to as well. */
bool db_open_beside(struct str where, bool to_write, struct db **ret, struct err *err) MUST_CHECK;
bool db_is_server(struct str where);
/* Returns false if `where` is a file that is not there; a server is taken to be. */
bool db_exists(struct arena *a, struct str where);
/* Who has it open to write, of all processes, for people; empty: nobody, or it cannot be known. */
struct str db_holders(struct arena *a, struct str where);
/* The name without user, password and options, for logs and people. */
struct str db_shown(struct arena *a, struct str where);

/* PostgreSQL 13 or newer, tables in the first schema of the search path; checked likewise. */
bool db_postgres_open(struct str url, const struct db_turn *turn, struct db **ret,
                      struct err *err) MUST_CHECK;
bool db_postgres_open_beside(struct str url, bool to_write, struct db **ret,
                             struct err *err) MUST_CHECK;
struct str db_postgres_shown(struct arena *a, struct str url);
struct str db_postgres_holders(struct arena *a, struct str url);

/* Sets db->damage: what is damaged, and the remedy, which begins so for a file. */
#define DB_FILE_REMEDY ". Put the last backup in its place"
void db_damaged(struct db *db, const char *what);

/* A copy of a script, NUL-terminated, in the words of one database: pairs of a word and its own, the
 * first that matches wins, then NULL. The caller frees it. */
char *db_words_put(struct str sql, const char *const *words) __attribute__((returns_nonnull));

#endif
