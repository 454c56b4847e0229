/* Leases of a store on a server: daemons with the same accounts share them out, transactions for rows
 * of their own run side by side and others one at a time, and one that has lost a lease neither writes
 * nor believes that it still holds it. Several connections of one process stand for several daemons.
 * On a server only (TEST_STORE). */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "db_open.h"

#include <poll.h>

enum { ALL = 0xf, DAEMONS = 3 };

static const struct str accounts[] = {{"owl", 3}, {"pigeon", 6}, {"pigeon.b", 8}, {"pigeon.c", 8}};
static struct arena *arena;
static struct db *daemons[DAEMONS];
static struct err err;
static int looks, patience;
static void (*between)(void);
static char told[96];

static bool look(void *arg, const char *holder, const char *away)
{
    (void)arg, (void)away;
    snprintf(told, sizeof told, "%s", holder);
    if (between)
        between();
    return ++looks <= patience;
}

/* Whom the networks know the accounts as; NULL: unknown. */
static const struct str *bots;
static bool useless; /* the last opening failed as it will again */

static bool opened(int i)
{
    static const char *const names[] = {"one", "two", "three"};
    const struct db_turn turn = {4, accounts, look, NULL, names[i], bots, &useless};
    return db_open_in_turn(scratch_store(), &turn, &daemons[i], &err);
}

static int setup(void **state)
{
    (void)state;
    arena = arena_open(1 << 20);
    looks = patience = 0;
    between = NULL;
    bots = NULL;
    useless = false;
    if (!scratch_open())
        return 1;
    if (scratch_on_server())
        scratch_store_sql("CREATE TABLE t (n BIGINT)");
    return !opened(0);
}

static void close_one(int i)
{
    if (daemons[i])
        daemons[i]->verbs->close(daemons[i]);
    daemons[i] = NULL;
}

static int teardown(void **state)
{
    (void)state;
    for (int i = 0; i < DAEMONS; i++)
        close_one(i);
    scratch_close();
    arena_close(arena);
    return 0;
}

/* Runs a statement beside the daemons, without a lease. */
static int64_t asked(const char *sql)
{
    struct db *other;
    struct db_table t;
    OK(db_open_beside(scratch_store(), false, &other, &err));
    OK(other->verbs->query(other, arena, sql, 0, NULL, &t, &err));
    other->verbs->close(other);
    return t.rows ? t.at[0].i : 0;
}

static void wait_in_server(void)
{
    (void)asked("SELECT 1 FROM pg_sleep(0.4)");
}

static int held(int i)
{
    return __builtin_popcountll(daemons[i]->held);
}

static bool put(int i)
{
    struct db *db = daemons[i];
    struct db_table t;
    return db->verbs->begin(db, &err) &&
           db->verbs->query(db, arena, "INSERT INTO t VALUES (1)", 0, NULL, &t, &err) &&
           db->verbs->commit(db, NULL, NULL, &err);
}

static bool kept(int i)
{
    int ms = -1;
    wait_in_server(), wait_in_server();
    bool good = daemons[i]->verbs->keep(daemons[i], &ms, &err);
    assert_true(!good || (ms >= 1 && ms <= 250));
    return good;
}

static void is_fenced_off(int i)
{
    struct db *db = daemons[i];
    int64_t rows = asked("SELECT COUNT(*) FROM t");
    assert_false(put(i));
    assert_true(db->stale);
    assert_non_null(strstr(db->damage.text, "another koikoi has taken"));
    db->verbs->rollback(db);
    assert_false(db->verbs->query(db, NULL, "INSERT INTO t VALUES (2)", 0, NULL, NULL, &err));
    assert_false(kept(i));
    assert_int_equal(asked("SELECT COUNT(*) FROM t"), rows);
}

/* All leases run out at once, as after a long sleep of their holders. */
static void run_out(void)
{
    wait_in_server();
    scratch_store_give_back();
}

TEST_IF(scratch_on_server(), alone_a_daemon_has_all_accounts, setup, teardown)
{
    assert_int_equal(daemons[0]->held, ALL);
    OK(put(0)); /* somebody wrote before, as far as it knows */
    assert_true(kept(0));
    assert_false(daemons[0]->regroup);
    assert_false(daemons[0]->shared);
    OK(put(0));
    assert_int_equal(asked("SELECT COUNT(*) FROM t"), 2);
}

