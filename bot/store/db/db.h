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

struct pollfd;

enum db_kind { DB_NULL, DB_INT, DB_TEXT, DB_BYTES, DB_LIST };
struct db_value {
    enum db_kind kind;
    int64_t i;
    struct str s;
    const struct str *list; /* DB_LIST: i texts, as an argument alone (see db->words) */
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
static inline struct db_value db_list(int n, const struct str *texts)
{
    return (struct db_value){.kind = DB_LIST, .i = n, .list = texts};
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
    int64_t given; /* of a file: the last key that it gave to a row */
};

/* One of several queries. */
struct db_question {
    const char *sql;
    int n;
    const struct db_value *args;
    struct db_table answer;
};

struct db {
    const struct db_verbs *verbs;
    /* Pairs for db_words_put(): LIST EACH table WHERE ... DONE are, for each text of $1, a
     * DB_LIST, the rows of the table that suit it; in the condition it is `value`. */
    const char *const *words;
    const char *numbers; /* a query for $2 fresh numbers of the table $1; NULL: they come with the
                            rows, at no cost */
    int64_t waits;       /* answers of a server that were waited for */
    bool broken;
    bool faltered;     /* it was `broken` at some time since it was opened */
    bool checked;      /* check() ran when it was opened */
    bool is_server;    /* kept by a server, not in a file */
    const char *path;  /* of its file, or the server's address without secrets: for sentences */
    const char *host;  /* of several that may keep it, the one that does; NULL: not known */
    bool stale;        /* `damage` is of what this process knows: opened anew, the store is sound */
    struct err damage; /* empty: none was met */
    /* Called while the disk or a server is waited for: it may do something else, without a database,
       until `fd` is ready (revents is set) or `ms` are over. NULL: nothing goes on meanwhile. */
    void (*meanwhile)(void *arg, struct pollfd *fd, int ms);
    void *meanwhile_arg;
    /* Of a server's store that daemons share. */
    uint64_t held;      /* accounts of struct db_turn that are ours, by their places; else all */
    const char *holder; /* our name in the table of leases; NULL: the store is ours alone */
    bool shared;        /* other processes write to it now */
    bool beside;        /* the next transaction may run beside theirs: it will write rows of `held`
                           accounts alone, and use what is remembered of those and of what no such
                           transaction writes */
    bool foreign;       /* one has since this was last cleared: what is remembered may be old */
    bool regroup;       /* accounts are to change hands: it should be opened anew */
};

/* Behind INSERT INTO table (columns), on a server: the arguments of query() are one row, and several
 * rows of one such statement may go together. Behind UPDATE table SET ... so may changes of several
 * rows: the last two arguments are the key, and only the last one, the account, is no list. */
#define DB_ROWS    "SELECT * FROM unnest("
#define DB_CHANGES "FROM unnest("

struct db_verbs {
    /* Runs one statement to its end. The result lives in `a`, which may be NULL for a statement
     * without rows. Without `ret`, inside a transaction, the statement may run later, and a later
     * call fails in its place: at the latest the commit. */
    bool (*query)(struct db *db, struct arena *a, const char *sql, int n,
                  const struct db_value *args, struct db_table *ret, struct err *err) MUST_CHECK;
    /* Runs n queries at once: a server answers all of them in one round trip. The answers live in
     * `a`. */
    bool (*ask)(struct db *db, struct arena *a, int n, struct db_question *q,
                struct err *err) MUST_CHECK;
    /* Runs a text of several statements in which KEY_COUNTED, KEY_GIVEN, BY_ITS_KEY, BYTES,
     * ON_SERVER and IN_PARTS stand for this database's own words; TEXT sorts by its bytes. */
    bool (*script)(struct db *db, struct str sql, struct err *err) MUST_CHECK;
    bool (*begin)(struct db *db, struct err *err) MUST_CHECK;
    /* `last` (may be NULL) is asked before, in the same round trip; its answer lives in `a`, and is
     * empty if it was lost with a connection behind which the commit took effect. */
    bool (*commit)(struct db *db, struct arena *a, struct db_question *last,
                   struct err *err) MUST_CHECK;
    /* Reads all of it. Returns false if it is damaged, with db->damage set, or cannot be read. */
    bool (*check)(struct db *db, struct err *err) MUST_CHECK;
    void (*rollback)(struct db *db); /* also without a transaction */
    void (*idle)(struct db *db);     /* may tidy up */
    /* Makes sure, outside of a transaction, that the store is still ours; *ret_ms is when to call
     * again. Returns false, on a server with `broken` or `stale`, if it is not, or cannot be
     * asked. */
    bool (*keep)(struct db *db, int *ret_ms, struct err *err) MUST_CHECK;
    void (*close)(struct db *db);
    /* Queries for a move of all rows: the names of the store's tables, in order; of table $1 the
     * columns of its key and, as they are to be selected, all columns, in order; the tables with
     * a KEY_COUNTED and the last number given out there. */
    const char *tables, *keys, *columns, *counters;
    /* That number is above `last` from now on. */
    bool (*set_counter)(struct db *db, struct str table, int64_t last, struct err *err) MUST_CHECK;
};

/* Sets db->damage: what is damaged, and the remedy, which begins so for a file. */
#define DB_FILE_REMEDY ". Put the last backup in its place"
void db_damaged(struct db *db, const char *what);

/* A copy of a script, NUL-terminated, in the words of one database: pairs of a word and its own, the
 * first that matches wins, then NULL. The caller frees it. */
char *db_words_put(struct str sql, const char *const *words) __attribute__((returns_nonnull));

#endif
