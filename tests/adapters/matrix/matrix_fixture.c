/* See matrix_fixture.h. */
#include "adapters/matrix/matrix_fixture.h"

#include "adapters/account.h"
#include "replay.h"

enum {
    MINUTES = 60 * 1000,
    MOST_MS = 120 * MINUTES,
    STEP_MS = 5000,
    EVENTS_SHOWN = 12,
    MOST_OPTIONS = 9
};

extern const struct adapter matrix_adapter;

struct home *matrix_home;
struct players *matrix_players;

static const char *const *more;
static struct str rules;
static struct err err;

static struct account account(struct arena *process)
{
    const char *options[MOST_OPTIONS] = {
        arena_print(process, "homeserver=%s", home_root(matrix_home)).p, "user=@bot:koi.test",
        "password=pw-bot", "pictures=no", /* a test's own options override these */
    };
    for (int i = 0; more && more[i] && i < MOST_OPTIONS - 5; i++)
        options[4 + i] = more[i];
    return (struct account){.name = STR("matrix"),
                            .adapter = &matrix_adapter,
                            .can = matrix_adapter.can,
                            .limits = matrix_adapter.limits,
                            .state = test_account(process, &matrix_adapter, options)};
}

void matrix_fixture_open(const char *const *options)
{
    more = options;
    rules = STR("");
    daemon_run_begin_on(account);
    matrix_home = home_open(daemon_run_clock(), 0);
    home_user(matrix_home, "bot");
}

void matrix_fixture_reopen(const char *const *options)
{
    matrix_fixture_close();
    matrix_fixture_open(options);
}

void matrix_fixture_rules(struct str rules_dir)
{
    rules = rules_dir;
}

void matrix_fixture_join(int n, const char *preset, enum players_way way)
{
    static const char *const names[] = {"ann", "bo", "kei"};
    matrix_players = players_open(matrix_home, n, names, preset, way);
}

struct daemon_run *matrix_fixture_daemon(void)
{
    struct daemon_run *l = daemon_run_open(rules, DB_FAILS, 0, 0);
    assert_non_null(l);
    return l;
}

struct daemon_run *matrix_fixture_match(void)
{
    matrix_fixture_join(2, "standard 3", PLAYERS_VOTE);
    return matrix_fixture_daemon();
}

/* Prints the last events, to help find the failure. */
static void print_and_fail(void)
{
    int n = home_events(matrix_home);
    for (int i = n > EVENTS_SHOWN ? n - EVENTS_SHOWN : 0; i < n; i++) {
        struct home_event e = home_event(matrix_home, i);
        char *content = cJSON_PrintUnformatted(e.content);
        print_message("%d %s in %.6s: %s %.300s\n", i, e.sender, e.room, e.type, content);
        cJSON_free(content);
    }
    fail_msg("after %d moves and %d requests it is not over\n%s",
             players_progress(matrix_players).moves, home_counts(matrix_home).requests,
             home_problems(matrix_home));
}

void matrix_fixture_play(struct daemon_run *l, int moves)
{
    int64_t begun = *daemon_run_clock();
    players_stop_after(matrix_players, moves);
    while (players_progress(matrix_players).moves < moves && *daemon_run_clock() < begun + MOST_MS)
        daemon_run_for(l, STEP_MS);
    if (players_progress(matrix_players).moves < moves)
        print_and_fail();
}

int64_t matrix_fixture_finish(struct daemon_run *l)
{
    int64_t begun = *daemon_run_clock();
    players_stop_after(matrix_players, 0);
    while (!players_progress(matrix_players).over && *daemon_run_clock() < begun + MOST_MS)
        daemon_run_for(l, STEP_MS);
    if (!players_progress(matrix_players).over)
        print_and_fail();
    int64_t took = *daemon_run_clock() - begun;
    daemon_run_for(l, STEP_MS);
    return took;
}

struct str matrix_fixture_record(struct daemon_run *l, struct arena *a)
{
    int line = 0;
    struct str lines = store_record(daemon_run_store(l), a, 1);
    if (!replay_record(lines, NULL, &line, &err))
        fail_msg("line %d: %s", line, err.text);
    assert_non_null(strstr(lines.p, "\"t\":\"match_end\",\"why\":\"rounds\""));
    return lines;
}

void matrix_fixture_check(struct daemon_run *l)
{
    struct arena *a = arena_open(1 << 24);
    matrix_fixture_record(l, a);
    arena_close(a);
    assert_string_equal(home_problems(matrix_home), "");
    assert_int_equal(home_counts(matrix_home).logins, 1);
    assert_int_equal(home_counts(matrix_home).early, 0);
    assert_int_equal(home_awaited(matrix_home), 0);
}

void matrix_fixture_end(struct daemon_run *l)
{
    assert_string_equal(home_problems(matrix_home), "");
    daemon_run_close(l);
}

int64_t matrix_fixture_finish_well(struct daemon_run *l)
{
    int64_t took = matrix_fixture_finish(l);
    matrix_fixture_check(l);
    matrix_fixture_end(l);
    return took;
}

void matrix_fixture_close(void)
{
    home_close(matrix_home);
    if (matrix_players)
        players_close(matrix_players);
    matrix_players = NULL;
    daemon_run_end();
}

int matrix_fixture_setup(void **state)
{
    static const char *const unhurried[] = {"pace=0", NULL};
    (void)state;
    if (!daemon_run_setup())
        return 1;
    matrix_fixture_open(unhurried);
    return 0;
}

int matrix_fixture_teardown(void **state)
{
    (void)state;
    matrix_fixture_close();
    daemon_run_teardown();
    return 0;
}