static void share_again(void)
{
    if (kept(0) && daemons[0]->regroup) {
        close_one(0);
        between = wait_in_server;
    }
}

/* Another one comes: the first gives all back and takes its half. */
TEST_IF(scratch_on_server(), two_have_half_each, setup, teardown)
{
    patience = 20;
    between = share_again;
    OK(opened(1));
    assert_int_equal(held(1), 2);
    OK(opened(0));
    assert_int_equal(held(0), 2);
    assert_int_equal(daemons[0]->held | daemons[1]->held, ALL);
    assert_true(kept(0) && kept(1));
    assert_false(daemons[0]->regroup || daemons[1]->regroup);
    assert_true(daemons[0]->shared && daemons[1]->shared);
}

TEST_IF(scratch_on_server(), one_account_has_one_holder, setup, teardown)
{
    patience = 2;
    assert_false(opened(1));
    assert_int_equal(looks, 3);
    assert_string_equal(told, "one");
    OK(put(0));
}

/* The accounts of one that ended are the other's at its next look. */
TEST_IF(scratch_on_server(), what_is_given_back_makes_the_others_regroup, setup, teardown)
{
    two_have_half_each(state);
    close_one(1);
    assert_true(kept(0));
    assert_true(daemons[0]->regroup);
    close_one(0);
    OK(opened(0));
    assert_int_equal(daemons[0]->held, ALL);
}

TEST_IF(scratch_on_server(), what_ran_out_is_taken_and_the_last_holder_fenced_off, setup, teardown)
{
    OK(put(0));
    patience = 20;
    between = run_out;
    OK(opened(1));
    assert_int_equal(daemons[1]->held, ALL);
    is_fenced_off(0);
    OK(put(1));
    close_one(0); /* gives nothing of the other's back */
    OK(put(1));
    assert_int_equal(asked("SELECT COUNT(*) FROM koikoi_lease WHERE until > clock_timestamp() AND "
                           "holder = 'two'"),
                     4);
}

static void take_one(void)
{
    (void)asked("SELECT 1");
    scratch_store_sql_beside("UPDATE koikoi_lease SET holder = 'other', epoch = epoch + 1 WHERE "
                             "name = 'owl'");
}

/* One of several is enough: what it remembers is no longer all its own. */
TEST_IF(scratch_on_server(), who_lost_one_lease_writes_no_more, setup, teardown)
{
    OK(put(0));
    take_one();
    is_fenced_off(0);
}

TEST_IF(scratch_on_server(), what_ran_out_and_was_not_taken_is_still_held, setup, teardown)
{
    run_out();
    OK(put(0));
    assert_int_equal(asked("SELECT COUNT(*) FROM t"), 1);
}

/* As if each process had been killed. */
static void end_sessions(void)
{
    (void)asked("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
                "current_database() AND pid <> pg_backend_pid()");
}

static void end_and_run_out(void)
{
    end_sessions();
    run_out();
}

/* True if rows name locks: no pooler stands between. */
static bool locked(void)
{
    return asked("SELECT COUNT(*) FROM koikoi_lease WHERE session > 0") > 0;
}

/* It is followed long before its leases run out; through a pooler, whose sessions go on, then. */
TEST_IF(scratch_on_server(), who_is_killed_is_followed_at_once, setup, teardown)
{
    const bool at_once = locked();
    scratch_store_sql_beside("UPDATE koikoi_lease SET until = until + interval '1 hour'");
    end_sessions();
    patience = 4; /* one to make itself known, and the server needs a moment */
    between = wait_in_server;
    assert_true(opened(1) == at_once);
    if (!at_once)
        return;
    (void)put(0); /* finds the connection lost, then another holder */
    daemons[0]->verbs->rollback(daemons[0]);
    is_fenced_off(0);
}

/* A connection that is lost and made again before anybody looks costs no account. */
TEST_IF(scratch_on_server(), who_comes_back_first_is_still_the_holder, setup, teardown)
{
    end_sessions();
    daemons[0]->verbs->rollback(daemons[0]);
    (void)put(0);
    daemons[0]->verbs->rollback(daemons[0]);
    OK(put(0));
    patience = 2;
    between = wait_in_server;
    assert_false(opened(1));
    OK(put(0));
}

