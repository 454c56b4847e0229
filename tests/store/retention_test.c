/* Matches leave the store some time after their end, with their records; the others stay. */
#include "fixture/store_fixture.h"

#include "store_played.h"

static struct err err;

static struct session_row played(int64_t chat)
{
    struct session_row row = {.version = 1,
                              .due = 5,
                              .live = true,
                              .n_people = 1,
                              .n_chats = 1,
                              .person = {3},
                              .chat = {chat},
                              .line = STR("a match")};
    OK(store_new_session(store_fixture, &row, &err));
    OK(store_append_record(store_fixture, row.id, STR("a line\n"), &err));
    return row;
}

static void ends(struct session_row row, int64_t at)
{
    row.version = 2;
    row.live = false;
    row.due = 0;
    row.ended = at;
    OK(store_save(store_fixture, &row, 1, &err));
}

static bool is_there(int64_t id)
{
    struct session_row row;
    struct str record;
    bool found;
    OK(store_session(store_fixture, store_fixture_arena, id, &row, &found, &err));
    OK(store_record(store_fixture, store_fixture_arena, id, &record, &err));
    assert_true(found == (record.n > 0));
    return found;
}

static void ended_matches_leave_with_their_records_and_results_stay(void **state)
{
    (void)state;
    struct sender who = {.id = STR("7"), .name = STR("Ann")};
    struct person p;
    struct played_rows rows;
    struct played result = {.chat = 1, .session = 1, .won = 1, .season = STR("s")};
    struct session_row last;
    bool found;
    ends(played(1), 1000);
    ends(played(1), 2000);
    played(1); /* still live */
    OK(store_person(store_fixture, store_fixture_arena, 1, &who, &p, &err));
    result.person = result.rated = p.id;
    OK(store_add_played(store_fixture, &result, &err));
    OK(store_forget_matches(store_fixture, 1500, 9000, 10, &err));
    assert_false(is_there(1));
    assert_true(is_there(2) && is_there(3));
    OK(store_last_session_of_chat(store_fixture, store_fixture_arena, 1, &last, &found, &err));
    assert_true(found && last.id == 2 && !last.damaged);
    OK(store_forget_matches(store_fixture, 9000, 9000, 10, &err));
    assert_false(is_there(2));
    assert_true(is_there(3));
    OK(store_last_session_of_chat(store_fixture, store_fixture_arena, 1, &last, &found, &err));
    assert_false(found);
    OK(store_played_match(store_fixture, store_fixture_arena, 1, 1, &rows, &err));
    assert_int_equal(rows.n, 1);
}

static void at_most_so_many_leave_at_once_the_oldest_first(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        ends(played(i + 1), 1000 - i);
    OK(store_forget_matches(store_fixture, 5000, 9000, 3, &err));
    assert_true(is_there(1) && is_there(2));
    assert_false(is_there(3) || is_there(4) || is_there(5));
}

/* As the step 008 leaves rows that it finds. */
static void matches_that_ended_before_there_were_dates_count_from_the_first_call(void **state)
{
    (void)state;
    ends(played(1), 1);
    OK(store_forget_matches(store_fixture, 5000, 9000, 10, &err));
    assert_true(is_there(1));
    OK(store_forget_matches(store_fixture, 9000, 9500, 10, &err));
    assert_true(is_there(1));
    OK(store_forget_matches(store_fixture, 9001, 9500, 10, &err));
    assert_false(is_there(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ended_matches_leave_with_their_records_and_results_stay,
                                        store_fixture_setup, store_fixture_teardown),
        cmocka_unit_test_setup_teardown(at_most_so_many_leave_at_once_the_oldest_first,
                                        store_fixture_setup, store_fixture_teardown),
        cmocka_unit_test_setup_teardown(
            matches_that_ended_before_there_were_dates_count_from_the_first_call,
            store_fixture_setup, store_fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
