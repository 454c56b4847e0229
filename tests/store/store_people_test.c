/* People in the store when the database fails: every failing call is reported. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "db_faulty.h"
#include "db_file.h"
#include "store.h"
#include "store_forget.h"
#include "store_season.h"

static struct arena *arena;
static struct err err;

FIXTURE(open_all)
{
    arena = arena_open(1 << 22);
    return scratch_open() ? 0 : 1;
}

FIXTURE(close_all)
{
    arena_close(arena);
    scratch_close();
    return 0;
}

/* A store whose n-th database call fails, or NULL if that call belongs to the open. */
static struct store *store_failing(int n, struct db **ret_db)
{
    struct db *real;
    struct store *store = NULL;
    OK(db_sqlite_open(scratch_file("people.db"), &real, &err));
    *ret_db = db_faulty(real, DB_FAILS, n, 1);
    return store_open_db(*ret_db, &store, &err) ? store : NULL;
}

TEST_WITH(a_failing_database_never_makes_a_person_up, open_all, close_all)
{
    const struct sender bo = {.id = STR("7"), .name = STR("Bo"), .handle = STR("bo")};
    int failures = 0;
    struct store *made;
    OK(store_open(scratch_file("people.db"), &made, &err));
    store_close(made);
    for (int n = 1;; n++) {
        struct db *db;
        struct store *store = store_failing(n, &db);
        if (!store)
            continue;
        store_begin(store);
        (void)store_person(store, arena, 1, &bo);
        bool failed = db_faulty_calls(db) >= n;
        assert_int_equal(store_failed(store), failed);
        store_rollback(store);
        store_close(store);
        if (!failed)
            break;
        failures++;
    }
    assert_true(failures >= 2); /* a look, a new row */
}

static int64_t met(struct store *store, const char *account, const struct sender *who)
{
    int64_t id = store_account(store, str_of(account));
    struct person p = store_person(store, arena, id, who);
    return p.who;
}

/* On two accounts of one network a person is the same, until they part; on another network the same
 * id is somebody else's. */
TEST_WITH(a_person_is_one_on_all_accounts_of_a_network, open_all, close_all)
{
    const struct sender ann = {.id = STR("11"), .name = STR("Ann")},
                        bo = {.id = STR("12"), .name = STR("Bo")};
    struct store *store;
    OK(store_open(scratch_file("accounts.db"), &store, &err));
    store_begin(store);
    int64_t first = met(store, "pigeon.one", &ann);
    assert_int_equal(met(store, "pigeon", &ann), first);
    assert_int_equal(met(store, "pigeon.two2", &ann), first);
    assert_int_not_equal(met(store, "pigeon", &bo), first);
    assert_int_not_equal(met(store, "pigeons", &ann), first);
    assert_int_not_equal(met(store, "pigeons.one", &ann), first);
    assert_int_not_equal(met(store, "owl", &ann), met(store, "pigeons", &ann));
    struct people handles = store_handles(store, arena, first);
    assert_int_equal(handles.n, 3);
    store_part(store, handles.at[2].id);
    assert_int_equal(met(store, "pigeon.two2", &ann), handles.at[2].id);
    OK(store_commit(store, &err));
    store_close(store);
}

/* The season of a private chat goes with its person: nothing is left to end there. */
TEST_WITH(a_forgotten_private_chat_has_no_open_season, open_all, close_all)
{
    const struct sender ann = {.id = STR("11"), .name = STR("Ann"), .handle = STR("ann")};
    struct store *store;
    struct season_due due;
    OK(store_open(scratch_file("forgotten.db"), &store, &err));
    store_begin(store);
    struct person p = store_person(store, arena, 1, &ann);
    store_set_direct(store, &p, STR("11"), true);
    struct chat own = store_chat(store, arena, 1, STR("11"), STR(""), true);
    struct chat group = store_chat(store, arena, 1, STR("-5"), STR("Tea"), false);
    store_open_season(store, &(struct season_due){own.id, 100, STR("2026-Q4")});
    store_open_season(store, &(struct season_due){group.id, 200, STR("2026-Q4")});
    struct people handles = store_handles(store, arena, p.who);
    store_forget_handles(store, p.who, &handles, STR("somebody"));
    bool found = GOT(due, store_season_due(store, arena, 1000));
    assert_true(found);
    assert_int_equal(due.chat, group.id);
    OK(store_commit(store, &err));
    store_close(store);
}
