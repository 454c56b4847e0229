/* Whole matches on a homeserver of our own, with people who vote, type or react, in good weather
 * and in bad. Every request is judged by the server (tests/fake/matrix/home.h). */
#include "adapters/matrix_table.h"

#include "log.h"

static void play_whole(int n, const char *preset, enum people_way way)
{
    table_sit(n, preset, way);
    struct life *l = table_daemon();
    table_goes_on(l);
    table_is_well(l);
    assert_int_equal(home_counts(table_home).rooms_made, n);
    life_close(l);
}

static void sensei(void **state)
{
    (void)state;
    play_whole(2, "sensei 3", PEOPLE_VOTE);
    assert_int_equal(home_counts(table_home).limited, 0);
    assert_int_equal(home_counts(table_home).repeated, 0);
}

static void three_at_one_table(void **state)
{
    (void)state;
    play_whole(3, "mongolopedia 6", PEOPLE_VOTE);
}

static const char *const WITHOUT_POLLS[] = {"pace=0", "polls=no", NULL};

static void okoshki_by_typing(void **state)
{
    (void)state;
    table_lay_anew(WITHOUT_POLLS);
    play_whole(2, "okoshki", PEOPLE_TYPE);
}

static void standard_by_reacting(void **state)
{
    (void)state;
    table_lay_anew(WITHOUT_POLLS);
    play_whole(2, "standard 3", PEOPLE_REACT);
}

/* Rooms as servers made them before version 12: ids with a server, creators in the power levels. */
static void in_an_old_room(void **state)
{
    (void)state;
    home_setup(table_home)->version = "10";
    play_whole(2, "standard 3", PEOPLE_VOTE);
}

/* ---- bad weather ---- */

static void every_kind_of_fault(void **state)
{
    (void)state;
    static const enum home_fault kinds[] = {HOME_LIMITS_BODY, HOME_LIMITS_HEADER, HOME_CUTS,
                                            HOME_LOSES,       HOME_HALVES,        HOME_FALLS,
                                            HOME_BABBLES};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (int i = 0; i < KINDS; i++) {
        home_fails(table_home, kinds[i], "/send/", 5 * i + 2, 1);
        home_fails(table_home, kinds[i], "/sync", 7 * i + 9, 2);
    }
    play_whole(2, "standard 3", PEOPLE_VOTE);
    assert_true(home_failed(table_home));
    assert_true(home_counts(table_home).repeated > 0);
}

/* A room that may have been made is looked for before another is made. */
static void lost_answers_to_making_rooms(void **state)
{
    (void)state;
    home_fails(table_home, HOME_LOSES, "/createRoom", 1, 1);
    home_fails(table_home, HOME_HALVES, "/createRoom", 2, 1);
    home_fails(table_home, HOME_LOSES, "/m.direct", 2, 1);
    play_whole(2, "standard 3", PEOPLE_VOTE);
    assert_true(home_failed(table_home));
}

static void every_timeline_has_gaps(void **state)
{
    (void)state;
    home_setup(table_home)->page = 1;
    play_whole(2, "okoshki", PEOPLE_VOTE);
}

static void tokens_that_live_shortly(void **state)
{
    (void)state;
    home_setup(table_home)->token_ms = 4 * 1000;
    home_fails(table_home, HOME_LOSES, "/refresh", 2, 1);
    home_fails(table_home, HOME_FALLS, "/refresh", 4, 2);
    play_whole(2, "sensei 3", PEOPLE_VOTE);
    assert_true(home_counts(table_home).refreshes > 2);
}

/* Softly: refreshed. For good: one login, no more, and the match goes on. */
static void logged_out_in_mid_match(void **state)
{
    (void)state;
    home_setup(table_home)->token_ms = 10 * 60 * 1000;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    struct life *l = table_daemon();
    table_goes_on_to(l, 9);
    home_logs_out(table_home, "@bot:koi.test", true);
    table_goes_on_to(l, 18);
    assert_int_equal(home_counts(table_home).logins, 1);
    assert_int_equal(home_counts(table_home).refreshes, 1);
    home_logs_out(table_home, "@bot:koi.test", false);
    table_goes_on(l);
    assert_int_equal(home_counts(table_home).logins, 2);
    assert_string_equal(home_problems(table_home), "");
    life_close(l);
}

/* The server is away for a minute, then the daemon starts anew in mid-match. */
static void both_are_restarted(void **state)
{
    (void)state;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    struct life *l = table_daemon();
    table_goes_on_to(l, 9);
    home_rests(table_home, *life_clock() + 60 * 1000);
    table_goes_on_to(l, 18);
    life_close(l);
    l = table_daemon();
    table_goes_on(l);
    table_is_well(l);
    assert_int_equal(home_counts(table_home).rooms_made, 2);
    life_close(l);
}

static void the_room_is_upgraded_in_mid_match(void **state)
{
    (void)state;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    const char *old = people_room(table_people);
    people_upgrade(table_people, 9);
    struct life *l = table_daemon();
    table_goes_on(l);
    table_is_well(l);
    assert_string_not_equal(people_room(table_people), old);
    assert_string_equal(home_membership(table_home, old, "@bot:koi.test"), "leave");
    life_close(l);
}

/* Private chats are encrypted by force: the other way of making them is taken, once and for all. */
static void forced_encryption(void **state)
{
    (void)state;
    home_setup(table_home)->encrypts = true;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    struct life *l = table_daemon();
    table_goes_on(l);
    table_is_well(l);
    assert_int_equal(home_counts(table_home).rooms_made, 3);
    life_close(l);
}

/* The limits of a stock Synapse, and the pace we have by default: no refusal at all, and a move
 * takes what its events cost. */
static void under_default_limits(void **state)
{
    (void)state;
    static const char *const usual[] = {NULL};
    table_lay_anew(usual);
    home_setup(table_home)->per_second = 0.2;
    home_setup(table_home)->burst = 10;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    struct life *l = table_daemon();
    int64_t took = table_goes_on(l);
    table_is_well(l);
    int moves = people_said(table_people).moves;
    print_message("%d moves in %lld s: %.1f s and %.2f events a move, %d refused\n", moves,
                  (long long)took / 1000, (double)took / 1000 / moves,
                  (double)home_counts(table_home).sent / moves, home_counts(table_home).limited);
    assert_int_equal(home_counts(table_home).limited, 0);
    assert_true(took / moves < 8 * 1000);
    life_close(l);
}

/* Too slow a pace of ours for that server would be a storm of refusals; each is obeyed. */
static void refusals_are_obeyed(void **state)
{
    (void)state;
    home_setup(table_home)->per_second = 0.5;
    home_setup(table_home)->burst = 3;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    struct life *l = table_daemon();
    table_goes_on(l);
    table_is_well(l);
    assert_true(home_counts(table_home).limited > 0);
    life_close(l);
}

#define T(name) cmocka_unit_test_setup_teardown(name, table_setup, table_teardown)

int main(void)
{
    log_open(LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(sensei),
        T(three_at_one_table),
        T(okoshki_by_typing),
        T(standard_by_reacting),
        T(in_an_old_room),
        T(every_kind_of_fault),
        T(lost_answers_to_making_rooms),
        T(every_timeline_has_gaps),
        T(tokens_that_live_shortly),
        T(logged_out_in_mid_match),
        T(both_are_restarted),
        T(the_room_is_upgraded_in_mid_match),
        T(forced_encryption),
        T(under_default_limits),
        T(refusals_are_obeyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