TEST_IF(scratch_on_server(), a_holder_that_lost_its_connection_learns_of_the_next, setup, teardown)
{
    patience = 20;
    between = end_and_run_out;
    OK(opened(1));
    (void)put(0); /* finds the connection lost, then another holder */
    daemons[0]->verbs->rollback(daemons[0]);
    is_fenced_off(0);
}

/* The holder was stopped with a transaction open: its turn is taken from it. */
TEST_IF(scratch_on_server(), a_transaction_that_sleeps_is_ended, setup, teardown)
{
    struct db *db = daemons[0];
    struct db_table t;
    patience = 40;
    between = wait_in_server;
    OK(db->verbs->begin(db, &err));
    OK(db->verbs->query(db, arena, "INSERT INTO t VALUES (1)", 0, NULL, &t, &err));
    OK(opened(1));
    assert_false(db->verbs->commit(db, NULL, NULL, &err));
    db->verbs->rollback(db);
    is_fenced_off(0);
    OK(put(1));
}

/* Between daemons that both write, too: neither waits longer than a few seconds. */
TEST_IF(scratch_on_server(), who_sleeps_in_its_turn_loses_it_to_the_others, setup, teardown)
{
    struct db_table t;
    two_have_half_each(state);
    struct db *db = daemons[0];
    OK(db->verbs->begin(db, &err));
    OK(db->verbs->query(db, arena, "INSERT INTO t VALUES (1)", 0, NULL, &t, &err));
    assert_false(put(1)); /* waits for two seconds */
    assert_true(daemons[1]->broken);
    daemons[1]->verbs->rollback(daemons[1]);
    OK(put(1));
    assert_false(db->verbs->commit(db, NULL, NULL, &err));
    db->verbs->rollback(db);
    assert_int_equal(asked("SELECT COUNT(*) FROM t"), 1);
}

static bool foreign_at_begin(int i)
{
    struct db *db = daemons[i];
    db->foreign = false;
    OK(db->verbs->begin(db, &err));
    bool foreign = db->foreign;
    OK(db->verbs->query(db, NULL, "INSERT INTO t VALUES (1)", 0, NULL, NULL, &err));
    OK(db->verbs->commit(db, NULL, NULL, &err));
    return foreign;
}

/* Before anything is read: whoever has written last has nothing to learn. */
TEST_IF(scratch_on_server(), a_transaction_knows_whether_others_have_written, setup, teardown)
{
    two_have_half_each(state);
    assert_true(foreign_at_begin(0));
    assert_false(foreign_at_begin(0));
    assert_true(foreign_at_begin(1));
    assert_true(foreign_at_begin(0));
    assert_false(foreign_at_begin(0));
    daemons[0]->verbs->rollback(daemons[0]);
    daemons[1]->foreign = false;
    assert_true(kept(1));
    assert_true(daemons[1]->foreign);
}

/* One who believes to be alone fails instead, and repeats. */
TEST_IF(scratch_on_server(), who_was_wrong_about_being_alone_writes_nothing, setup, teardown)
{
    OK(put(0));
    assert_true(kept(0));
    assert_false(daemons[0]->shared);
    scratch_store_sql_beside("UPDATE koikoi_lease SET written = written + 1 WHERE name = 'turn'");
    assert_false(put(0));
    assert_true(daemons[0]->broken);
    assert_false(daemons[0]->stale);
    daemons[0]->verbs->rollback(daemons[0]);
    assert_int_equal(asked("SELECT COUNT(*) FROM t"), 1);
    assert_true(daemons[0]->foreign);
    OK(put(0));
}

/* ---- side by side ---- */

/* Begins a transaction for rows of our own accounts, and writes. */
static bool began_beside(int i)
{
    struct db *db = daemons[i];
    struct db_table t;
    db->beside = true;
    bool good = db->verbs->begin(db, &err) &&
                db->verbs->query(db, arena, "INSERT INTO t VALUES (1)", 0, NULL, &t, &err);
    db->beside = false;
    return good;
}

static bool committed(int i)
{
    return daemons[i]->verbs->commit(daemons[i], NULL, NULL, &err);
}

/* Each learns that it is not alone, and that the other has written. */
static void two_that_know(void **state)
{
    two_have_half_each(state);
    for (int k = 0; k < 2 * 2; k++)
        OK(put(k % 2));
    OK(began_beside(0) && committed(0));
    OK(began_beside(1) && committed(1));
    scratch_store_sql_beside("DELETE FROM t");
}

