/* Handles that are one person: one row on the scoreboard while they are linked, as before when they
 * part; codes that work for their time and no longer; chats that have something running. */
#include "shell/shelf.h"

static struct err err;

static struct person somebody(int64_t account, const char *id)
{
    const struct sender who = {.id = str_of(id), .name = str_of(id)};
    struct person p;
    OK(store_person(shelf, shelf_arena, account, &who, &p, &err));
    return p;
}

static void add(const struct person *p, int won, int lost, int points)
{
    const struct tally t = {.won = won, .lost = lost, .points = points};
    OK(store_add_result(shelf, 9, STR("2026-Q3"), p->id, t, &err));
}

static struct standings board(void)
{
    struct standings list;
    OK(store_standings(shelf, shelf_arena, 9, STR("2026-Q3"), 10, &list, &err));
    return list;
}

static void handles_of_one_person_are_added_up_and_part_as_they_were(void **state)
{
    (void)state;
    struct person ann = somebody(1, "ann"), anna = somebody(2, "anna"), bo = somebody(1, "bo");
    struct standing own;
    bool found;
    add(&ann, 2, 0, 10);
    add(&anna, 1, 2, -3);
    add(&bo, 2, 1, 20);
    assert_int_equal(board().n, 3);
    assert_int_equal(ann.who, ann.id);
    OK(store_link(shelf, ann.id, anna.id, &err));
    anna = somebody(2, "anna");
    assert_int_equal(anna.who, ann.id);
    struct standings list = board();
    assert_int_equal(list.n, 2);
    assert_int_equal(list.at[0].person, ann.id); /* three won are more than two */
    assert_int_equal(list.at[0].tally.won, 3);
    assert_int_equal(list.at[0].tally.lost, 2);
    assert_int_equal(list.at[0].tally.points, 7);
    OK(store_standing(shelf, shelf_arena, 9, STR("2026-Q3"), bo.id, &own, &found, &err));
    assert_true(found);
    assert_int_equal(own.place, 2);
    add(&anna, 1, 0, 1); /* played while they were one: it stays with who played it */
    assert_int_equal(board().at[0].tally.won, 4);
    OK(store_part(shelf, anna.id, &err));
    list = board();
    assert_int_equal(list.n, 3);
    OK(store_standing(shelf, shelf_arena, 9, STR("2026-Q3"), anna.id, &own, &found, &err));
    assert_true(found);
    assert_int_equal(own.tally.won, 2);
    OK(store_standing(shelf, shelf_arena, 9, STR("2026-Q3"), ann.id, &own, &found, &err));
    assert_int_equal(own.tally.won, 2);
}

static void three_handles_are_one_without_a_chain(void **state)
{
    (void)state;
    struct person ann = somebody(1, "ann"), anna = somebody(2, "anna"),
                  annie = somebody(3, "annie");
    struct people all;
    OK(store_link(shelf, anna.id, annie.id, &err));
    OK(store_link(shelf, ann.id, anna.id, &err));
    OK(store_handles(shelf, shelf_arena, ann.id, &all, &err));
    assert_int_equal(all.n, 3);
    assert_int_equal(somebody(3, "annie").who, ann.id);
    OK(store_part(shelf, ann.id, &err)); /* whose person they were: each is on their own */
    assert_int_equal(somebody(2, "anna").who, anna.id);
    assert_int_equal(somebody(3, "annie").who, annie.id);
}

static int64_t whose(const char *code, int64_t now)
{
    int64_t handle = -1;
    OK(store_code(shelf, str_of(code), now, &handle, &err));
    return handle;
}

static void a_code_is_good_for_its_time_and_only_the_newest(void **state)
{
    (void)state;
    struct person ann = somebody(1, "ann"), anna = somebody(2, "anna");
    OK(store_set_code(shelf, ann.id, STR("first"), 1000, &err));
    assert_int_equal(whose("first", 999), ann.id);
    assert_int_equal(whose("first", 1000), 0);
    assert_int_equal(whose("", 1), 0);
    OK(store_set_code(shelf, ann.id, STR("second"), 3000, &err));
    assert_int_equal(whose("first", 1), 0);
    assert_int_equal(whose("second", 2000), ann.id);
    OK(store_set_code(shelf, anna.id, STR("third"), 3000, &err));
    OK(store_link(shelf, ann.id, anna.id, &err));
    OK(store_drop_codes(shelf, ann.id, &err)); /* of all her handles */
    assert_int_equal(whose("second", 2000), 0);
    assert_int_equal(whose("third", 2000), 0);
    assert_int_equal(whose("", 2000), 0);
}

static int wrong(int64_t handle, int64_t since)
{
    int n = -1;
    OK(store_wrong_codes(shelf, handle, since, &n, &err));
    return n;
}

static void wrong_codes_are_counted_for_a_while(void **state)
{
    (void)state;
    struct person ann = somebody(1, "ann"), bo = somebody(1, "bo");
    assert_int_equal(wrong(ann.id, 0), 0);
    for (int i = 0; i < 3; i++)
        OK(store_wrong_code(shelf, ann.id, 1000 + i, 500, &err));
    assert_int_equal(wrong(ann.id, 500), 3);
    assert_int_equal(wrong(bo.id, 500), 0);
    assert_int_equal(wrong(ann.id, 1000), 0); /* the first of them is too long ago */
    OK(store_wrong_code(shelf, ann.id, 2000, 1500, &err));
    assert_int_equal(wrong(ann.id, 1500), 1);
    OK(store_set_code(shelf, ann.id, STR("code"), 9000,
                      &err)); /* asking for one forgives nothing */
    assert_int_equal(wrong(ann.id, 1500), 1);
    assert_int_equal(whose("code", 2000), ann.id);
}

static void live_chats_are_told_in_order_and_in_pieces(void **state)
{
    (void)state;
    struct session_row both = {
        .version = 1, .live = true, .n_chats = 2, .chat = {7, 3}, .line = STR("x")};
    struct session_row ended = {
        .version = 1, .live = false, .n_chats = 1, .chat = {5}, .line = STR("x")};
    struct session_row again = {
        .version = 1, .live = true, .n_chats = 1, .chat = {7}, .line = STR("x")};
    struct ids ids;
    OK(store_new_session(shelf, &both, &err));
    OK(store_new_session(shelf, &ended, &err));
    OK(store_new_session(shelf, &again, &err));
    OK(store_live_chats(shelf, shelf_arena, 0, 10, &ids, &err));
    assert_int_equal(ids.n, 2);
    assert_int_equal(ids.at[0], 3);
    assert_int_equal(ids.at[1], 7);
    OK(store_live_chats(shelf, shelf_arena, 0, 1, &ids, &err));
    assert_int_equal(ids.n, 1);
    OK(store_live_chats(shelf, shelf_arena, 3, 10, &ids, &err));
    assert_int_equal(ids.n, 1);
    assert_int_equal(ids.at[0], 7);
}

#define T(name) cmocka_unit_test_setup_teardown(name, shelf_setup, shelf_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(handles_of_one_person_are_added_up_and_part_as_they_were),
        T(three_handles_are_one_without_a_chain),
        T(a_code_is_good_for_its_time_and_only_the_newest),
        T(wrong_codes_are_counted_for_a_while),
        T(live_chats_are_told_in_order_and_in_pieces),
    };
    return cmocka_run_group_tests_name("one person", tests, NULL, NULL);
}
