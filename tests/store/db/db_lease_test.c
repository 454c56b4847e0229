/* Lease of a store on a server: one process at a time holds it, another takes it only when it ran
 * out or was given back, and the last holder then neither writes nor believes that it still holds
 * it. Two connections of one process stand for two daemons. On a server only (TEST_STORE). */
#include "fixture/scratch.h"

#include "db.h"

static struct arena *arena;
static struct db *first, *second;
static struct err err;
static int looks, patience;
static char told[64];

static int setup(void **state)
{
    (void)state;
    arena = arena_open(1 << 20);
    looks = patience = 0;
    if (!scratch_open())
        return 1;
    scratch_store_sql("CREATE TABLE t (n BIGINT)");
    return !db_open(scratch_store(), &first, &err);
}

static void close_one(struct db **db)
{
    if (*db)
        (*db)->verbs->close(*db);
    *db = NULL;
}

static int teardown(void **state)
{
    (void)state;
    close_one(&second);
    close_one(&first);
    scratch_close();
    arena_close(arena);
    return 0;
}

/* Runs a statement beside the daemons, without the lease. */
static int64_t asked(const char *sql)
{
    struct db *other;
    struct db_table t;
    OK(db_open_to_read(scratch_store(), &other, &err));
    OK(other->verbs->query(other, arena, sql, 0, NULL, &t, &err));
    other->verbs->close(other);
    return t.rows ? t.at[0].i : 0;
}

static int64_t epoch(void)
{
    return asked("SELECT epoch FROM koikoi_lease");
}

static bool look(void *arg, const char *holder)
{
    void (*between)(void) = arg;
    snprintf(told, sizeof told, "%s", holder);
    if (between)
        between();
    return ++looks <= patience;
}

static bool opened(void (*between)(void))
{
    return db_open_in_turn(scratch_store(), look, (void *)between, &second, &err);
}

static bool put(struct db *db)
{
    struct db_table t;
    return db->verbs->begin(db, &err) &&
           db->verbs->query(db, arena, "INSERT INTO t VALUES (1)", 0, NULL, &t, &err) &&
           db->verbs->commit(db, &err);
}

static void is_fenced_off(struct db *db)
{
    int ms;
    assert_false(put(db));
    assert_true(db->stale);
    assert_non_null(strstr(db->damage.text, "another koikoi has taken"));
    db->verbs->rollback(db);
    assert_false(db->verbs->query(db, NULL, "INSERT INTO t VALUES (2)", 0, NULL, NULL, &err));
    assert_false(db->verbs->keep(db, &ms, &err) && ms == 0);
    assert_int_equal(asked("SELECT COUNT(*) FROM t"), 0);
}

static void a_held_store_is_waited_for(void **state)
{
    (void)state;
    patience = 2;
    assert_false(opened(NULL));
    assert_int_equal(looks, 3);
    assert_non_null(strchr(told, '/')); /* HOST/PID */
    OK(put(first));
    assert_int_equal(epoch(), 2); /* 1: the fixture */
}

static void close_first(void)
{
    close_one(&first);
}

static void what_is_given_back_is_taken_at_the_next_look(void **state)
{
    (void)state;
    patience = 1;
    OK(opened(close_first));
    assert_int_equal(looks, 1);
    assert_int_equal(epoch(), 3);
    OK(put(second));
}

static void what_ran_out_is_taken_and_the_last_holder_fenced_off(void **state)
{
    (void)state;
    patience = 1;
    OK(opened(scratch_store_give_back));
    is_fenced_off(first);
    close_one(&first); /* gives nothing back */
    OK(put(second));
    first = second;
    second = NULL;
    assert_int_equal(asked("SELECT COUNT(*) FROM koikoi_lease WHERE until > clock_timestamp()"), 1);
}

static void what_ran_out_and_was_not_taken_is_still_held(void **state)
{
    (void)state;
    scratch_store_give_back();
    OK(put(first));
    assert_int_equal(asked("SELECT COUNT(*) FROM t"), 1);
}

static void end_first_session(void)
{
    (void)asked("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
                "current_database() AND pid <> pg_backend_pid()");
    scratch_store_give_back();
}

static void a_holder_that_lost_its_connection_learns_of_the_next(void **state)
{
    (void)state;
    patience = 3;
    OK(opened(end_first_session));
    (void)put(first); /* finds the connection lost, then another holder */
    first->verbs->rollback(first);
    is_fenced_off(first);
}

static void wait_in_server(void)
{
    (void)asked("SELECT 1 FROM pg_sleep(0.4)");
}

/* The holder was stopped with a transaction open: its lock on the lease is taken from it. */
static void a_transaction_that_sleeps_is_ended(void **state)
{
    (void)state;
    struct db_table t;
    patience = 30;
    OK(first->verbs->begin(first, &err));
    OK(first->verbs->query(first, arena, "INSERT INTO t VALUES (1)", 0, NULL, &t, &err));
    OK(opened(wait_in_server));
    assert_false(first->verbs->commit(first, &err));
    first->verbs->rollback(first);
    is_fenced_off(first);
    OK(put(second));
}

static void keeping_renews_it(void **state)
{
    (void)state;
    int ms = -1;
    int64_t before = asked("SELECT (extract(epoch FROM until) * 1000)::bigint FROM koikoi_lease");
    OK(first->verbs->keep(first, &ms, &err));
    assert_in_range(ms, 1, 1000);
    wait_in_server(), wait_in_server(), wait_in_server();
    OK(first->verbs->keep(first, &ms, &err));
    assert_in_range(ms, 1, 1000);
    assert_true(asked("SELECT (extract(epoch FROM until) * 1000)::bigint FROM koikoi_lease") >=
                before + 1000);
}

static void a_file_has_no_lease(void **state)
{
    (void)state;
    assert_false(first->is_server);
    assert_null(first->verbs->keep);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest in_a_file[] = {T(a_file_has_no_lease)};
    const struct CMUnitTest on_server[] = {
        T(a_held_store_is_waited_for),
        T(what_is_given_back_is_taken_at_the_next_look),
        T(what_ran_out_is_taken_and_the_last_holder_fenced_off),
        T(what_ran_out_and_was_not_taken_is_still_held),
        T(a_holder_that_lost_its_connection_learns_of_the_next),
        T(a_transaction_that_sleeps_is_ended),
        T(keeping_renews_it),
    };
    return scratch_on_server() ? cmocka_run_group_tests(on_server, NULL, NULL)
                               : cmocka_run_group_tests(in_a_file, NULL, NULL);
}
