/* Whole matches on the fake homeserver with hands as pictures. The server checks every request;
 * these tests check the events people see, not the drawing: matches are short and use a paper deck,
 * because drawing would take most of the time. */
#include "engine/stride.h"
#include "adapters/matrix/matrix_fixture.h"
#include "fixture/paper_deck.h"

static const char *const PICTURES[] = {"pace=0", "pictures=yes", NULL};
static const char *const WITHOUT_POLLS[] = {"pace=0", "pictures=yes", "polls=no", NULL};
static const char *const USUAL[] = {"pictures=yes", NULL};

static bool is_poll(const struct home_event *e)
{
    return strcmp(e->type, "org.matrix.msc3381.poll.start") == 0;
}

static const char *text_of(const cJSON *o, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, name));
    return text ? text : "";
}

static bool is_picture(const struct home_event *e)
{
    return strcmp(text_of(e->content, "msgtype"), "m.image") == 0;
}

/* A new homeserver with a match of one round: "short" has the rules of standard, "short_windows"
 * those of okoshki. */
static void sit_briefly(const char *const *options, const char *preset, enum players_way way)
{
    matrix_fixture_reopen(options);
    scratch_write("short.json", "{\"extends\":\"standard\",\"rounds\":1,\"rounds_allowed\":[1]}");
    scratch_write("short_windows.json",
                  "{\"extends\":\"okoshki\",\"rounds\":1,\"rounds_allowed\":[1]}");
    matrix_fixture_rules(arena_str(daemon_run_arena, scratch_file(".")));
    paper_deck("hanafuda");
    daemon_run_decks(arena_str(daemon_run_arena, paper_deck("okoshki")));
    matrix_fixture_join(2, preset, way);
}

/* In each player's chat the picture is just above its poll. */
static void pictures_stand_above_their_polls(int least)
{
    int polls = 0, above = 0;
    for (int i = 0; i < home_events(matrix_home); i++) {
        struct home_event e = home_event(matrix_home, i);
        if (!is_poll(&e))
            continue;
        polls++;
        for (int before = i - 1; before >= 0; before--) {
            struct home_event b = home_event(matrix_home, before);
            if (strcmp(b.room, e.room) != 0)
                continue;
            above += is_picture(&b);
            break;
        }
    }
    assert_true(above >= least && above <= polls);
}

/* The daemon restarts in mid-match. */
MATRIX_TEST(a_match_by_votes)
{
    sit_briefly(PICTURES, "short", PLAYERS_VOTE);
    struct daemon_run *l = matrix_fixture_daemon();
    matrix_fixture_play(l, 9);
    daemon_run_close(l);
    int before = home_counts(matrix_home).pictures;
    l = matrix_fixture_daemon();
    matrix_fixture_finish_well(l);
    struct home_counts n = home_counts(matrix_home);
    assert_true(before > 0 && n.pictures > before);
    assert_true(n.pictures >= players_progress(matrix_players).moves / 2);
    assert_int_equal(n.doubled, 0);
    pictures_stand_above_their_polls(n.pictures / 2);
}

/* Without polls, text and picture are one message, edited in place. */
MATRIX_TEST(a_match_by_typing)
{
    bool words = false;
    sit_briefly(WITHOUT_POLLS, "short_windows", PLAYERS_TYPE);
    struct daemon_run *l = matrix_fixture_daemon();
    matrix_fixture_finish_well(l);
    struct home_counts n = home_counts(matrix_home);
    assert_true(n.pictures > 0);
    assert_int_equal(n.doubled, 0);
    for (int i = 0; i < home_events(matrix_home); i++) {
        struct home_event e = home_event(matrix_home, i);
        if (is_picture(&e))
            words |= strstr(text_of(e.content, "body"), "Your cards") != NULL;
    }
    assert_true(words);
}

struct kill {
    const char *part; /* of the path; NULL: none */
    bool done;
};

static void arm(void *arg, int pid)
{
    enum { THIRD = 3 };
    const struct kill *k = arg;
    home_kills(matrix_home, k->part, THIRD, pid, k->done);
}

/* Plays a match, killed once. Returns the number of pictures in private chats. */
static int killed_once(struct kill k)
{
    int pictures = 0;
    sit_briefly(PICTURES, "short", PLAYERS_VOTE);
    struct str folder = arena_str(daemon_run_arena, scratch_file("."));
    if (k.part)
        assert_true(daemon_run_killed_by(folder, arm, &k));
    home_kills(matrix_home, "", 0, 0, false);
    struct daemon_run *l = matrix_fixture_daemon();
    matrix_fixture_finish(l);
    matrix_fixture_check(l);
    for (int i = 0; i < home_events(matrix_home); i++) {
        struct home_event e = home_event(matrix_home, i);
        pictures += is_picture(&e) && strcmp(e.room, players_room(matrix_players)) != 0;
    }
    pictures_stand_above_their_polls(pictures);
    daemon_run_close(l);
    return pictures;
}

/* Killed at each request of a row with a picture: each is there once, above its poll, and its bytes
 * have come. */
MATRIX_TEST(killed_around_a_picture)
{
    static const char *const parts[] = {"/media/v1/create", "/upload/", "/m.room.message/",
                                        "poll.start"};
    int told = killed_once((struct kill){0});
    assert_true(told > 4);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int done = (int)i % stride(2, 1); done < 2; done += stride(2, 1))
            assert_int_equal(killed_once((struct kill){parts[i], done}), told);
}

/* Uploads fail: the text comes all the same. */
MATRIX_TEST(uploads_fail)
{
    sit_briefly(PICTURES, "short", PLAYERS_VOTE);
    home_fails(matrix_home, HOME_LIMITS_BODY, "/media/v1/create", 2, 2);
    home_fails(matrix_home, HOME_BABBLES, "/media/v1/create", 12, 1);
    home_fails(matrix_home, HOME_FALLS, "/upload", 6, 1);
    home_fails(matrix_home, HOME_LOSES, "/upload", 8, 1);
    home_fails(matrix_home, HOME_BABBLES, "/upload", 10, 1);
    struct daemon_run *l = matrix_fixture_daemon();
    matrix_fixture_finish_well(l);
    assert_true(home_failed(matrix_home));
}

/* With the limits of a stock Synapse and the default pace, pictures that would delay a move are
 * left out: a move takes no longer than without pictures. */
MATRIX_TEST(under_default_limits_a_move_is_as_fast)
{
    matrix_fixture_reopen(USUAL);
    home_setup(matrix_home)->per_second = 0.2;
    home_setup(matrix_home)->burst = 10;
    struct daemon_run *l = matrix_fixture_match();
    int64_t took = matrix_fixture_finish_well(l);
    int moves = players_progress(matrix_players).moves;
    struct home_counts n = home_counts(matrix_home);
    print_message("%d moves in %lld s: %.1f s a move, %d pictures\n", moves, (long long)took / 1000,
                  (double)took / 1000 / moves, n.pictures);
    assert_int_equal(n.limited, 0);
    assert_true(took / moves < 8 * 1000);
    assert_true(n.pictures > 0 && n.pictures < moves);
}
