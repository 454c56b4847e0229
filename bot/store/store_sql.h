/* Shared by the parts of the store: the open database and the ways to run a statement. */
#ifndef KOIKOI_STORE_SQL_H
#define KOIKOI_STORE_SQL_H

#include "db.h"
#include "store.h"
#include "row_cache.h"

struct store {
    struct db *db;
    struct arena *scratch;     /* for a call's own reads; reset when it is large */
    struct cache *rows;        /* row_cache.h */
    bool changed;              /* something was written since the transaction began */
    bool guarded;              /* there is a savepoint */
    bool foreign;              /* others have written, and the loop does not know it yet */
    int64_t row_next, row_end; /* numbers that may be given to rows of the outbox */
};

#define VALUES(...)                                                                                \
    (int)(sizeof((struct db_value[]){__VA_ARGS__}) / sizeof(struct db_value)), (struct db_value[]) \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* The handles of the person $1. */
#define HANDLES_OF_WHO "(SELECT id FROM person WHERE id = $1 OR owner = $1)"

/* For statements that return nothing; *ret_changed is the number of rows changed. If it is NULL the
 * statement may run later (see db.h), but not beyond a savepoint. */
bool store_run(struct store *s, const char *sql, int n, const struct db_value *args,
               int64_t *ret_changed, struct err *err) MUST_CHECK;
/* For an INSERT of one row that returns its counted key. */
bool store_make(struct store *s, const char *sql, int n, const struct db_value *args,
                int64_t *ret_id, struct err *err) MUST_CHECK;
/* For those that return rows; a NULL arena is the store's own. */
bool store_ask(struct store *s, struct arena *a, const char *sql, int n,
               const struct db_value *args, struct db_table *ret, struct err *err) MUST_CHECK;
/* For those that return one column of ids. */
bool store_ask_ids(struct store *s, struct arena *a, const char *sql, int n,
                   const struct db_value *args, struct ids *ret, struct err *err) MUST_CHECK;
/* For statements that change rows and return them. */
bool store_change(struct store *s, struct arena *a, const char *sql, int n,
                  const struct db_value *args, struct db_table *ret, struct err *err) MUST_CHECK;
/* For those that return one text; empty if there is no row. */
bool store_ask_text(struct store *s, struct arena *a, const char *sql, int n,
                    const struct db_value *args, struct str *ret, struct err *err) MUST_CHECK;

/* Drops cached rows and the numbers set aside for the outbox: what was written is void, or others
 * have written. */
void store_forget_cached(struct store *s);

/* Of a store that daemons share: the accounts that the daemon $n has. */
#define ACCOUNTS_OF(n)                                                                             \
    "(SELECT a.id FROM account a JOIN koikoi_lease l ON l.name = a.name WHERE l.holder = $" #n ")"

/* The columns of a handle, and a row of them. */
#define PERSON                                                                                     \
    "id, account, network_id, name, handle, language, prefs, direct_chat, reachable, owner, "      \
    "banned, ban_told"
struct person store_person_of(const struct db_value *v);
void store_people_of(struct arena *a, const struct db_table *t, struct people *ret);

/* store_match.c: where its people and chats find a session. */
bool store_link_session(struct store *s, const struct session_row *row, struct err *err) MUST_CHECK;

/* The newest migration that was applied, 0 for none. Fails if it is older than all that this program
 * has. */
bool store_schema(struct store *s, int64_t *ret, struct err *err) MUST_CHECK;
/* Applies what config/schema has and the database has not. */
bool store_migrate(struct store *s, struct err *err) MUST_CHECK;
/* Every migration that this program knows was applied, and no other. */
bool store_is_current(struct store *s, struct err *err) MUST_CHECK;

#endif
