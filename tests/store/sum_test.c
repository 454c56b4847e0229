/* Checksums of rows: any change behind the store's back is detected. */
#include "fixture/store_fixture.h"

#include "store_quarantine.h"
#include "store_sql.h"

static struct err err;

static struct session_row make_session(void)
{
    struct session_row row = {.version = 1,
                              .due = 500,
                              .live = true,
                              .n_people = 2,
                              .n_chats = 1,
                              .person = {3, 4},
                              .chat = {9},
                              .line = STR("a session, as the core writes it")};
    row.id = store_new_session(store_fixture, &row);
    return row;
}

static struct session_row read_session(int64_t id)
{
    struct session_row row;
    bool found = GOT(row, store_session(store_fixture, store_fixture_arena, id));
    assert_true(found);
    return row;
}

/* Runs SQL while the store is closed. */
static void change(const char *sql)
{
    store_close(store_fixture);
    scratch_store_damaged();
    scratch_store_sql(sql);
    OK(store_open(scratch_store(), &store_fixture, &err));
}

STORE_TEST(a_change_in_any_column_of_a_session_is_noticed)
{
    static const char *const changes[] = {
        "UPDATE session SET version = 2", "UPDATE session SET due = 501",
        "UPDATE session SET live = 0",    "UPDATE session SET people = '3 5'",
        "UPDATE session SET chats = '8'", "UPDATE session SET line = replace(line, 'core', 'cord')",
        "UPDATE session SET line = ''",   "UPDATE session SET sum = 0",
        "UPDATE session SET sum = 1",     "UPDATE session SET account = 9",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        make_session();
        store_fixture_reopen();
        assert_false(read_session((int64_t)i + 1).damaged);
        char sql[128];
        snprintf(sql, sizeof sql, "%s WHERE id = %d", changes[i], (int)i + 1);
        change(sql);
        if (!read_session((int64_t)i + 1).damaged)
            fail_msg("not noticed: %s", changes[i]);
    }
}

STORE_TEST(a_checksum_follows_each_change_of_a_session)
{
    struct session_row row = make_session();
    row.version = 2;
    row.line = STR("a later line");
    store_save(store_fixture, &row, 1);
    store_fixture_reopen();
    assert_false(read_session(1).damaged);
    row.version = 3;
    row.due = 0;
    row.live = false;
    store_save(store_fixture, &row, 2);
    store_fixture_reopen();
    assert_false(read_session(1).damaged);
    store_set_due(store_fixture, 1, 777);
    store_fixture_reopen();
    assert_int_equal(read_session(1).due, 777);
    assert_false(read_session(1).damaged);
}

STORE_TEST(a_damaged_session_that_is_set_aside_leaves_play)
{
    make_session();
    make_session();
    change("UPDATE session SET line = 'x' WHERE id = 1");
    struct session_rows rows = store_sessions_of_chat(store_fixture, store_fixture_arena, 9, 8);
    assert_int_equal(rows.n, 2);
    struct ids ids =
        store_quarantine_session(store_fixture, store_fixture_arena, 1, 100, STR("why"));
    assert_int_equal(ids.n, 1);
    assert_int_equal(ids.at[0], 9);
    rows = store_sessions_of_chat(store_fixture, store_fixture_arena, 9, 8);
    assert_int_equal(rows.n, 1);
    assert_int_equal(rows.at[0].id, 2);
    rows = store_sessions_of_person(store_fixture, store_fixture_arena, 3, 8);
    assert_int_equal(rows.n, 1);
    ids = store_due(store_fixture, store_fixture_arena, 1000, 8);
    assert_int_equal(ids.n, 1);
    rows = store_live_sessions(store_fixture, store_fixture_arena, 0, 8);
    assert_int_equal(rows.n, 1);
    store_fixture_reopen();
    assert_true(read_session(1).damaged);
    assert_int_equal(read_session(1).due, DUE_QUARANTINED);
    assert_false(read_session(2).damaged);
}

STORE_TEST(a_wrong_checksum_of_what_this_run_wrote_is_a_fault_of_the_program)
{
    make_session();
    store_set_meta(store_fixture, STR("name"), STR("value"));
    assert_non_null(strstr(store_damage_why(store_fixture, 1), "fault of the program"));
    scratch_store_damaged();
    store_run(store_fixture, "UPDATE meta SET value = 'valve'", 0, NULL);
    (void)store_meta(store_fixture, store_fixture_arena, STR("name"));
    store_fixture_fails("the value name: this run of koikoi has written it");
    assert_false(store_damaged(store_fixture, &err));
    store_fixture_reopen();
    assert_string_equal(store_damage_why(store_fixture, 1), "the checksum does not hold");
}

STORE_TEST(a_damaged_piece_of_a_record_makes_it_count_as_empty)
{
    struct str record;
    store_append_record(store_fixture, 1, STR("one\n"));
    store_append_record(store_fixture, 1, STR("two\n"));
    store_append_record(store_fixture, 2, STR("three\n"));
    bool sound = store_record_sound(store_fixture, 1);
    assert_true(sound);
    change("UPDATE record SET lines = replace(lines, 'two', 'twp')");
    sound = store_record_sound(store_fixture, 1);
    assert_false(sound);
    record = store_record(store_fixture, store_fixture_arena, 1);
    assert_int_equal(record.n, 0);
    record = store_record(store_fixture, store_fixture_arena, 2);
    assert_true(str_is(record, STR("three\n")));
    change("UPDATE record SET session = 1 WHERE session = 2");
    sound = store_record_sound(store_fixture, 1);
    assert_false(sound);
}

STORE_TEST(a_damaged_value_of_meta_is_damage_of_the_store)
{
    store_set_meta(store_fixture, STR("name"), STR("value"));
    store_fixture_reopen();
    (void)store_meta(store_fixture, store_fixture_arena, STR("name"));
    assert_false(store_damaged(store_fixture, &err));
    change("UPDATE meta SET value = 'valve'");
    (void)store_meta(store_fixture, store_fixture_arena, STR("name"));
    store_fixture_fails("is damaged");
    assert_true(store_damaged(store_fixture, &err));
    assert_non_null(strstr(err.text, scratch_store_named()));
    assert_non_null(strstr(err.text, "is damaged"));
}
