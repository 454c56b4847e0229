/* Tables of the store. Each is described once: its columns, and the members of the struct that a
 * row of it is read into. SELECT, INSERT, UPSERT, UPDATE and the reader follow from that:
 *
 *     #define SEEK(member) COLUMN(struct seek_row, member)
 *     static const struct sql_column columns[] = {SEEK(session), SEEK(person), ...};
 *     static const struct sql_table seeks = {"seek", .n_keys = 1, ROWS(struct seek_row, columns)};
 *
 *     store_upsert(s, &seeks, row);
 *     row = store_find(s, a, &seeks, "WHERE session = $1", VALUES(db_int(session)));
 *
 * Rows with a checksum (see sum.h) are written by these calls alone: a literal UPDATE or INSERT of
 * such a table fails in tests/rooms.sh. A second description of some first columns updates those. */
#ifndef KOIKOI_STORE_TABLE_H
#define KOIKOI_STORE_TABLE_H

#include "store_sql.h"

enum column_kind {
    COLUMN_NUMBER,
    COLUMN_SUM,      /* a number: where rows of one key meet it is added up */
    COLUMN_CHECKSUM, /* a number: every write makes it anew */
    COLUMN_FLAG,
    COLUMN_TEXT,
    COLUMN_TEXT_OR_NULL, /* an empty text is stored as NULL */
    COLUMN_BYTES
};
struct sql_column {
    const char *name; /* of a view: an expression */
    size_t at;        /* of its member */
    enum column_kind kind;
};
struct sql_table {
    const char *name; /* NULL: a view, to be read alone */
    int n_keys;   /* so many of the first columns are its key; 0: rows are only added and read */
    bool counted; /* the database gives the first one out */
    bool gaps;    /* these numbers may have gaps: they are fetched some at a time */
    bool changes_together;     /* several by one statement; its key is a number and the account */
    void (*finish)(void *row); /* sets members that follow from columns; or NULL */
    int64_t (*checksum)(const void *row); /* of a table with a COLUMN_CHECKSUM */
    size_t size;                          /* of a row's struct */
    int n;
    const struct sql_column *column;
};
#define KIND_OF(row, member)                                                                       \
    _Generic(((row *)0)->member, int64_t                                                           \
             : COLUMN_NUMBER, bool                                                                 \
             : COLUMN_FLAG, struct str                                                             \
             : COLUMN_TEXT)
#define COLUMN_OF(row, member, name, kind)                                                         \
    {                                                                                              \
        name, offsetof(row, member), kind                                                          \
    }
#define COLUMN_NAMED(row, member, name) COLUMN_OF(row, member, name, KIND_OF(row, member))
#define COLUMN(row, member)             COLUMN_NAMED(row, member, #member)
#define ROWS(row, columns)                                                                         \
    .size = sizeof(row), .n = (int)(sizeof(columns) / sizeof *(columns)), .column = (columns)

/* Rows, as a list that a ROW_LIST() is made of. The tail follows "SELECT columns FROM table", columns with
 * the table's name before them; behind a view "SELECT columns". A NULL arena is the store's own. */
struct rows store_select(struct store *s, struct arena *a, const struct sql_table *t,
                         const char *tail, int n, const struct db_value *args);
/* The same in two steps, for queries that are asked together: SQL, then its answer as rows. */
const char *store_statement(struct store *s, const struct sql_table *t, const char *tail);
struct rows store_rows(struct arena *a, const struct sql_table *t, const struct db_table *found);
/* The first row, or NULL. */
void *store_find(struct store *s, struct arena *a, const struct sql_table *t, const char *tail,
                 int n, const struct db_value *args);
/* Asks ahead for the numbers of n new rows; the answer is to be kept. False if none need be asked for. */
bool store_numbers(struct store *s, const struct sql_table *t, int n,
                   struct db_value args[static 2], struct db_question *ret);
