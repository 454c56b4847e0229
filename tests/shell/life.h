/* Lives of the daemon in a test: the whole loop on a clock that the test moves, with a database
 * that fails or kills at the n-th call, against a scripted network that does the same at the n-th
 * request.
 *
 *     life_begin()                   a network with nothing said yet, a store that is not there yet
 *     life_run(...), life_dies(...) ...     as often as the story wants, on the same store
 *     life_end()
 */
#ifndef KOIKOI_TEST_LIFE_H
#define KOIKOI_TEST_LIFE_H

#include "shell/scratch.h"
#include "shell/still.h"           /* whose chance is the seed of everything */

#include "db_faulty.h"
#include "loop.h"
#include "peer.h"
#include "session.h"

enum { LIFE_MS = 40 * 1000 };           /* of the test's clock, that one life has */

extern struct peer *life_peer;
/* A second network, after life_begin_two(); else NULL. The store knows it as account 2. */
extern struct peer *life_far;

extern struct arena *life_turn;         /* for what a test reads of the store; see life_session() */

bool life_setup(void);                  /* per test */
void life_teardown(void);
/* cmocka: a folder, and a network with nothing said yet. */
int life_test_begins(void **state);
int life_test_ends(void **state);
void life_begin(void);
void life_begin_two(void);
void life_end(void);

/* One life, step by step. NULL: it could not start. Calls of the database from `first` on fail (or
 * kill), `times` of them. `rules_dir`: rule sets of the story's own; empty: none. */
struct life;
struct life *life_open(struct str rules_dir, enum db_fault fault, int first, int times);
void life_turns(struct life *l, int64_t ms);
struct store *life_store(struct life *l);
/* A match as it is stored; empties life_turn. */
void life_session(struct store *store, int64_t no, struct session *ret);
int life_calls(const struct life *l);   /* of the database, so far */
void life_close(struct life *l);        /* drains first */

/* The decks of all lives until life_end(), in a folder that outlives them; else those we have. */
void life_decks(struct str decks_dir);

/* On another network than the scripted peer, for all lives until life_end(): `make` gives the
 * account, with its options set and not yet opened, for each life anew. life_peer is NULL then. */
typedef struct account life_account(struct arena *process);
void life_begin_on(life_account *make);
/* The clock that all lives go by, for that network. */
const _Atomic int64_t *life_clock(void);
void life_waits(int64_t ms);            /* between lives */
/* One life in a process of its own: `arm` is told its id before it begins. True if it was
 * killed. */
typedef void life_arm(void *arg, int pid);
bool life_ends_by(struct str rules_dir, life_arm *arm, void *arg);

/* A whole one. False: it could not start; *ret_calls is untouched then. */
bool life_run(struct str rules_dir, enum db_fault fault, int first, int times, int *ret_calls);
/* The same in a process of its own; true if it was killed on its way: by the database, by the
 * network. */
bool life_dies(struct str rules_dir, enum db_fault fault, int first);
bool life_is_killed(struct peer *by, struct str rules_dir, int request, bool after);
/* Nobody lives for so long. */
void life_sleeps(int64_t ms);

#endif
