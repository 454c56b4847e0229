/* Whole matches on the fake homeserver, by players that vote, type or react, with and without
 * failures. The server checks every request (tests/fake/matrix/home.h). */
#include "adapters/matrix/matrix_fixture.h"

static void play_whole(int n, const char *preset, enum players_way way)
{
    matrix_fixture_join(n, preset, way);
    struct daemon_run *l = matrix_fixture_daemon();
    matrix_fixture_finish_well(l);
    assert_int_equal(home_counts(matrix_home).rooms_made, n);
}

MATRIX_TEST(sensei_by_votes)
{
    play_whole(2, "sensei 3 purse=400", PLAYERS_VOTE);
    assert_int_equal(home_counts(matrix_home).limited, 0);
    assert_int_equal(home_counts(matrix_home).repeated, 0);
}

MATRIX_TEST(three_players)
{
    play_whole(3, "mongolopedia 6", PLAYERS_VOTE);
}

static const char *const WITHOUT_POLLS[] = {"pace=0", "polls=no", NULL};

MATRIX_TEST(okoshki_by_typing)
{
    matrix_fixture_reopen(WITHOUT_POLLS);
    play_whole(2, "okoshki", PLAYERS_TYPE);
}

MATRIX_TEST(standard_by_reacting)
{
    matrix_fixture_reopen(WITHOUT_POLLS);
    play_whole(2, "standard 3", PLAYERS_REACT);
}

/* Rooms of a version before 12: ids with a server, creators in the power levels. */
MATRIX_TEST(in_an_old_room)
{
    home_setup(matrix_home)->version = "10";
    play_whole(2, "standard 3", PLAYERS_VOTE);
}

/* ---- failures ---- */

MATRIX_TEST(every_kind_of_fault)
{
    static const enum home_fault kinds[] = {HOME_LIMITS_BODY, HOME_LIMITS_HEADER, HOME_CUTS,
                                            HOME_LOSES,       HOME_HALVES,        HOME_FALLS,
                                            HOME_BABBLES};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (int i = 0; i < KINDS; i++) {
        home_fails(matrix_home, kinds[i], "/send/", 5 * i + 2, 1);
        home_fails(matrix_home, kinds[i], "/sync", 7 * i + 9, 2);
    }
    play_whole(2, "standard 3", PLAYERS_VOTE);
    assert_true(home_failed(matrix_home));
    assert_true(home_counts(matrix_home).repeated > 0);
}

/* The bot looks for a room that may exist before it creates another. */
MATRIX_TEST(lost_answers_to_create_room)
{
    home_fails(matrix_home, HOME_LOSES, "/createRoom", 1, 1);
    home_fails(matrix_home, HOME_HALVES, "/createRoom", 2, 1);
    home_fails(matrix_home, HOME_LOSES, "/m.direct", 2, 1);
    play_whole(2, "standard 3", PLAYERS_VOTE);
    assert_true(home_failed(matrix_home));
}

MATRIX_TEST(every_timeline_has_gaps)
{
    home_setup(matrix_home)->page = 1;
    play_whole(2, "okoshki", PLAYERS_VOTE);
}

MATRIX_TEST(short_lived_tokens)
{
    home_setup(matrix_home)->token_ms = 4 * 1000;
    home_fails(matrix_home, HOME_LOSES, "/refresh", 2, 1);
    home_fails(matrix_home, HOME_FALLS, "/refresh", 4, 2);
    play_whole(2, "sensei 3 purse=400", PLAYERS_VOTE);
    assert_true(home_counts(matrix_home).refreshes > 2);
}

/* A soft logout refreshes; a hard one leads to one login. The match continues. */
MATRIX_TEST(logged_out_in_mid_match)
{
    home_setup(matrix_home)->token_ms = 10 * 60 * 1000;
    struct daemon_run *l = matrix_fixture_match();
    matrix_fixture_play(l, 9);
    home_logs_out(matrix_home, "@bot:koi.test", true);
    matrix_fixture_play(l, 18);
    assert_int_equal(home_counts(matrix_home).logins, 1);
    assert_int_equal(home_counts(matrix_home).refreshes, 1);
    home_logs_out(matrix_home, "@bot:koi.test", false);
    matrix_fixture_finish(l);
    assert_int_equal(home_counts(matrix_home).logins, 2);
    matrix_fixture_end(l);
}

/* The server is down for a minute, then the daemon restarts, in mid-match. */
MATRIX_TEST(daemon_and_server_restart)
{
    struct daemon_run *l = matrix_fixture_match();
    matrix_fixture_play(l, 9);
    home_outage(matrix_home, *daemon_run_clock() + 60 * 1000);
    matrix_fixture_play(l, 18);
    daemon_run_close(l);
    l = matrix_fixture_daemon();
    matrix_fixture_finish_well(l);
    assert_int_equal(home_counts(matrix_home).rooms_made, 2);
}

