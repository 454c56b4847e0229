/* Move of a store: every row and every counter arrives, and nothing is written over. On a server
 * the way is from a file to the server and back. */
#include "fixture/store_fixture.h"

#include "store_quarantine.h"
#include "store_host.h"

static struct err err;

enum { MANY = 1203 }; /* more than two pages */

/* Rows of every kind: NULL, bytes, texts of any script, many, and a number that is not used
 * again. */
static void fill(void)
{
    const struct sender named = {.handle = STR("@bo")},
                        spoke = {.id = STR("7"), .name = STR("猪鹿蝶")};
    char id[16], bytes[256];
    for (int i = 0; i < 256; i++)
        bytes[i] = (char)i;
    struct out_row row = {.lane = STR("tea"), .bytes = {bytes, sizeof bytes}};
    store_begin(store_fixture);
    int64_t account = store_account(store_fixture, STR("net"));
    (void)store_person(store_fixture, store_fixture_arena, account, &named);
    (void)store_person(store_fixture, store_fixture_arena, account, &spoke);
    row.account = account;
    row.id = store_push(store_fixture, &row);
    for (int i = 0; i < MANY; i++) {
        snprintf(id, sizeof id, "u%d", i);
        (void)store_hear(store_fixture, account, str_of(id), 0, i);
    }
    for (int i = 0; i < 3; i++)
        store_quarantine(store_fixture, 0, i, (struct str){bytes, sizeof bytes}, STR(""), STR(""));
    assert_true(store_drop_quarantined(store_fixture, 3));
    OK(store_commit(store_fixture, &err));
}

/* What fill() wrote is in the store; it is closed again. */
static void check(struct str where)
{
    struct store *s;
    struct person p;
    OK(store_open(where, &s, &err));
    bool found = GOT(p, store_person_by_handle(s, store_fixture_arena, 1, STR("bo")));
    assert_true(found && p.network_id.n == 0);
    found = GOT(p, store_person_by_network_id(s, store_fixture_arena, 1, STR("7")));
    assert_true(found && str_is(p.name, STR("猪鹿蝶")));
    struct out_rows rows = store_outbox(s, store_fixture_arena, 1, STR(""), 0, 10);
    assert_true(rows.n == 1 && rows.at[0].bytes.n == 256 && rows.at[0].bytes.p[255] == (char)255);
    for (int i = 0; i < MANY; i += 601) {
        char id[16];
        snprintf(id, sizeof id, "u%d", i);
        assert_false(store_hear(s, 1, str_of(id), 0, i));
    }
    struct quarantined_rows quarantined = store_quarantined(s, store_fixture_arena, 0, 10);
    assert_int_equal(quarantined.n, 2);
    store_begin(s);
    store_quarantine(s, 0, 9, STR("next"), STR(""), STR(""));
    quarantined = store_quarantined(s, store_fixture_arena, 2, 10);
    assert_int_equal(quarantined.at[0].id, 4);
    store_rollback(s);
    store_close(s);
}

/* From the store of the test, which fill() filled; to a file and back into the store, emptied. */
STORE_TEST(everything_arrives_and_comes_back)
{
    struct store_moved moved, back;
    fill();
    store_close(store_fixture);
    OK(store_move(scratch_store(), scratch_file("copy.db"), &moved, &err));
    assert_in_range(moved.rows, MANY + 6, MANY + 20);
    assert_true(moved.tables > 30);
    check(scratch_file("copy.db"));
    check(scratch_store()); /* it keeps all it had */
    scratch_store_remove();
    OK(store_move(scratch_file("copy.db"), scratch_store(), &back, &err));
    assert_int_equal(back.rows, moved.rows);
    check(scratch_store());
    OK(store_open(scratch_store(), &store_fixture, &err));
}

STORE_TEST(nothing_is_written_over)
{
    struct store_moved moved;
    fill();
    store_close(store_fixture);
    OK(store_open(scratch_file("other.db"), &store_fixture, &err));
    int64_t id = store_account(store_fixture, STR("mine"));
    store_close(store_fixture);
    assert_false(store_move(scratch_store(), scratch_file("other.db"), &moved, &err));
    assert_non_null(strstr(err.text, "empty"));
    assert_false(store_move(scratch_file("other.db"), scratch_store(), &moved, &err));
    assert_non_null(strstr(err.text, "empty"));
    check(scratch_store());
    OK(store_open(scratch_file("other.db"), &store_fixture, &err));
    id = store_account(store_fixture, STR("mine"));
    assert_int_equal(id, 1);
}

STORE_TEST(a_store_that_is_not_there_or_in_use_is_not_moved)
{
    struct store_moved moved;
    assert_false(store_move(scratch_file("none.db"), scratch_file("copy.db"), &moved, &err));
    assert_non_null(strstr(err.text, "no such file"));
    assert_false(store_move(scratch_store(), scratch_store(), &moved, &err));
    assert_non_null(strstr(err.text, "into another one"));
    if (!scratch_on_server()) {
        assert_false(store_move(scratch_store(), scratch_file("copy.db"), &moved, &err));
        assert_non_null(strstr(err.text, "another koikoi is running"));
    }
}
