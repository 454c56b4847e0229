/* Linked handles are one person: one row on the scoreboard while they are linked, separate rows
 * again afterwards; codes that expire; chats with running matches. */
#include "fixture/store_fixture.h"

#include "store_season.h"

static void add(const struct person *p, int won, int lost, int points)
{
    const struct tally t = {.won = won, .lost = lost, .points = points};
    store_fixture_result(9, "2026-Q3", p->id, t);
}

static struct standings board(void)
{
    struct standings list =
        store_standings(store_fixture, store_fixture_arena, 9, STR("2026-Q3"), 10);
    return list;
}

STORE_TEST(linked_handles_share_results_until_they_part)
{
    struct person ann = store_fixture_person(1, "ann"), anna = store_fixture_person(2, "anna"),
                  bo = store_fixture_person(1, "bo");
    struct standing own;
    add(&ann, 2, 0, 10);
    add(&anna, 1, 2, -3);
    add(&bo, 2, 1, 20);
    assert_int_equal(board().n, 3);
    assert_int_equal(ann.who, ann.id);
    store_link(store_fixture, ann.id, anna.id);
    anna = store_fixture_person(2, "anna");
    assert_int_equal(anna.who, ann.id);
    struct standings list = board();
    assert_int_equal(list.n, 2);
    assert_int_equal(list.at[0].person, ann.id); /* three won are more than two */
    assert_int_equal(list.at[0].tally.won, 3);
    assert_int_equal(list.at[0].tally.lost, 2);
    assert_int_equal(list.at[0].tally.points, 7);
    bool found =
        GOT(own, store_standing(store_fixture, store_fixture_arena, 9, STR("2026-Q3"), bo.id));
    assert_true(found);
    assert_int_equal(own.place, 2);
    add(&anna, 1, 0, 1); /* played while linked: it stays with the handle that played it */
    assert_int_equal(board().at[0].tally.won, 4);
    store_part(store_fixture, anna.id);
    list = board();
    assert_int_equal(list.n, 3);
    found =
        GOT(own, store_standing(store_fixture, store_fixture_arena, 9, STR("2026-Q3"), anna.id));
    assert_true(found);
    assert_int_equal(own.tally.won, 2);
    found = GOT(own, store_standing(store_fixture, store_fixture_arena, 9, STR("2026-Q3"), ann.id));
    assert_int_equal(own.tally.won, 2);
}

STORE_TEST(three_handles_are_one_without_a_chain)
{
    struct person ann = store_fixture_person(1, "ann"), anna = store_fixture_person(2, "anna"),
                  annie = store_fixture_person(3, "annie");
    store_link(store_fixture, anna.id, annie.id);
    store_link(store_fixture, ann.id, anna.id);
    struct people all = store_handles(store_fixture, store_fixture_arena, ann.id);
    assert_int_equal(all.n, 3);
    assert_int_equal(store_fixture_person(3, "annie").who, ann.id);
    store_part(store_fixture, ann.id); /* the person of all three */
    assert_int_equal(store_fixture_person(2, "anna").who, anna.id);
    assert_int_equal(store_fixture_person(3, "annie").who, annie.id);
}

static int64_t whose(const char *code, int64_t now)
{
    int64_t handle = -1;
    handle = store_code(store_fixture, str_of(code), now);
    return handle;
}

STORE_TEST(the_newest_code_is_valid_until_it_expires)
{
    struct person ann = store_fixture_person(1, "ann"), anna = store_fixture_person(2, "anna");
    store_set_code(store_fixture, ann.id, STR("first"), 1000);
    assert_int_equal(whose("first", 999), ann.id);
    assert_int_equal(whose("first", 1000), 0);
    assert_int_equal(whose("", 1), 0);
    store_set_code(store_fixture, ann.id, STR("second"), 3000);
    assert_int_equal(whose("first", 1), 0);
    assert_int_equal(whose("second", 2000), ann.id);
    store_set_code(store_fixture, anna.id, STR("third"), 3000);
    store_link(store_fixture, ann.id, anna.id);
    store_drop_codes(store_fixture, ann.id); /* of all her handles */
    assert_int_equal(whose("second", 2000), 0);
    assert_int_equal(whose("third", 2000), 0);
    assert_int_equal(whose("", 2000), 0);
}

static int wrong(int64_t handle, int64_t since)
{
    int n = -1;
    n = store_wrong_codes(store_fixture, handle, since);
    return n;
}

