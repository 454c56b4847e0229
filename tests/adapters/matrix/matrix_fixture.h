/* Fixture: a match in a room of the fake homeserver, with the real loop on a clock that the test
 * moves.
 *
 *     matrix_fixture_open(NULL)                          a homeserver with the bot's user alone
 *     matrix_fixture_join(2, "sensei 3", PLAYERS_VOTE)    players
 *     struct daemon_run *l = matrix_fixture_daemon();
 *     matrix_fixture_finish(l);                          until the match is over
 *     matrix_fixture_record(l, arena)
 *     matrix_fixture_end(l)
 *     matrix_fixture_close()
 */
#ifndef KOIKOI_TEST_MATRIX_FIXTURE_H
#define KOIKOI_TEST_MATRIX_FIXTURE_H

#include "engine/test.h"
#include "fixture/daemon_run.h"

#include "matrix/players.h"

extern struct home *matrix_home;
extern struct players *matrix_players; /* NULL without players */

/* `options`: "key=value" of the account, ended by NULL, beyond homeserver, user and password; may
 * be NULL. pictures=no is the default. Options and `rules_dir` must live until
 * matrix_fixture_close(). */
void matrix_fixture_open(const char *const *options);
/* Closes the fixture and opens a new one. */
void matrix_fixture_reopen(const char *const *options);
void matrix_fixture_rules(struct str rules_dir);
void matrix_fixture_join(int n, const char *preset, enum players_way way);
struct daemon_run *matrix_fixture_daemon(void);
/* A match of two with the rules of "standard 3" that vote, and its daemon. */
struct daemon_run *matrix_fixture_match(void);
/* Plays to the end; fails if there is none. Returns ms of the test's clock. */
int64_t matrix_fixture_finish(struct daemon_run *l);
/* Plays so many moves; then the players rest until matrix_fixture_finish(). */
void matrix_fixture_play(struct daemon_run *l, int moves);
/* The record of the match, in `a`; fails if it breaks a rule. */
struct str matrix_fixture_record(struct daemon_run *l, struct arena *a);
/* Fails unless the record is good, each request was within the specification and the rate limits,
 * and there was one login. */
void matrix_fixture_check(struct daemon_run *l);
/* The daemon ends; fails if one of its requests was not within the specification. */
void matrix_fixture_end(struct daemon_run *l);
/* matrix_fixture_finish(), _check() and _end(). */
int64_t matrix_fixture_finish_well(struct daemon_run *l);
void matrix_fixture_close(void);

/* cmocka: a folder and a fixture for each test; the account has no pace of its own. */
int matrix_fixture_setup(void **state);
int matrix_fixture_teardown(void **state);
#define MATRIX_TEST(name) TEST_WITH(name, matrix_fixture_setup, matrix_fixture_teardown)

#endif
