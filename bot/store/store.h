/* Store: all that must outlive the process, as typed calls over db.h, a database's few verbs. The
 * only room with SQL.
 *
 * Calling sequence
 *
 *     store_open(where, &store, &err)           migrates; refuses a file of a newer program
 *     store_begin(store, &err)                  one transaction for all updates that came together
 *         store_savepoint(store, &err)          before each of them, where one of them may fail
 *         store_hear(...) store_chat(...) store_session(...) store_save(...) ...
 *         store_release(store, &err)            keeps it, or
 *         store_rollback_to(store, &err)        undoes it
 *     store_commit(store, &err)                 durable now; only now may anything be sent
 *     store_rollback(store)                     instead, when anything failed
 *
 * Reading works in or out of a transaction. A call that returns false has changed nothing, but may
 * have spoilt the transaction: after a failure of the database itself store_broken() is true until
 * store_rollback(); then give the whole batch up and try it again later.
 *
 * Returned strings live in the arena given; ids are positive; times are unix milliseconds. Calls
 * with ret_found return true with *ret_found = false if there is no such row.
 */
#ifndef KOIKOI_STORE_H
#define KOIKOI_STORE_H

#include "cache.h"
#include "store_chat.h"
#include "store_match.h"
#include "store_out.h"
#include "store_people.h"

struct db;

/* `where` is the path of an SQLite file, made with mode 0600 if absent, or the address of a
 * PostgreSQL server: postgresql://USER:PASSWORD@HOST:PORT/DATABASE. */
bool store_open(struct str where, struct store **ret, struct err *err) MUST_CHECK;
/* The same for a daemon with these accounts, which shares the store of a server with others: each
 * has some of the accounts. While there is none for it, it calls wait(), with the name of a process
 * that has one; while the server cannot be reached, with the reason in `away`, which is NULL
 * otherwise. wait() sleeps for STORE_LOOK_MS and returns false to give up. */
enum { STORE_LOOK_MS = 400 };
struct store_turn {
    int n;
    const struct str *accounts; /* names */
    bool (*wait)(void *arg, const char *holder, const char *away);
    void *arg;
};
bool store_open_in_turn(struct str where, const struct store_turn *turn, struct store **ret,
                        struct err *err) MUST_CHECK;
/* True if the account at this place is ours to poll and to send for. */
bool store_holds(const struct store *s, int account);
/* True if another process has written since this was last asked: what is remembered outside of the
 * store may be old. */
bool store_foreign(struct store *s);
/* True if accounts are to change hands: then the store is to be closed and opened anew. */
bool store_regroup(const struct store *s);
/* The same over an open database, which the store owns from now on; closes it also if it fails. */
bool store_open_db(struct db *db, struct store **ret, struct err *err) MUST_CHECK;
/* The same to be read alone, without the lock: a daemon may have it open. It must be of this
 * version. */
bool store_open_to_read(struct str where, struct store **ret, struct err *err) MUST_CHECK;
/* The same, to change what a daemon reads anew each time: the quarantine, and nothing else. */
bool store_open_beside(struct str where, struct store **ret, struct err *err) MUST_CHECK;
void store_close(struct store *s);
bool store_is_server(struct str where);
/* `where` without user, password and options, for logs and people. */
struct str store_shown(struct arena *a, struct str where);

bool store_begin(struct store *s, struct err *err) MUST_CHECK;
/* Rolls back if it fails. */
bool store_commit(struct store *s, struct err *err) MUST_CHECK;
void store_rollback(struct store *s);
bool store_savepoint(struct store *s, struct err *err) MUST_CHECK;
bool store_release(struct store *s, struct err *err) MUST_CHECK;
bool store_rollback_to(struct store *s, struct err *err) MUST_CHECK;
bool store_broken(const struct store *s);
/* True if it was so at some time since it was opened, on a server, or is not ours any more: what could
 * not be opened may be opened anew. */
bool store_faltered(const struct store *s);
/* True if nothing will succeed any more: the file is damaged, or another daemon has taken the
 * store. *err tells the operator what to do. */
bool store_damaged(const struct store *s, struct err *err);
/* True if the damage is of what this process knows alone: another daemon has taken the store.
 * Opened anew, the store is sound. */
bool store_stale(const struct store *s);
/* Makes sure that the store is still ours, which must be so before anything is sent. *ret_ms is
 * when to call again. Returns false if it cannot be asked now, or if store_stale(). */
bool store_keep(struct store *s, int *ret_ms, struct err *err) MUST_CHECK;
/* True if all of the file was read, and found sound, when it was opened: it is not large. */
bool store_checked(const struct store *s);
/* Of the row cache. */
struct cache_counts store_cache(const struct store *s);
/* Tidies up for some milliseconds at most; call it when there is nothing else to do. */
void store_idle(struct store *s);

/* Health of a store, for `koikoi doctor`. */
struct store_health {
    bool exists;
    int64_t sessions, set_aside;
    int64_t sealed;     /* values in the vault */
    struct ids damaged; /* sessions, or with such a record; at most 100 */
};
/* Reads all of the file and changes nothing; a daemon may have it open. Returns false if it is
 * damaged or cannot be read. */
bool store_examine(struct str where, struct arena *a, struct store_health *ret,
                   struct err *err) MUST_CHECK;

/* ---- accounts: one per configured network login ---- */

bool store_account(struct store *s, struct str name, int64_t *ret_id, struct err *err) MUST_CHECK;
bool store_cursor(struct store *s, struct arena *a, int64_t account, struct str *ret,
                  struct err *err) MUST_CHECK; /* empty: none yet */
bool store_set_cursor(struct store *s, int64_t account, struct str cursor,
                      struct err *err) MUST_CHECK;

/* Marks the update `id` as heard; *ret_new is false if it was heard before. */
bool store_hear(struct store *s, int64_t account, struct str id, int64_t now, bool *ret_new,
                struct err *err) MUST_CHECK;
/* Deletes marks older than `before`, at most `most` of them. */
bool store_forget_heard(struct store *s, int64_t before, int most, struct err *err) MUST_CHECK;

/* ---- quarantine, and values by name ---- */

/* Keeps an update that could not be handled, for the operator: raw as the network gave it, packed
 * (update_pack.h) to be tried again. */
bool store_quarantine(struct store *s, int64_t account, int64_t now, struct str raw,
                      struct str packed, struct str why, struct err *err) MUST_CHECK;
/* A row of the quarantine that the operator wants tried again. */
struct retry {
    int64_t id;
    int64_t account; /* 0: the session `session`, which was set aside */
    int64_t session;
    int64_t at;    /* when it came into quarantine, unix ms */
    int64_t begun; /* how often it was begun before, as store_retry_begin() counts */
    struct str packed;
};
bool store_retry_waits(struct store *s, bool *ret, struct err *err) MUST_CHECK;
/* The first of them. */
bool store_retry(struct store *s, struct arena *a, struct retry *ret, bool *ret_found,
                 struct err *err) MUST_CHECK;
bool store_retry_begin(struct store *s, int64_t id, struct err *err) MUST_CHECK;
/* It was handled, and its row leaves; it could not be, and its row stays with this reason. */
bool store_retry_done(struct store *s, int64_t id, struct err *err) MUST_CHECK;
bool store_retry_failed(struct store *s, int64_t id, struct str why, struct err *err) MUST_CHECK;
/* Returns an empty value if the name is unknown. */
bool store_meta(struct store *s, struct arena *a, struct str name, struct str *ret,
                struct err *err) MUST_CHECK;
bool store_set_meta(struct store *s, struct str name, struct str value, struct err *err) MUST_CHECK;

#endif
