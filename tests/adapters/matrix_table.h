/* A table in a room of the fake homeserver, and the daemon that serves it: the loop as it is, on a
 * clock that the test moves.
 *
 *     table_lay(NULL)                    a homeserver with the bot's user, nobody in it
 *     table_sit(2, "sensei 3", PEOPLE_VOTE)
 *     struct life *l = table_daemon();
 *     table_goes_on(l);                  until the match is over
 *     table_record(l, &record)
 *     table_clear()
 */
#ifndef KOIKOI_TEST_MATRIX_TABLE_H
#define KOIKOI_TEST_MATRIX_TABLE_H

#include "shell/life.h"

#include "matrix/home_people.h"

extern struct home *table_home;
extern struct people *table_people;     /* NULL: nobody sits there */

/* `options` "key=value" of the account, ended by NULL, beyond homeserver, user and password; may be
 * NULL. Without pictures=yes among them hands are words. They and `rules_dir` must live until
 * table_clear(). */
void table_lay(const char *const *options);
/* Instead of the one that is there. */
void table_lay_anew(const char *const *options);
void table_rules(struct str rules_dir);
void table_sit(int n, const char *preset, enum people_way way);
struct life *table_daemon(void);
/* What it took, in ms of the test's clock; fails if it does not end. */
int64_t table_goes_on(struct life *l);
/* Until they have made so many moves, and then rest, until table_goes_on(). */
void table_goes_on_to(struct life *l, int moves);
/* The record of the match; fails if anything in it is against the rules. Lives in `a`. */
struct str table_record(struct life *l, struct arena *a);
/* The record is good, nothing was asked against the specification or before it was time, and one
 * login was enough. */
void table_is_well(struct life *l);
void table_clear(void);

/* cmocka: a folder and a table for each test, with an account that has no pace of its own. */
int table_setup(void **state);
int table_teardown(void **state);

#endif
