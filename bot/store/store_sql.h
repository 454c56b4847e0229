/* Statements of the store, transactions and the row cache, for its own files. Most statements are
 * made of tables (store_table.h); others (sums, joins, a change of one column) are literals.
 *
 * After the first failure (see store.h) a statement does nothing and returns nothing: no row, no
 * text, 0. */
#ifndef KOIKOI_STORE_SQL_H
#define KOIKOI_STORE_SQL_H

#include "cache.h"
#include "db.h"
#include "store.h"

enum {
    COMPOSED = 256,      /* a power of two, well above the number of statements made of tables */
    NUMBERS_MOST = 512,  /* that are kept for a table */
    TABLES_COUNTED = 16, /* more share the last place */
    ACCOUNTS_MOST = 64
};

struct store {
    struct db *db;
    struct arena *scratch;    /* for a call's own reads; reset when it is large */
    struct arena *statements; /* those made of tables: a database knows them by their address */
    struct composed {
        const struct sql_table *table;
        const char *form, *sql;
    } composed[COMPOSED];
    const char *soonest[3]; /* of store_soonest_due(): alone, and shared with accounts, without */
    const char *daily_people, *next_counted; /* of the functions that are called so */
    struct cache *rows, *written; /* see below; with a checksum of ours, by number or name */
    struct err failure;           /* the first of the transaction, ... */
    bool failed;                  /* ... if there was one */
    bool inside;                  /* a transaction is open */
    bool changed;                 /* something was written since it began */
    bool guarded;                 /* there is a savepoint */
    bool beside;           /* it runs beside those of other daemons (store_begin_beside()) ... */
    bool allowed;          /* ... and its next statement writes rows of our accounts */
    bool wants_all, again; /* it met other rows: the next one has the store to itself */
    int n_ours;            /* accounts that are ours, once they were looked up */
    int64_t ours[ACCOUNTS_MOST];
    struct cache *homes;       /* the account of chats, matches and handles, which never change */
    bool refused;              /* store_refused() */
    bool foreign;              /* another daemon has written, and the loop does not know it yet */
    int64_t row_next, row_end; /* numbers that may be given to rows of the outbox, ... */
    bool row_old;              /* ... but not to those of others: they may have given out higher */
    struct numbers {
        const struct sql_table *table;
        int n;
        int64_t at[NUMBERS_MOST];
    } numbers[TABLES_COUNTED]; /* ... and to rows of tables that count; the last is the next */
    struct cache *absent;      /* rows that are known to be missing (store_table.h), ... */
    int n_looked;              /* ... and for which accounts that was asked */
    int64_t looked[ACCOUNTS_MOST];
    int64_t transactions;       /* begun or ended */
    bool trusts, in_good_faith; /* updates are new; some were taken for it, unasked */
    struct ahead *ahead;        /* store.c: what was read ahead in this one */
};

#define VALUES(...)                                                                                \
    (int)(sizeof((struct db_value[]){__VA_ARGS__}) / sizeof(struct db_value)), (struct db_value[]) \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* ---- beside other daemons ---- */

/* A transaction of store_begin_beside() leaves alone what others write meanwhile: it neither reads
 * rows of their accounts into the row cache nor writes them, and only reads what is common. Whoever
 * reads a row into the cache asks store_ours(), and a statement that writes follows store_writes_ours()
 * (account 0: rows known to be ours); what needs more fails, and all is repeated alone. */
bool store_ours(struct store *s, int64_t account);
void store_writes_ours(struct store *s, int64_t account);
bool store_chat_ours(struct store *s, int64_t chat);
/* The account of a chat or a handle, or the one that a match is kept under; 0: it is not known. */
enum home_of { HOME_OF_CHAT, HOME_OF_SESSION, HOME_OF_PERSON };
int64_t store_home(struct store *s, enum home_of what, int64_t no);
void store_set_home(struct store *s, enum home_of what, int64_t no, int64_t account);
/* Daemons share the store: lists are of the accounts of the one that store_us() names. */
bool store_is_shared(const struct store *s);
struct ids store_our_accounts(struct store *s); /* its own; none while they are not known */
struct db_value store_us(const struct store *s);