TEST_IF(scratch_on_server(), transactions_for_own_rows_run_side_by_side, setup, teardown)
{
    two_that_know(state);
    for (int first = 0; first < 2; first++) {
        OK(began_beside(first));
        OK(began_beside(!first));
        OK(committed(!first));
        OK(committed(first));
    }
}

/* One for all rows waits for those that run, and they for it. */
TEST_IF(scratch_on_server(), a_transaction_for_all_rows_runs_alone, setup, teardown)
{
    two_that_know(state);
    for (int first = 0; first < 2; first++) {
        struct db *db = daemons[first], *other = daemons[!first];
        OK(began_beside(first));
        assert_false(put(!first));
        other->verbs->rollback(other);
        OK(committed(first));
        OK(put(!first));
        OK(db->verbs->begin(db, &err));
        assert_false(began_beside(!first));
        other->verbs->rollback(other);
        db->verbs->rollback(db);
    }
}

/* What is common may be remembered beside others until one for all rows has written. */
TEST_IF(scratch_on_server(), who_runs_beside_learns_of_what_ran_alone, setup, teardown)
{
    two_that_know(state);
    for (int i = 0; i < 2; i++) {
        OK(began_beside(!i) && committed(!i));
        OK(put(i));
        daemons[!i]->foreign = false;
        assert_false(began_beside(!i)); /* it was not expected */
        assert_true(daemons[!i]->broken && daemons[!i]->foreign && !daemons[!i]->stale);
        daemons[!i]->verbs->rollback(daemons[!i]);
        daemons[!i]->foreign = false;
        OK(began_beside(!i) && committed(!i)); /* now it knows */
        assert_false(daemons[!i]->foreign);
        assert_true(foreign_at_begin(i)); /* and so does who may touch its rows */
    }
}

/* Another process takes all that a daemon has, unless a transaction is in its way. */
static bool taken(int i)
{
    struct db *other;
    OK(db_open_beside(scratch_store(), false, &other, &err));
    struct str sql = arena_print(arena,
                                 "SELECT set_config('lock_timeout', '200ms', true); "
                                 "SELECT pg_advisory_xact_lock(1802463595, 0); "
                                 "UPDATE koikoi_lease SET holder = 'other', epoch = epoch + 1 "
                                 "WHERE holder = '%s' AND name <> 'turn'",
                                 i ? "two" : "one");
    bool good = other->verbs->script(other, sql, &err);
    other->verbs->close(other);
    return good;
}

/* Whichever of two holders loses what it has, and whoever of them is in the middle of a transaction:
 * that one is whole, the loser writes no more, and the other goes on. */
TEST_IF(scratch_on_server(), who_is_taken_from_beside_others_writes_no_more, setup, teardown)
{
    for (int lost = 0; lost < 2; lost++)
        for (int inside = 0; inside < 2; inside++) {
            two_that_know(state);
            OK(began_beside(inside));
            assert_false(taken(lost));
            OK(committed(inside));
            OK(taken(lost));
            assert_false(began_beside(lost) && committed(lost));
            assert_true(daemons[lost]->stale);
            daemons[lost]->verbs->rollback(daemons[lost]);
            OK(began_beside(!lost) && committed(!lost));
            is_fenced_off(lost);
            OK(put(!lost));
            assert_int_equal(asked("SELECT COUNT(*) FROM t"), 3);
            close_one(0), close_one(1);
            scratch_store_give_back();
            between = NULL;
            looks = 0;
            OK(opened(0));
        }
}

/* ---- a transaction that goes at once ---- */

/* Writes beside those of others or alone, reads nothing, and follows answers of the server closely, so
 * that it waits for its commit alone. */
static bool put_at_once(int i, bool beside, const char *sql)
{
    struct db *db = daemons[i];
    struct db_table t;
    OK(db->verbs->query(db, arena, "SELECT 1", 0, NULL, &t, &err));
    db->beside = beside;
    bool good = db->verbs->begin(db, &err) && db->verbs->query(db, NULL, sql, 0, NULL, NULL, &err);
    db->beside = false;
    return good && db->verbs->commit(db, NULL, NULL, &err);
}
#define ONE "INSERT INTO t VALUES (1)"

static int64_t rows(void)
{
    return asked("SELECT COUNT(*) FROM t");
}

