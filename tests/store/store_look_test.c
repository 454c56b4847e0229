/* What a host looks at beside the daemon: the outbox without its texts, and the quarantine. */
#include "fixture/store_fixture.h"

#include "store_quarantine.h"

static struct err err;

STORE_TEST(waiting_messages_are_listed_without_what_they_say)
{
    struct store *beside;
    struct out_row row = {.lane = STR("tea"), .slot = STR("board"), .bytes = STR("a hand")};
    row.account = store_account(store_fixture, STR("telegram"));
    row.id = store_push(store_fixture, &row);
    row.attempted = true;
    row.tries = 2;
    row.not_before = 77;
    store_hold(store_fixture, &row);
    OK(store_open_to_read(scratch_store(), &beside, &err)); /* no lock is in its way */
    struct waiting_messages rows = store_waiting_messages(beside, store_fixture_arena, 0, 10);
    assert_int_equal(rows.n, 1);
    assert_true(str_is(rows.at[0].account, STR("telegram")) && str_is(rows.at[0].lane, STR("tea")));
    assert_true(rows.at[0].attempted);
    assert_int_equal(rows.at[0].tries, 2);
    assert_int_equal(rows.at[0].not_before, 77);
    assert_int_equal(rows.at[0].bytes, 6);
    rows = store_waiting_messages(beside, store_fixture_arena, rows.at[0].id, 10);
    assert_int_equal(rows.n, 0);
    store_set_meta(beside, STR("name"), STR("value"));
    assert_true(store_take_failure(beside, &err)); /* to be read alone */
    store_close(beside);
}

STORE_TEST(quarantined_updates_are_listed_and_dropped)
{
    int64_t account = store_account(store_fixture, STR("matrix"));
    store_quarantine(store_fixture, account, 1000, STR("{bad}"), STR(""), STR("it ended"));
    store_quarantine(store_fixture, 0, 2000, STR("a match"), STR(""), STR("damaged"));
    struct quarantined_rows rows = store_quarantined(store_fixture, store_fixture_arena, 0, 10);
    assert_int_equal(rows.n, 2);
    assert_true(str_is(rows.at[0].account, STR("matrix")) && str_is(rows.at[0].raw, STR("{bad}")));
    assert_int_equal(rows.at[1].account.n, 0);
    int64_t first = rows.at[0].id;
    bool found = store_drop_quarantined(store_fixture, first);
    assert_true(found);
    found = store_drop_quarantined(store_fixture, first);
    assert_false(found);
    rows = store_quarantined(store_fixture, store_fixture_arena, 0, 10);
    assert_int_equal(rows.n, 1);
}

STORE_TEST(a_store_of_another_version_is_not_read)
{
    struct store *beside;
    store_close(store_fixture);
    scratch_store_sql("DELETE FROM migration WHERE number = (SELECT MAX(number) FROM migration)");
    assert_false(store_open_to_read(scratch_store(), &beside, &err));
    assert_non_null(strstr(err.text, "another version"));
    scratch_store_sql("INSERT INTO migration (number, name) VALUES (999, 'later')");
    assert_false(store_open_to_read(scratch_store(), &beside, &err));
    store_fixture = NULL;
}