void store_keep_numbers(struct store *s, const struct sql_table *t, const struct db_table *found);
/* Returns the counted key, or 0 for a table without such a key. */
int64_t store_insert(struct store *s, const struct sql_table *t, const void *row);
/* Replaces a row of the same key. */
void store_upsert(struct store *s, const struct sql_table *t, const void *row);
/* Adds its sums to those of a row of the same key. */
void store_add(struct store *s, const struct sql_table *t, const void *row);
/* Every column but the key's. */
void store_update(struct store *s, const struct sql_table *t, const void *row);
/* Rows of the chat `from` (their first column) are of the chat `to` from now on. Where a row of that
 * key is, their sums are added to it, and the rest is lost. */
void store_move_rows(struct store *s, const struct sql_table *t, int64_t to, int64_t from);

/* A row with its strings. row_cached() returns a copy in the arena, or NULL if it is not there. */
void row_keep_whole(struct store *s, struct cache_key key, const struct sql_table *t,
                    const void *row);
void *row_cached(struct store *s, struct arena *a, struct cache_key key, const struct sql_table *t);

/* What store_look_ahead() found missing; until the transaction ends, or such a row is written. */
enum absent {
    ABSENT_PERSON, /* account, network id */
    ABSENT_KNOWN,  /* account, network id: known on no other account of the network, nor banned */
    ABSENT_HANDLE, /* account, handle in lower case */
    ABSENT_CHAT    /* account, key */
};
bool row_absent(const struct store *s, enum absent kind, int64_t account, struct str key);
void row_set_absent(struct store *s, enum absent kind, int64_t account, struct str key);
/* Such a row is found, or written now; a network id becomes known to all accounts. */
void row_appears(struct store *s, enum absent kind, int64_t account, struct str key);

extern const struct sql_table table_person, table_chat; /* store_people.c */

/* Runs it for each account that there ever was, which is $1; `more`, 4 at most, are $2 and so on. */
void store_run_by_account(struct store *s, const char *sql, int n, const struct db_value *more);

/* A table of struct daily_post, and what its feature asks of the dates. */
#define DAILY_POSTS(name)                                                                          \
    {                                                                                              \
        name, .n_keys = 1, ROWS(struct daily_post, daily_columns)                                  \
    }
extern const struct sql_column daily_columns[3];
#define DAILY_DATES(table)                                                                         \
    .soonest = "SELECT MIN(due) FROM " table " WHERE due > 0",                                     \
    .set_back = "UPDATE " table " SET due = $1 WHERE due > $2"

/* Persons and their names, by a tail "FROM ... JOIN_PERSON(...) ..." */
struct named_rows store_named(struct store *s, struct arena *a, const char *tail, int n,
                              const struct db_value *args);

/* The features, each feature_NAME of its file. What they do together is done in this order. */
#define STORE_FEATURES(F)                                                                          \
    F(seasons)                                                                                     \
    F(figures)                                                                                     \
    F(rating)                                                                                      \
    F(puzzle)                                                                                      \
    F(duel)                                                                                        \
    F(week)                                                                                        \
    F(seek)                                                                                        \
    F(tournament)                                                                                  \
    F(operator)

/* What a feature does where the rows of all change together; lists may be empty. */
struct store_feature {
    const char *soonest;   /* a SELECT of its next date; or NULL */
    const char *set_back;  /* dates after $2 are $1 now, for DAILY_DATES(); or NULL */
    const char *people;    /* a SELECT of those who took part in chat $1 since day $2; or NULL */
    const char *forget[4]; /* statements that take out the handle $1 */
    const char *join[4];   /* statements by which the chat $1 takes over the chat $2, before ... */
    const struct sql_table *counted[8]; /* ... the rows of these tables move, sums added up */
    const char *sums[8];                /* what `koikoi recount` makes anew: SUMS() of each table */
};
#define ACCOUNT_OF_CHAT(n) "account = (SELECT account FROM chat WHERE id = $" #n ")"
#define SUMS(table)                                                                                \
    "SELECT MIN(chat) AS chat FROM " table " WHERE chat > $1",                                     \
        "DELETE FROM " table " WHERE chat = $1"
#define STORE_DECLARED(name) extern const struct store_feature feature_##name;
STORE_FEATURES(STORE_DECLARED)
extern const struct store_feature *const store_features[]; /* NULL ends it */

#endif
