/* Pruning: a busy daemon does not grow; old marks of updates leave as fast as new ones come.
 * Whoever was being forgotten when the daemon died is forgotten by the next one. */
#include "fixture/daemon_run.h"

#include "db_open.h"
#include "store_forget.h"

enum { OLD = 12000, NEW = 600, AT_ONCE_IDLE = 5000, MATCHES = 30 };
static const int64_t TEN_DAYS_MS = 10 * 24 * 3600 * (int64_t)1000;

static struct err err;

static int64_t marks_left(void)
{
    struct db *db;
    struct db_table t;
    OK(db_open(scratch_store(), &db, &err));
    OK(db->verbs->query(db, daemon_run_arena,
                        "SELECT COUNT(*) FROM heard WHERE account = 1 AND id LIKE 'old%'", 0, NULL,
                        &t, &err));
    db->verbs->close(db);
    return t.at[0].i;
}

DAEMON_TEST(marks_leave_twice_as_fast_as_updates_come)
{
    daemon_run_pause(TEN_DAYS_MS);
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    struct store *store = daemon_run_store(l);
    store_begin(store);
    for (int i = 0; i < OLD; i++) {
        struct str id = arena_print(daemon_run_arena, "old%d", i);
        (void)store_hear(store, 1, id, 0, i);
    }
    OK(store_commit(store, &err));
    for (int i = 0; i < NEW; i++)
        peer_types(daemon_run_peer, "tea", "ann", "good evening");
    daemon_run_for(l, 20 * 1000); /* it may prune once when idle, not twice */
    daemon_run_close(l);
    int64_t left = marks_left();
    assert_in_range(left, 0, OLD - AT_ONCE_IDLE - NEW * 3 / 2);
}

DAEMON_TEST(somebody_left_half_forgotten_is_forgotten)
{
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    struct store *store = daemon_run_store(l);
    struct session_row row = {
        .version = 1, .live = true, .n_people = 1, .person = {9}, .line = STR("a match")};
    struct person p = {.id = 9, .account = 1};
    struct people handles = {1, &p};
    store_begin(store);
    for (int i = 0; i < MATCHES; i++) {
        row.version = 1;
        row.live = true;
        row.id = store_new_session(store, &row);
        row.version = 2;
        row.live = false;
        store_save(store, &row, 1);
    }
    store_forget_handles(store, 9, &handles, STR("somebody"));
    OK(store_commit(store, &err));
    daemon_run_close(l);
    l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    daemon_run_for(l, 20 * 1000);
    assert_int_equal(store_forgetting(daemon_run_store(l), daemon_run_arena).who, 0);
    daemon_run_close(l);
}
