/* Whole matches on a homeserver of our own with hands as pictures. Every request is judged by the
 * server; what is looked at here is what people see. How cards look is not: matches are short and
 * their decks are of paper, since drawing takes nearly all of the time that a match takes here. */
#include "adapters/matrix_table.h"
#include "shell/paper_deck.h"

#include "log.h"

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

/* A homeserver anew, with a match of one round about to begin: "short" by the rules of standard,
 * "short_windows" by those of okoshki. */
static void sit_briefly(const char *const *options, const char *preset, enum people_way way)
{
    table_lay_anew(options);
    scratch_write("short.json", "{\"extends\":\"standard\",\"rounds\":1,\"rounds_allowed\":[1]}");
    scratch_write("short_windows.json",
                  "{\"extends\":\"okoshki\",\"rounds\":1,\"rounds_allowed\":[1]}");
    table_rules(arena_str(life_turn, scratch_file(".")));
    paper_deck("hanafuda");
    life_decks(arena_str(life_turn, paper_deck("okoshki")));
    table_sit(2, preset, way);
}

/* In the chat of each player the picture stands just above the poll that it belongs to. */
static void pictures_stand_above_their_polls(int least)
{
    int polls = 0, above = 0;
    for (int i = 0; i < home_events(table_home); i++) {
        struct home_event e = home_event(table_home, i);
        if (!is_poll(&e))
            continue;
        polls++;
        for (int before = i - 1; before >= 0; before--) {
            struct home_event b = home_event(table_home, before);
            if (strcmp(b.room, e.room) != 0)
                continue;
            above += is_picture(&b);
            break;
        }
    }
    assert_true(above >= least && above <= polls);
}

/* The daemon is restarted on the way. */
static void a_match_by_votes(void **state)
{
    (void)state;
    sit_briefly(PICTURES, "short", PEOPLE_VOTE);
    struct life *l = table_daemon();
    table_goes_on_to(l, 9);
    life_close(l);
    int before = home_counts(table_home).pictures;
    l = table_daemon();
    table_goes_on(l);
    table_is_well(l);
    struct home_counts n = home_counts(table_home);
    assert_true(before > 0 && n.pictures > before);
    assert_true(n.pictures >= people_said(table_people).moves / 2);
    assert_int_equal(n.doubled, 0);
    pictures_stand_above_their_polls(n.pictures / 2);
    life_close(l);
}

/* Without polls text and picture are one message, which is changed in its place. */
static void a_match_by_typing(void **state)
{
    (void)state;
    bool words = false;
    sit_briefly(WITHOUT_POLLS, "short_windows", PEOPLE_TYPE);
    struct life *l = table_daemon();
    table_goes_on(l);
    table_is_well(l);
    struct home_counts n = home_counts(table_home);
    assert_true(n.pictures > 0);
    assert_int_equal(n.doubled, 0);
    for (int i = 0; i < home_events(table_home); i++) {
        struct home_event e = home_event(table_home, i);
        if (is_picture(&e))
            words |= strstr(text_of(e.content, "body"), "Your cards") != NULL;
    }
    assert_true(words);
    life_close(l);
}

/* Uploads go wrong: the words come all the same. */
static void uploads_fail(void **state)
{
    (void)state;
    sit_briefly(PICTURES, "short", PEOPLE_VOTE);
    home_fails(table_home, HOME_LIMITS_BODY, "/upload", 2, 2);
    home_fails(table_home, HOME_FALLS, "/upload", 6, 1);
    home_fails(table_home, HOME_LOSES, "/upload", 8, 1);
    home_fails(table_home, HOME_BABBLES, "/upload", 10, 1);
    struct life *l = table_daemon();
    table_goes_on(l);
    table_is_well(l);
    assert_true(home_failed(table_home));
    life_close(l);
}

/* The limits of a stock Synapse, and the pace we have by default: pictures are left out where they
 * would make people wait, so that a move takes no longer than without them. */
static void under_default_limits_a_move_is_as_fast(void **state)
{
    (void)state;
    table_lay_anew(USUAL);
    home_setup(table_home)->per_second = 0.2;
    home_setup(table_home)->burst = 10;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    struct life *l = table_daemon();
    int64_t took = table_goes_on(l);
    table_is_well(l);
    int moves = people_said(table_people).moves;
    struct home_counts n = home_counts(table_home);
    print_message("%d moves in %lld s: %.1f s a move, %d pictures\n", moves, (long long)took / 1000,
                  (double)took / 1000 / moves, n.pictures);
    assert_int_equal(n.limited, 0);
    assert_true(took / moves < 8 * 1000);
    assert_true(n.pictures > 0 && n.pictures < moves);
    life_close(l);
}

#define T(name) cmocka_unit_test_setup_teardown(name, table_setup, table_teardown)

int main(void)
{
    log_open(LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(a_match_by_votes),
        T(a_match_by_typing),
        T(uploads_fail),
        T(under_default_limits_a_move_is_as_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