STORE_TEST(wrong_codes_are_counted_for_a_while)
{
    struct person ann = store_fixture_person(1, "ann"), bo = store_fixture_person(1, "bo");
    assert_int_equal(wrong(ann.id, 0), 0);
    for (int i = 0; i < 3; i++)
        store_wrong_code(store_fixture, ann.id, 1000 + i, 500);
    assert_int_equal(wrong(ann.id, 500), 3);
    assert_int_equal(wrong(bo.id, 500), 0);
    assert_int_equal(wrong(ann.id, 1000), 0); /* the first one is too old */
    store_wrong_code(store_fixture, ann.id, 2000, 1500);
    assert_int_equal(wrong(ann.id, 1500), 1);
    /* A new code resets nothing. */
    store_set_code(store_fixture, ann.id, STR("code"), 9000);
    assert_int_equal(wrong(ann.id, 1500), 1);
    assert_int_equal(whose("code", 2000), ann.id);
}

STORE_TEST(live_chats_are_listed_in_order_page_by_page)
{
    struct session_row both = {
        .version = 1, .live = true, .n_chats = 2, .chat = {7, 3}, .line = STR("x")};
    struct session_row ended = {
        .version = 1, .live = false, .n_chats = 1, .chat = {5}, .line = STR("x")};
    struct session_row again = {
        .version = 1, .live = true, .n_chats = 1, .chat = {7}, .line = STR("x")};
    both.id = store_new_session(store_fixture, &both);
    ended.id = store_new_session(store_fixture, &ended);
    again.id = store_new_session(store_fixture, &again);
    struct ids ids = store_live_chats(store_fixture, store_fixture_arena, 0, 10);
    assert_int_equal(ids.n, 2);
    assert_int_equal(ids.at[0], 3);
    assert_int_equal(ids.at[1], 7);
    ids = store_live_chats(store_fixture, store_fixture_arena, 0, 1);
    assert_int_equal(ids.n, 1);
    ids = store_live_chats(store_fixture, store_fixture_arena, 3, 10);
    assert_int_equal(ids.n, 1);
    assert_int_equal(ids.at[0], 7);
}

/* A topic is TEA/7, a thread "TEA $root". Other chats whose keys begin so are no parts of it. */
STORE_TEST(parts_of_a_chat_are_those_where_something_runs)
{
    static const char *const keys[] = {"-55", "-55/7", "-55 $e", "-55/8", "-555", "-555/7", "-550"};
    int64_t id[sizeof keys / sizeof *keys];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct session_row row = {
            .version = 1, .live = i != 3, .n_chats = 1, .line = STR("x")}; /* in /8 nothing does */
        id[i] =
            store_chat(store_fixture, store_fixture_arena, 1, str_of(keys[i]), STR(""), false).id;
        row.chat[0] = id[i];
        row.id = store_new_session(store_fixture, &row);
    }
    struct ids ids = store_live_parts(store_fixture, store_fixture_arena, 1, STR("-55"));
    assert_int_equal(ids.n, 2);
    assert_int_equal(ids.at[0], id[1]);
    assert_int_equal(ids.at[1], id[2]);
    assert_int_equal(store_live_parts(store_fixture, store_fixture_arena, 2, STR("-55")).n, 0);
    assert_int_equal(store_live_parts(store_fixture, store_fixture_arena, 1, STR("-55/7")).n, 0);
}

/* By any of its ids, and for whomever it was. */
STORE_TEST(a_message_is_found_in_the_part_of_a_chat_where_it_stands)
{
    struct store *s = store_fixture;
    struct arena *a = store_fixture_arena;
    store_set_post(s, 1, STR("-55/7"), STR("board:1"), STR("50p 51"));
    store_set_post(s, 1, STR("-55 $e\n7"), STR("hand:1"), STR("60"));
    store_set_post(s, 1, STR("-55"), STR("door"), STR("70"));
    store_set_post(s, 1, STR("-555/7"), STR("board:2"), STR("80"));
    store_set_post(s, 2, STR("-55/8"), STR("board:3"), STR("90"));
    static const char *const found[][2] = {{"51", "-55/7"}, {"60", "-55 $e"}, {"70", "-55"},
                                           {"5", ""},       {"80", ""},       {"90", ""}};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        struct str place = store_place_of_post(s, a, 1, STR("-55"), str_of(found[i][0]));
        assert_true(str_is(place, str_of(found[i][1])));
    }
}
