/* Store: all that must outlive the process, as typed calls over db.h, a database's few verbs. The
 * only room with SQL.
 *
 * Calling sequence
 *
 *     store_open(where, &store, &err)           migrates; refuses a file of a newer program
 *     store_begin(store)                        one transaction for all updates that came together
 *         store_savepoint(store)                before each of them, where one of them may fail
 *         store_hear(...) store_chat(...) store_session(...) store_save(...) ...
 *         store_release(store)                  keeps it, or
 *         store_rollback_to(store)              undoes it
 *     store_commit(store, &err)                 durable now; only now may anything be sent
 *     store_rollback(store)                     instead: nothing of it was done
 *
 * Failure. Calls return values, and the store keeps the first failure, as ferror() does. From then
 * on calls do nothing and return nothing: no row, no text, 0, false. store_commit() then fails;
 * whoever acts on what was read asks store_failed() first. store_rollback() and store_rollback_to()
 * forget it. After a failure of the database itself store_broken() is true until store_rollback():
 * then a savepoint cannot help, and the whole batch is given up and tried again later. Outside of a
 * transaction store_take_failure() must follow the calls.
 *
 * Returned strings and rows live in the arena given; ids are positive, times unix milliseconds. A
 * call for one row returns NULL, or 0 for its id, if it is not found. */
#ifndef KOIKOI_STORE_H
#define KOIKOI_STORE_H

#include "cache.h"
#include "err.h"
#include "store_chat.h"
#include "store_outbox.h"
#include "store_people.h"
#include "store_session.h"

struct db;
struct pollfd;

/* `where` is the path of an SQLite file, made with mode 0600 if absent, or the address of a
 * PostgreSQL server: postgresql://USER:PASSWORD@HOST:PORT/DATABASE. */
bool store_open(struct str where, struct store **ret, struct err *err) MUST_CHECK;
/* The same for a daemon with these accounts, which shares the store of a server with others: each
 * has some of the accounts. While none is free, it calls wait(), with the name of a process
 * that has one; while the server cannot be reached, with the reason in `away`, which is NULL
 * otherwise. wait() sleeps for STORE_LOOK_MS and returns false to give up. Fails while another
 * daemon has an account of the same name that is another bot. */
enum { STORE_LOOK_MS = 150 };
struct store_turn {
    int n;
    const struct str *accounts; /* names */
    bool (*wait)(void *arg, const char *holder, const char *away);
    void *arg;
    const struct str *bots; /* whom its network knows each of them as; empty: unknown */
    bool *ret_useless;      /* set if no later attempt will succeed either; may be NULL */
};
bool store_open_in_turn(struct str where, const struct store_turn *turn, struct store **ret,
                        struct err *err) MUST_CHECK;
/* True if the account at this place is ours to poll and to send for. */
bool store_holds(const struct store *s, int account);
/* True if another process has written since this was asked: what others remember may be old. */
bool store_foreign(struct store *s);
/* True if accounts are to change hands: then the store is to be closed and opened anew. */
bool store_regroup(const struct store *s);
/* The same over an open database, which the store owns from now on; closes it also if it fails. */
bool store_open_db(struct db *db, struct store **ret, struct err *err) MUST_CHECK;
/* The same to be read alone, of this version; without the lock, since a daemon may have it open. */
bool store_open_to_read(struct str where, struct store **ret, struct err *err) MUST_CHECK;
/* The same, to change what a daemon reads anew each time: the quarantine, and nothing else. */
bool store_open_beside(struct str where, struct store **ret, struct err *err) MUST_CHECK;
void store_close(struct store *s);
/* The number of the newest step of the schema, which a store of this program has. */
int store_schema_newest(void);
/* "0.2 (5a386236), schema 37": what this program is, for people. */
struct str store_program(struct arena *a);
bool store_is_server(struct str where);
bool store_on_server(const struct store *s);
bool store_check_name(struct str where, struct err *err) MUST_CHECK; /* opens nothing */
/* `where` without user, password and options, for logs and people. */
struct str store_shown(struct arena *a, struct str where);
/* Which processes have it to write to, for people; empty: none, or it cannot be known. */
struct str store_holders(struct arena *a, struct str where);