MATRIX_TEST(the_room_is_upgraded_in_mid_match)
{
    matrix_fixture_join(2, "standard 3", PLAYERS_VOTE);
    const char *old = players_room(matrix_players);
    players_upgrade_after(matrix_players, 9);
    struct daemon_run *l = matrix_fixture_daemon();
    matrix_fixture_finish_well(l);
    assert_string_not_equal(players_room(matrix_players), old);
    assert_string_equal(home_membership(matrix_home, old, "@bot:koi.test"), "leave");
}

/* Invitations to rooms that the bot has left: nobody can accept them. */
static int dead_invitations(void)
{
    int n = 0;
    for (int i = 0; i < home_events(matrix_home); i++) {
        struct home_event e = home_event(matrix_home, i);
        n += strcmp(e.type, "m.room.member") == 0 && e.key &&
             strcmp(home_membership(matrix_home, e.room, e.key), "leave") != 0 &&
             strcmp(home_membership(matrix_home, e.room, "@bot:koi.test"), "join") != 0;
    }
    return n;
}

/* The server encrypts private chats by force: the bot uses the public preset from then on. */
MATRIX_TEST(forced_encryption)
{
    home_setup(matrix_home)->encrypts = true;
    struct daemon_run *l = matrix_fixture_match();
    matrix_fixture_finish_well(l);
    assert_int_equal(home_counts(matrix_home).rooms_made, 3);
    assert_int_equal(dead_invitations(), 0);
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Waits after a move, in ms, by size: until the hand of the player who moves next is shown. Returns
 * how many. */
static int waits_after_moves(int64_t *ret, int most)
{
    int n = 0;
    int64_t moved = 0;
    for (int i = 0; i < home_events(matrix_home) && n < most; i++) {
        struct home_event e = home_event(matrix_home, i);
        if (strcmp(e.type, "org.matrix.msc3381.poll.response") == 0)
            moved = e.at;
        if (moved && strcmp(e.type, "org.matrix.msc3381.poll.start") == 0) {
            ret[n++] = e.at - moved;
            moved = 0;
        }
    }
    qsort(ret, (size_t)n, sizeof *ret, by_size);
    return n;
}

/* With the limits of a stock Synapse and the default pace there is no refusal, and a move takes the
 * time of its events. */
MATRIX_TEST(under_default_limits)
{
    static const char *const usual[] = {NULL};
    matrix_fixture_reopen(usual);
    home_setup(matrix_home)->per_second = 0.2;
    home_setup(matrix_home)->burst = 10;
    struct daemon_run *l = matrix_fixture_match();
    int64_t took = matrix_fixture_finish_well(l);
    int moves = players_progress(matrix_players).moves;
    print_message("%d moves in %lld s: %.1f s and %.2f events a move, %d refused\n", moves,
                  (long long)took / 1000, (double)took / 1000 / moves,
                  (double)home_counts(matrix_home).sent / moves, home_counts(matrix_home).limited);
    assert_int_equal(home_counts(matrix_home).limited, 0);
    assert_true(took / moves < 8 * 1000);
}

/* Two people who are awake and think for some seconds: hands go before boards. */
MATRIX_TEST(under_default_limits_players_wait_for_one_event)
{
    enum { THINK_MS = 4000, MOST_WAITS = 256 };
    static const char *const usual[] = {NULL};
    int64_t waits[MOST_WAITS];
    matrix_fixture_reopen(usual);
    home_setup(matrix_home)->per_second = 0.2;
    home_setup(matrix_home)->burst = 10;
    struct daemon_run *l = matrix_fixture_match();
    for (int move = 1; move <= 30; move++) {
        matrix_fixture_play(l, move);
        daemon_run_for(l, THINK_MS);
    }
    int n = waits_after_moves(waits, MOST_WAITS);
    int64_t p50 = waits[n / 2], p95 = waits[n * 95 / 100];
    print_message("%d waits after a move: p50 %lld ms, p95 %lld ms\n", n, (long long)p50,
                  (long long)p95);
    assert_true(n > 20);
    assert_true(p50 <= 6300 && p95 <= 8750);
    matrix_fixture_finish_well(l);
}

/* A pace too fast for the server is refused again and again; the bot obeys each wait. */
MATRIX_TEST(rate_limits_are_obeyed)
{
    home_setup(matrix_home)->per_second = 0.5;
    home_setup(matrix_home)->burst = 3;
    struct daemon_run *l = matrix_fixture_match();
    matrix_fixture_finish_well(l);
    assert_true(home_counts(matrix_home).limited > 0);
}
