/* Move of a store: every row and every counter arrives, and nothing is written over. On a server
 * the way is from a file to the server and back. */
#include "fixture/store_fixture.h"

#include "store_look.h"
#include "store_move.h"

static struct err err;

enum { MANY = 1203 }; /* more than two pages */

/* Rows of every kind: NULL, bytes, texts of any script, many, and a number that is not used again. */
static void fill(void)
{
    const struct sender named = {.handle = STR("@bo")},
                        spoke = {.id = STR("7"), .name = STR("猪鹿蝶")};
    struct person p;
    int64_t account;
    bool is_new;
    char id[16], bytes[256];
    for (int i = 0; i < 256; i++)
        bytes[i] = (char)i;
    struct out_row row = {.lane = STR("tea"), .bytes = {bytes, sizeof bytes}};
    OK(store_begin(store_fixture, &err));
    OK(store_account(store_fixture, STR("net"), &account, &err));
    OK(store_person(store_fixture, store_fixture_arena, account, &named, &p, &err));
    OK(store_person(store_fixture, store_fixture_arena, account, &spoke, &p, &err));
    row.account = account;
    OK(store_push(store_fixture, &row, &err));
    for (int i = 0; i < MANY; i++) {
        snprintf(id, sizeof id, "u%d", i);
        OK(store_hear(store_fixture, account, str_of(id), i, &is_new, &err));
    }
    for (int i = 0; i < 3; i++)
        OK(store_quarantine(store_fixture, 0, i, (struct str){bytes, sizeof bytes}, STR(""),
                            STR(""), &err));
    OK(store_drop_quarantined(store_fixture, 3, &is_new, &err));
    OK(store_commit(store_fixture, &err));
}

/* What fill() wrote is in the store; it is closed again. */
static void check(struct str where)
{
    struct store *s;
    struct person p;
    struct out_rows rows;
    struct quarantined_rows quarantined;
    bool found, is_new;
    OK(store_open(where, &s, &err));
    OK(store_person_by_handle(s, store_fixture_arena, 1, STR("bo"), &p, &found, &err));
    assert_true(found && p.network_id.n == 0);
    OK(store_person_by_network_id(s, store_fixture_arena, 1, STR("7"), &p, &found, &err));
    assert_true(found && str_is(p.name, STR("猪鹿蝶")));
    OK(store_outbox(s, store_fixture_arena, 1, STR(""), 0, 10, &rows, &err));
    assert_true(rows.n == 1 && rows.at[0].bytes.n == 256 && rows.at[0].bytes.p[255] == (char)255);
    for (int i = 0; i < MANY; i += 601) {
        char id[16];
        snprintf(id, sizeof id, "u%d", i);
        OK(store_hear(s, 1, str_of(id), i, &is_new, &err));
        assert_false(is_new);
    }
    OK(store_quarantined(s, store_fixture_arena, 0, 10, &quarantined, &err));
    assert_int_equal(quarantined.n, 2);
    OK(store_begin(s, &err));
    OK(store_quarantine(s, 0, 9, STR("next"), STR(""), STR(""), &err));
    OK(store_quarantined(s, store_fixture_arena, 2, 10, &quarantined, &err));
    assert_int_equal(quarantined.at[0].id, 4);
    store_rollback(s);
    store_close(s);
}

/* From the store of the test, which fill() filled; to a file and back into the store, emptied. */
static void everything_arrives_and_comes_back(void **state)
{
    (void)state;
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

static void nothing_is_written_over(void **state)
{
    (void)state;
    struct store_moved moved;
    int64_t id;
    fill();
    store_close(store_fixture);
    OK(store_open(scratch_file("other.db"), &store_fixture, &err));
    OK(store_account(store_fixture, STR("mine"), &id, &err));
    store_close(store_fixture);
    assert_false(store_move(scratch_store(), scratch_file("other.db"), &moved, &err));
    assert_non_null(strstr(err.text, "empty"));
    assert_false(store_move(scratch_file("other.db"), scratch_store(), &moved, &err));
    assert_non_null(strstr(err.text, "empty"));
    check(scratch_store());
    OK(store_open(scratch_file("other.db"), &store_fixture, &err));
    OK(store_account(store_fixture, STR("mine"), &id, &err));
    assert_int_equal(id, 1);
}

static void a_store_that_is_not_there_or_in_use_is_not_moved(void **state)
{
    (void)state;
    struct store_moved moved;
    assert_false(store_move(scratch_file("none.db"), scratch_file("copy.db"), &moved, &err));
    assert_non_null(strstr(err.text, "no such file"));
    if (!scratch_on_server()) {
        assert_false(store_move(scratch_store(), scratch_file("copy.db"), &moved, &err));
        assert_non_null(strstr(err.text, "another koikoi is running"));
    }
}

#define T(name) cmocka_unit_test_setup_teardown(name, store_fixture_setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(everything_arrives_and_comes_back),
        T(nothing_is_written_over),
        T(a_store_that_is_not_there_or_in_use_is_not_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