void store_begin(struct store *s);
/* The same where daemons share a server's store: it runs beside transactions of this kind of others,
 * as long as it touches only rows of accounts that are ours (store_holds()). As soon as it meets
 * another it fails, and begun anew it has the store to itself. Elsewhere it is store_begin(). */
void store_begin_beside(struct store *s);
bool store_beside(const struct store *s); /* one runs beside others */
/* The last commit failed for that, or for what others had written or was heard before: once more. */
bool store_again(const struct store *s);
/* False, with all of it rolled back, if a call of the transaction has failed, or the commit. */
bool store_commit(struct store *s, struct err *err) MUST_CHECK;
/* True if the last commit failed because a statement was refused: it would be again. */
bool store_refused(const struct store *s);
void store_rollback(struct store *s);
void store_savepoint(struct store *s);
void store_release(struct store *s);
void store_rollback_to(struct store *s);

bool store_failed(const struct store *s);
/* What failed, for people. */
const char *store_failure(const struct store *s);
/* What was read is of no use to the caller: the transaction, or the part behind the savepoint,
 * fails. */
void store_fail(struct store *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns true if a call has failed, and takes the failure: the next call works again. Inside a
 * transaction the failure stays. */
bool store_take_failure(struct store *s, struct err *ret) MUST_CHECK;
bool store_broken(const struct store *s);
/* True if it was so at some time since it was opened, on a server, or is not ours any more: what
 * could not be opened may be opened anew. */
bool store_faltered(const struct store *s);
/* True if nothing will succeed any more: the file is damaged, or another daemon has taken the
 * store. *err tells the operator what to do. */
bool store_damaged(const struct store *s, struct err *err);
/* True if the damage is of what this process knows alone: another daemon has taken the store.
 * Opened anew, the store is sound. */
bool store_stale(const struct store *s);
/* Of several hosts that its address names, the one that keeps it now; else NULL. */
const char *store_host(const struct store *s);
/* Makes sure that the store is still ours, which must be so before anything is sent. *ret_ms is
 * when to call again. Returns false if it cannot be asked now, or if store_stale(). */
bool store_keep(struct store *s, int *ret_ms, struct err *err) MUST_CHECK;
/* True if all of the file was read, and found sound, when it was opened: it is not large. */
bool store_checked(const struct store *s);
struct cache_counts store_cache(const struct store *s); /* of the row cache */
/* What goes on while the disk or a server is waited for, as `meanwhile` of db.h says. */
void store_set_meanwhile(struct store *s, void (*meanwhile)(void *, struct pollfd *, int),
                         void *arg);
/* Tidies up for some milliseconds at most; call it when there is nothing else to do. */
void store_idle(struct store *s);

/* ---- accounts: one per configured network login ---- */

/* Adds it if it is new. */
int64_t store_account(struct store *s, struct str name);
struct str store_cursor(struct store *s, struct arena *a, int64_t account); /* empty: none yet */
void store_set_cursor(struct store *s, int64_t account, struct str cursor);

/* Marks the update `id` as heard. Returns false if it was heard before with the same content
 * (`what`, see struct update). */
bool store_hear(struct store *s, int64_t account, struct str id, int64_t what, int64_t now);
/* Deletes marks older than `before` of an account (0: of each), at most about `most` of it. */
void store_forget_heard(struct store *s, int64_t account, int64_t before, int most);

/* ---- values by name ---- */

/* Returns an empty value if the name is unknown. */
struct str store_meta(struct store *s, struct arena *a, struct str name);
void store_set_meta(struct store *s, struct str name, struct str value);

#endif
