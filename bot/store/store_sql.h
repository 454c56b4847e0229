/* What the parts of the store share: the open database and the ways to run a statement. Included by
 * store*.c alone. */
#ifndef KOIKOI_STORE_SQL_H
#define KOIKOI_STORE_SQL_H

#include "db.h"
#include "store.h"
#include "store_known.h"

struct store {
    struct db *db;
    struct arena *scratch;      /* for what a call reads for itself; reset when it is large */
    struct known *known;        /* rows that were read or written lately */
    bool changed;               /* something was written since the transaction began */
    int64_t row_next, row_end;  /* numbers that may be given to rows of the outbox */
};

#define VALUES(...) (int)(sizeof((struct db_value[]){__VA_ARGS__}) / sizeof(struct db_value)), \
                    (struct db_value[]){__VA_ARGS__}

/* For statements that return nothing; *ret_changed (may be NULL) is the number of rows changed. */
bool store_run(struct store *s, const char *sql, int n, const struct db_value *args,
               int64_t *ret_changed, struct err *err) MUST_CHECK;
/* For an INSERT of one row with a counted key, which it gives back. */
bool store_make(struct store *s, const char *sql, int n, const struct db_value *args,
                int64_t *ret_id, struct err *err) MUST_CHECK;
/* For those that return rows; a NULL arena is the store's own. */
bool store_ask(struct store *s, struct arena *a, const char *sql, int n,
               const struct db_value *args, struct db_table *ret, struct err *err) MUST_CHECK;
/* For those that change rows and return what they are now. */
bool store_change(struct store *s, struct arena *a, const char *sql, int n,
                  const struct db_value *args, struct db_table *ret, struct err *err) MUST_CHECK;
/* For those that return one text; empty if there is no row. */
bool store_ask_text(struct store *s, struct arena *a, const char *sql, int n,
                    const struct db_value *args, struct str *ret, struct err *err) MUST_CHECK;

/* The columns of a handle, and a row of them. */
#define PERSON                                                                                     \
    "id, account, network_id, name, handle, language, prefs, direct_chat, reachable, owner"
struct person store_person_of(const struct db_value *v);

/* Applies what config/schema has and the database has not. */
bool store_migrate(struct store *s, struct err *err) MUST_CHECK;

#endif