/* Alone, and known to be so. */
static void one_that_knows(void)
{
    OK(put(0));
    assert_true(kept(0));
    OK(put(0));
    scratch_store_sql_beside("DELETE FROM t");
}

TEST_IF(scratch_on_server(), on_the_heels_of_another_a_transaction_waits_once, setup, teardown)
{
    int64_t least = INT64_MAX;
    one_that_knows();
    for (int i = 0; i < 50 && least > 2; i++) { /* the machine may be slow */
        int64_t before = daemons[0]->waits;
        OK(put_at_once(0, false, ONE));
        least = daemons[0]->waits - before < least ? daemons[0]->waits - before : least;
    }
    assert_int_equal(least, 2); /* with that of the question before it */
}

TEST_IF(scratch_on_server(), who_lost_a_lease_writes_nothing_at_once, setup, teardown)
{
    one_that_knows();
    OK(put_at_once(0, false, ONE));
    take_one();
    assert_false(put_at_once(0, false, ONE));
    assert_true(daemons[0]->stale);
    assert_int_equal(rows(), 1);
}

TEST_IF(scratch_on_server(), who_was_wrong_about_being_alone_writes_nothing_at_once, setup,
        teardown)
{
    static const char *const wrote[] = {
        "UPDATE koikoi_lease SET written = written + 1 WHERE name = 'turn'",
        "INSERT INTO koikoi_lease VALUES ('rook', 'other', 1, '-infinity', '', 0, 1)",
        "UPDATE koikoi_lease SET holder = 'other', epoch = 1 WHERE name = 'turn'"};
    for (size_t i = 0; i < sizeof wrote / sizeof *wrote; i++) {
        one_that_knows();
        OK(put_at_once(0, false, ONE));
        daemons[0]->foreign = false;
        scratch_store_sql_beside(wrote[i]);
        assert_false(put_at_once(0, false, ONE));
        assert_true(daemons[0]->broken && daemons[0]->foreign && !daemons[0]->stale);
        daemons[0]->verbs->rollback(daemons[0]);
        assert_int_equal(rows(), 1);
    }
}

/* Beside others only what had the store to itself is news. */
TEST_IF(scratch_on_server(), who_runs_beside_others_goes_at_once_until_one_ran_alone, setup,
        teardown)
{
    two_that_know(state);
    OK(began_beside(0) && committed(0));
    OK(put_at_once(0, true, ONE));
    OK(put_at_once(1, true, ONE));
    OK(put_at_once(0, true, ONE));
    OK(put(1));
    int64_t before = rows();
    assert_false(put_at_once(0, true, ONE));
    assert_true(daemons[0]->broken && daemons[0]->foreign && !daemons[0]->stale);
    daemons[0]->verbs->rollback(daemons[0]);
    assert_int_equal(rows(), before);
}

/* Whoever waits for a lock of the server loses the session that waits. */
static void end_who_waits(void *arg, struct pollfd *fd, int ms)
{
    (void)arg;
    (void)asked("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
                "current_database() AND wait_event_type = 'Lock'");
    (void)poll(fd, 1, ms);
}

/* The server has not said which transaction it is: nobody can ask what became of it. */
TEST_IF(scratch_on_server(), the_store_is_opened_anew_after_one_that_was_cut_off, setup, teardown)
{
    struct db *other;
    struct db_table t;
    one_that_knows();
    for (int i = 0; i < 20 && !daemons[0]->stale; i++) {
        OK(put_at_once(0, false, ONE));
        OK(db_open_beside(scratch_store(), false, &other, &err));
        OK(other->verbs->begin(other, &err));
        OK(other->verbs->query(other, arena, "SELECT pg_advisory_xact_lock(1802463595, 0)", 0, NULL,
                               &t, &err));
        daemons[0]->meanwhile = end_who_waits;
        assert_false(put_at_once(0, false, ONE));
        daemons[0]->meanwhile = NULL;
        daemons[0]->verbs->rollback(daemons[0]); /* a slow machine asks first */
        other->verbs->close(other);
    }
    assert_true(daemons[0]->stale);
    int64_t before = rows();
    close_one(0);
    OK(opened(0));
    OK(put(0));
    assert_int_equal(rows(), before + 1);
}

