/* Matches leave the store some time after their end, with their records, and so do tournaments with
 * their players and games; the others stay. */
#include "fixture/store_fixture.h"

#include "store_played.h"
#include "store_sql.h"
#include "store_tournament.h"

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
    row.id = store_new_session(store_fixture, &row);
    store_append_record(store_fixture, row.id, STR("a line\n"));
    return row;
}

static void ends(struct session_row row, int64_t at)
{
    row.version = 2;
    row.live = false;
    row.due = 0;
    row.ended = at;
    store_save(store_fixture, &row, 1);
}

static bool is_there(int64_t id)
{
    struct session_row row;
    bool found = GOT(row, store_session(store_fixture, store_fixture_arena, id));
    struct str record = store_record(store_fixture, store_fixture_arena, id);
    assert_true(found == (record.n > 0));
    return found;
}

STORE_TEST(ended_matches_leave_with_their_records_and_results_stay)
{
    struct sender who = {.id = STR("7"), .name = STR("Ann")};
    struct played result = {.chat = 1, .session = 1, .tally.won = 1, .season = STR("s")};
    struct session_row last;
    ends(played(1), 1000);
    ends(played(1), 2000);
    played(1); /* still live */
    struct person p = store_person(store_fixture, store_fixture_arena, 1, &who);
    result.person = result.rated = p.id;
    store_add_played(store_fixture, &result, 1);
    store_forget_matches(store_fixture, 1500, 10);
    assert_false(is_there(1));
    assert_true(is_there(2) && is_there(3));
    bool found = GOT(last, store_last_session_of_chat(store_fixture, store_fixture_arena, 1));
    assert_true(found && last.id == 2 && !last.damaged);
    store_forget_matches(store_fixture, 9000, 10);
    assert_false(is_there(2));
    assert_true(is_there(3));
    found = GOT(last, store_last_session_of_chat(store_fixture, store_fixture_arena, 1));
    assert_false(found);
    struct played_rows rows = store_played_match(store_fixture, store_fixture_arena, 1, 1);
    assert_int_equal(rows.n, 1);
}

/* Rows of the match in all tables that are about what runs and what was kept of it. */
static int64_t rows_about(int64_t session)
{
    return store_ask(store_fixture, NULL,
                     "SELECT (SELECT COUNT(*) FROM session WHERE id = $1) + "
                     "(SELECT COUNT(*) FROM session_home WHERE session = $1) + "
                     "(SELECT COUNT(*) FROM session_chat WHERE session = $1) + "
                     "(SELECT COUNT(*) FROM session_person WHERE session = $1) + "
                     "(SELECT COUNT(*) FROM record WHERE session = $1)",
                     VALUES(db_int(session)))
        .at[0]
        .i;
}

STORE_TEST(nothing_is_left_of_a_match_that_leaves)
{
    ends(played(1), 1000);
    played(1);
    assert_int_equal(rows_about(1), 4); /* people find live matches alone */
    assert_int_equal(rows_about(2), 5);
    store_forget_matches(store_fixture, 9000, 10);
    assert_int_equal(rows_about(1), 0);
    assert_int_equal(rows_about(2), 5);
}

STORE_TEST(at_most_so_many_leave_at_once_the_oldest_first)
{
    for (int i = 0; i < 5; i++)
        ends(played(i + 1), 1000 - i);
    store_forget_matches(store_fixture, 5000, 3);
    assert_true(is_there(1) && is_there(2));
    assert_false(is_there(3) || is_there(4) || is_there(5));
}

/* ---- tournaments ---- */

static int64_t tournament(int64_t stage, int64_t ends)
{
    struct tournament_row row = {.chat = 1,
                                 .host = 1,
                                 .stage = stage,
                                 .round = 1,
                                 .rounds = 1,
                                 .ends = ends,
                                 .rules = STR("standard 3")};
    struct tournament_player_row one = {.place = 0, .handle = 1, .chat = 1, .rating = 1500};
    const struct tournament_player_rows players = {1, &one};
    row.id = store_new_tournament(store_fixture, &row);
    const struct tournament_game_row game = {row.id, 1, 1, 0, 255, 5, 1, 0};
    store_set_tournament_players(store_fixture, row.id, &players);
    store_set_tournament_game(store_fixture, &game);
    return row.id;
}

static bool tournament_is_there(int64_t id)
{
    struct tournament_row row;
    bool found = GOT(row, store_tournament(store_fixture, store_fixture_arena, id));
    struct tournament_player_rows players =
        store_tournament_players(store_fixture, store_fixture_arena, id);
    struct tournament_game_rows games =
        store_tournament_games(store_fixture, store_fixture_arena, id);
    assert_true(found == (players.n == 1) && found == (games.n == 1));
    return found;
}

/* Stages as in bot/core/tournament: open, running, over, cancelled. */
STORE_TEST(tournaments_leave_that_are_over_or_cancelled)
{
    int64_t open = tournament(0, 1000), running = tournament(1, 1000), over = tournament(2, 1000),
            cancelled = tournament(3, 1000), later = tournament(2, 2000);
    store_forget_tournaments(store_fixture, 1000, 10);
    assert_true(tournament_is_there(over) && tournament_is_there(cancelled));
    store_forget_tournaments(store_fixture, 1001, 10);
    assert_false(tournament_is_there(over) || tournament_is_there(cancelled));
    assert_true(tournament_is_there(open) && tournament_is_there(running));
    assert_true(tournament_is_there(later));
}

STORE_TEST(at_most_so_many_tournaments_leave_at_once)
{
    int64_t newest = tournament(2, 30), oldest = tournament(2, 10), middle = tournament(2, 20);
    store_forget_tournaments(store_fixture, 5000, 2);
    assert_true(tournament_is_there(newest));
    assert_false(tournament_is_there(oldest) || tournament_is_there(middle));
}
