/* Whole matches on a homeserver of our own: the loop as it is, a clock that the test moves, people who vote, type
 * or react. Every request is judged by the server (tests/fake/matrix/home.h). */
#include "shell/life.h"

#include "log.h"
#include "matrix/home_people.h"
#include "matrix_hs.h"
#include "replay.h"

enum { HOURS = 3600 * 1000, MOST_MS = 4 * HOURS, STEP_MS = 5000, TOLD = 12 };

extern const struct adapter matrix_adapter;

static struct home *home;
static struct people *people;
static const char *more_options[4];
static struct str no_rules;
static struct err err;

static struct account account(struct arena *process)
{
    const char *options[8] = {
        arena_print(process, "homeserver=%s", home_root(home)).p,
        "user=@bot:koi.test",
        "password=pw-bot",
    };
    for (int i = 0; i < 4; i++)
        options[3 + i] = more_options[i];
    return (struct account){.name = STR("matrix"),
                            .adapter = &matrix_adapter,
                            .can = matrix_adapter.can,
                            .limits = matrix_adapter.limits,
                            .state = hs_account(process, options)};
}

static int setup(void **state)
{
    (void)state;
    if (!life_setup())
        return 1;
    life_begin_on(account);
    home = home_open(life_clock(), 0);
    home_user(home, "bot");
    memset(more_options, 0, sizeof more_options);
    more_options[0] = "pace=0";
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    home_close(home);
    people_close(people);
    people = NULL;
    life_end();
    life_teardown();
    return 0;
}

static const char *const NAMES[] = {"ann", "bo", "kei"};

static void sit_down(int n, const char *preset, enum people_way way)
{
    people = people_open(home, n, NAMES, preset, way);
}

static struct life *daemon_starts(void)
{
    struct life *l = life_open(no_rules, DB_FAILS, 0, 0);
    assert_non_null(l);
    return l;
}

/* What was said last, for whoever has to find out what went wrong. */
static void tell_and_fail(void)
{
    int n = home_events(home);
    for (int i = n > TOLD ? n - TOLD : 0; i < n; i++) {
        struct home_event e = home_event(home, i);
        char *content = cJSON_PrintUnformatted(e.content);
        print_message("%d %s in %.6s: %s %.300s\n", i, e.sender, e.room, e.type, content);
        cJSON_free(content);
    }
    fail_msg("after %d moves and %d requests it is not over\n%s", people_said(people).moves,
             home_counts(home).requests, home_problems(home));
}

/* Until the match is over; how long that took by the test's clock, ms. */
static int64_t goes_on(struct life *l)
{
    int64_t begun = *life_clock();
    while (!people_said(people).over && *life_clock() < begun + MOST_MS)
        life_turns(l, STEP_MS);
    if (!people_said(people).over)
        tell_and_fail();
    int64_t took = *life_clock() - begun;
    life_turns(l, STEP_MS);
    return took;
}

/* The record says the same, and nothing in it is against the rules. */
static void record_is_right(struct life *l)
{
    struct arena *a = arena_open(1 << 24);
    struct str lines;
    int line = 0;
    OK(store_record(life_store(l), a, 1, &lines, &err));
    if (!replay_record(lines, NULL, &line, &err))
        fail_msg("line %d: %s", line, err.text);
    assert_non_null(strstr(lines.p, "\"t\":\"match_end\",\"why\":\"rounds\""));
    arena_close(a);
}

static void play_whole(int n, const char *preset, enum people_way way)
{
    sit_down(n, preset, way);
    struct life *l = daemon_starts();
    goes_on(l);
    record_is_right(l);
    assert_string_equal(home_problems(home), "");
    assert_int_equal(home_counts(home).logins, 1);
    assert_int_equal(home_counts(home).limited, 0);
    assert_int_equal(home_counts(home).rooms_made, n);
    life_close(l);
}

static void sensei(void **state)
{
    (void)state;
    play_whole(2, "sensei 3", PEOPLE_VOTE);
}

static void three_at_one_table(void **state)
{
    (void)state;
    play_whole(3, "mongolopedia 6", PEOPLE_VOTE);
}

static void okoshki_by_typing(void **state)
{
    (void)state;
    more_options[1] = "polls=no";
    play_whole(2, "okoshki", PEOPLE_TYPE);
}

static void standard_by_reacting(void **state)
{
    (void)state;
    more_options[1] = "polls=no";
    play_whole(2, "standard 3", PEOPLE_REACT);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    log_open(getenv("KOIKOI_TEST_LOG") ? LOG_DEBUG : LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(sensei),
        T(three_at_one_table),
        T(okoshki_by_typing),
        T(standard_by_reacting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