/* A command of the program wants the store for itself, and gets it from nobody. */
TEST_IF(scratch_on_server(), a_tool_has_it_alone, setup, teardown)
{
    struct db *tool;
    scratch_store_sql_beside("UPDATE koikoi_lease SET until = until + interval '1 minute'");
    assert_false(db_open(scratch_store(), &tool, &err));
    assert_non_null(strstr(err.text, "another koikoi is running"));
    close_one(0);
    OK(db_open(scratch_store(), &tool, &err));
    assert_false(opened(0));
    tool->verbs->close(tool);
    OK(opened(0));
    assert_int_equal(daemons[0]->held, ALL);
}

/* Their names are as long as they may be, too. */
TEST_IF(scratch_on_server(), as_many_accounts_as_there_can_be_are_held, setup, teardown)
{
    enum { MANY = 48 };
    struct str names[MANY];
    for (int i = 0; i < MANY; i++)
        names[i] = arena_print(arena, "telegram.%032d", i);
    patience = 10;
    between = wait_in_server;
    const struct db_turn turn = {
        MANY, names, look, NULL, "a-host-with-a-name-of-some-length/1234567", NULL, NULL};
    OK(db_open_in_turn(scratch_store(), &turn, &daemons[1], &err));
    assert_int_equal(held(1), MANY);
    assert_true(kept(1));
    OK(put(1));
}

static void first_goes_on(void)
{
    assert_true(kept(0));
    assert_false(daemons[0]->regroup);
}

/* Two tokens under one account's name: the second bot would take the chats of the first. */
TEST_IF(scratch_on_server(), another_bot_under_the_same_name_ends_with_a_sentence, setup, teardown)
{
    static const struct str first[] = {{"12", 2}, {"", 0}, {"34", 2}, {"@o'wl:x", 7}},
                            other[] = {{"12", 2}, {"9", 1}, {"35", 2}, {"", 0}};
    close_one(0);
    bots = first;
    OK(opened(0));
    bots = other;
    patience = 40;
    between = first_goes_on;
    assert_false(opened(1));
    assert_non_null(strstr(err.text, "the account pigeon.b is 35 here and 34 at one"));
    assert_true(looks < patience);
    assert_true(useless);
    OK(put(0));
    assert_int_equal(asked("SELECT COUNT(*) FROM koikoi_lease WHERE name = 'daemon two'"), 0);
    assert_true(str_is(db_holders(arena, scratch_store()), STR("one")));
    close_one(0); /* what has ended may be another bot */
    OK(opened(1));
    assert_int_equal(daemons[1]->held, ALL);
}

TEST_IF(scratch_on_server(), keeping_renews_it, setup, teardown)
{
    int64_t before =
        asked("SELECT (extract(epoch FROM MIN(until)) * 1000)::bigint FROM koikoi_lease WHERE "
              "holder = 'one' AND name <> 'turn'");
    wait_in_server(), wait_in_server();
    assert_true(kept(0));
    assert_true(asked("SELECT (extract(epoch FROM MIN(until)) * 1000)::bigint FROM koikoi_lease "
                      "WHERE holder = 'one' AND name <> 'turn'") >= before + 1000);
}

static void wait_once_more(void *arg, struct pollfd *fd, int ms)
{
    assert_in_range(ms, 1, 250);
    ++*(int *)arg;
    (void)poll(fd, 1, ms);
}

/* A process that was stopped, or waits for long, does not go on with what it began. */
TEST_IF(scratch_on_server(), while_a_server_is_waited_for_others_go_on_until_leases_are_due, setup,
        teardown)
{
    enum { TRIES = 50 };
    const char *slow = "SELECT 1 FROM pg_sleep(0.05)";
    int waits = 0;
    daemons[0]->meanwhile = wait_once_more;
    daemons[0]->meanwhile_arg = &waits;
    for (int i = 0; i < TRIES && waits == 0; i++) { /* a slow machine may be late */
        assert_true(kept(0));
        OK(daemons[0]->verbs->query(daemons[0], arena, slow, 0, NULL, NULL, &err));
    }
    assert_true(waits > 0);
    wait_in_server();
    waits = 0;
    OK(daemons[0]->verbs->query(daemons[0], arena, slow, 0, NULL, NULL, &err));
    assert_int_equal(waits, 0);
}

TEST_IF(!scratch_on_server(), a_file_has_no_lease, setup, teardown)
{
    assert_false(daemons[0]->is_server);
    assert_null(daemons[0]->holder);
}