/* ---- literals ---- */

/* The statement may run later (see db.h), but not beyond a savepoint. */
void store_run(struct store *s, const char *sql, int n, const struct db_value *args);
/* Runs it at once; the number of rows changed. */
int64_t store_changed(struct store *s, const char *sql, int n, const struct db_value *args);
struct db_table store_ask(struct store *s, struct arena *a, const char *sql, int n,
                          const struct db_value *args);
void store_ask_all(struct store *s, struct arena *a, int n, struct db_question *q); /* one trip */
/* The first column of the first row. */
int64_t store_number(struct store *s, const char *sql, int n, const struct db_value *args);
/* The key that a server's INSERT returns, and a file gives of itself. */
int64_t store_given(struct store *s, const char *sql, int n, const struct db_value *args);
struct str store_text(struct store *s, struct arena *a, const char *sql, int n,
                      const struct db_value *args);
struct ids store_ids(struct store *s, struct arena *a, const char *sql, int n,
                     const struct db_value *args);

/* The person $n and who is linked to them, by the index of those that are: all their handles. */
#define IS_HANDLE_OF(n) "(id = $" #n " OR (owner > 0 AND owner = $" #n "))"
#define HANDLES_OF(n)   "(SELECT id FROM person WHERE " IS_HANDLE_OF(n) ")"
/* p: the handle in that column; o: the person whom it counts for. */
#define JOIN_PERSON(column)                                                                        \
    " JOIN person AS p ON p.id = " column " JOIN person AS o ON o.id = CASE p.owner WHEN 0 THEN "  \
    "p.id ELSE p.owner END "
/* Of a store that daemons share: the accounts that the daemon $n has. */
#define ACCOUNTS_OF(n)                                                                             \
    "(SELECT a.id FROM account a JOIN koikoi_lease l ON l.name = a.name WHERE l.holder = $" #n ")"

/* "telegram." of the accounts telegram and telegram.second. */
#define NETWORK_OF(account)                                                                        \
    "CASE WHEN " account ".name LIKE '%.%' THEN rtrim(" account                                    \
    ".name, 'abcdefghijklmnopqrstuvwxyz0123456789') ELSE " account ".name || '.' END"
/* That of the account $n. */
#define NETWORK_NAME(n) "(SELECT " NETWORK_OF("a") " FROM account a WHERE a.id = $" #n ")"

/* ---- the row cache ---- */

/* Rows that the store has read or written lately, so that a press costs no query for people, chats
 * and matches that play on. The store alone writes to its database, and changes the cache with it:
 * a changed row is put anew or dropped, and a rollback, of all or of a part, clears everything. So
 * a cached row is what a reader within the open transaction would find. */
enum row_kind {
    ROW_PERSON,  /* account, network id */
    ROW_CHAT,    /* account, key */
    ROW_CHAT_AT, /* chat: under which account and key its row was */
    ROW_SESSION, /* session */
    ROW_HERE,    /* chat: its live sessions */
    ROW_THEIRS,  /* person: their live sessions */
    ROW_POST     /* account, chat and slot */
};
static inline struct cache_key row_key(enum row_kind kind, int64_t no, struct str key)
{
    return (struct cache_key){(int)kind, no, key};
}
/* The value is the parts, one behind the other. */
void row_keep(struct store *s, struct cache_key key, int n, const struct str *parts);
/* Drops cached rows and numbers set aside: the writes are undone, or others have written. */
void store_forget_cached(struct store *s);

/* ---- shared by some files ---- */

/* store_commit(), with a query in the same round trip; see db.h. */
bool store_commit_asking(struct store *s, struct db_question *last, struct err *err) MUST_CHECK;
struct store *store_over(struct db *db); /* store.c: without a look at its schema */
struct str handle_key(struct arena *a, struct str handle); /* store_people.c: to compare by */

#endif
