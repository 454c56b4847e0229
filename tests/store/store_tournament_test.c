/* Tournaments as they are stored: rows both ways, whose tournament it is, whose timer comes first,
 * and what happens to them when a chat becomes another and when the clock moves. */
#include "fixture/store_fixture.h"

#include "store_tournament.h"

static int64_t chat_of(const char *key)
{
    struct chat c =
        store_chat(store_fixture, store_fixture_arena, 1, str_of(key), STR("Tea"), false);
    return c.id;
}

static struct tournament_row opened(int64_t chat, int64_t due)
{
    struct tournament_row row = {.chat = chat,
                                 .host = 3,
                                 .format = 1,
                                 .rounds = 5,
                                 .round = 2,
                                 .round_ms = 1000,
                                 .clock_ms = 60,
                                 .total_ms = 600,
                                 .gain_ms = 20,
                                 .ends = due + 500,
                                 .due = due,
                                 .reminded = 1,
                                 .by_code = 1,
                                 .rules = STR("standard 3")};
    row.id = store_new_tournament(store_fixture, &row);
    return row;
}

static struct tournament_row stored(int64_t id)
{
    struct tournament_row row;
    bool found = GOT(row, store_tournament(store_fixture, store_fixture_arena, id));
    assert_true(found);
    return row;
}

static void join(int64_t id, int64_t handle, int64_t chat)
{
    struct tournament_player_row one = {.place = 0, .handle = handle, .chat = chat, .rating = 1500};
    const struct tournament_player_rows rows = {1, &one};
    store_set_tournament_players(store_fixture, id, &rows);
}

static int64_t of_chat(int64_t chat, bool live)
{
    int64_t no = store_tournament_of_chat(store_fixture, chat, live);
    return no;
}

STORE_TEST(rows_come_back_as_they_were)
{
    struct tournament_row row = opened(chat_of("tea"), 7000), back = stored(row.id);
    assert_int_equal(back.chat, row.chat);
    assert_int_equal(back.host, 3);
    assert_int_equal(back.format, 1);
    assert_int_equal(back.rounds, 5);
    assert_int_equal(back.round, 2);
    assert_int_equal(back.clock_ms, 60);
    assert_int_equal(back.total_ms, 600);
    assert_int_equal(back.gain_ms, 20);
    assert_int_equal(back.ends, 7500);
    assert_int_equal(back.by_code, 1);
    assert_true(str_is(back.rules, STR("standard 3")));
    row.stage = 1;
    row.rules = STR("okoshki 6");
    store_save_tournament(store_fixture, &row);
    assert_int_equal(stored(row.id).stage, 1);
    assert_true(str_is(stored(row.id).rules, STR("okoshki 6")));
    bool found = GOT(back, store_tournament(store_fixture, store_fixture_arena, 99));
    assert_false(found);
}

STORE_TEST(games_are_replaced_and_ordered)
{
    struct tournament_game_row second = {1, 2, 1, 0, 1, 0, 0, 0},
                               first = {1, 1, 2, 4, 255, 5, 1, 0};
    store_set_tournament_game(store_fixture, &second);
    store_set_tournament_game(store_fixture, &first);
    second.result = 1;
    second.session = 12;
    store_set_tournament_game(store_fixture, &second);
    struct tournament_game_rows games =
        store_tournament_games(store_fixture, store_fixture_arena, 1);
    assert_int_equal(games.n, 2);
    assert_memory_equal(&games.at[0], &first, sizeof first);
    assert_memory_equal(&games.at[1], &second, sizeof second);
}

STORE_TEST(a_live_one_comes_before_those_that_are_over)
{
    int64_t tea = chat_of("tea"), den = chat_of("den"), no;
    struct person ann = store_fixture_person(1, "ann"), anna = store_fixture_person(2, "anna");
    struct tournament_row running = opened(tea, 10), over = opened(tea, 20), gone = opened(tea, 30);
    assert_int_equal(of_chat(den, false), 0);
    join(running.id, anna.id, den);
    over.stage = 2;
    gone.stage = 3;
    store_save_tournament(store_fixture, &over);
    store_save_tournament(store_fixture, &gone);
    assert_int_equal(of_chat(tea, false), running.id);
    assert_int_equal(of_chat(den, true), running.id); /* a player sits there */
    no = store_tournament_of_person(store_fixture, ann.who);
    assert_int_equal(no, 0);
    store_link(store_fixture, ann.id, anna.id);
    no = store_tournament_of_person(store_fixture, ann.who);
    assert_int_equal(no, running.id); /* her other handle plays in it */
    running.stage = 2;
    store_save_tournament(store_fixture, &running);
    assert_int_equal(of_chat(tea, false), over.id); /* the newest; the cancelled one never */
    assert_int_equal(of_chat(tea, true), 0);
}

STORE_TEST(timers_fire_in_order_and_move_with_the_clock)
{
    int64_t tea = chat_of("tea"), no, soonest;
    struct tournament_row late = opened(tea, 9000), early = opened(tea, 8000);
    no = store_tournament_due(store_fixture, 7999);
    assert_int_equal(no, 0);
    soonest = store_soonest_due(store_fixture);
    assert_int_equal(soonest, 8000);
    no = store_tournament_due(store_fixture, 9000);
    assert_int_equal(no, early.id);
    store_set_tournament_due(store_fixture, early.id, TOURNAMENT_AT_ONCE);
    store_move_tournaments(store_fixture, 500);
    assert_int_equal(stored(late.id).due, 9500);
    assert_int_equal(stored(late.id).ends, 10000);
    assert_int_equal(stored(early.id).due, TOURNAMENT_AT_ONCE); /* it waits for no time */
    assert_int_equal(stored(early.id).ends, 9000);
}

STORE_TEST(a_chat_that_becomes_another_takes_its_tournaments_along)
{
    int64_t tea = chat_of("tea"), big = chat_of("big");
    struct person bo = store_fixture_person(1, "bo");
    struct tournament_row row = opened(big, 10);
    join(row.id, bo.id, big);
    assert_true(store_move_chat(store_fixture, 1, STR("tea"), STR("big")));
    assert_int_equal(stored(row.id).chat, tea);
    struct tournament_player_rows players =
        store_tournament_players(store_fixture, store_fixture_arena, row.id);
    assert_int_equal(players.at[0].chat, tea);
}
