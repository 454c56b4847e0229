/* The OAuth device grant, from the code in the log to the end of a match: the person confirms,
 * denies or never comes; the pair of tokens is refreshed, lost in transit, or revoked. */
#include "adapters/matrix/matrix_fixture.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE };

static const char BOT[] = "@bot:koi.test";

FIXTURE(setup)
{
    static const char *const oauth[] = {"pace=0", "oauth=yes", NULL};
    if (!daemon_run_setup())
        return 1;
    matrix_fixture_open(oauth);
    home_setup(matrix_home)->oauth = true;
    home_setup(matrix_home)->token_ms = 5 * MINUTE;
    matrix_fixture_join(2, "standard 3", PLAYERS_VOTE);
    return 0;
}

static struct daemon_run *let_in(void)
{
    struct daemon_run *l = matrix_fixture_daemon();
    daemon_run_for(l, 12 * SECOND);
    assert_int_equal(home_counts(matrix_home).codes, 1);
    assert_true(home_confirms(matrix_home, BOT, "KOI1", true));
    return l;
}

static void well_in_the_end(struct daemon_run *l, int logins)
{
    matrix_fixture_finish(l);
    assert_string_equal(home_problems(matrix_home), "");
    assert_int_equal(home_counts(matrix_home).logins, logins);
    daemon_run_close(l);
}

TEST_WITH(grant_is_confirmed, setup, matrix_fixture_teardown)
{
    struct daemon_run *l = let_in();
    assert_int_equal(home_counts(matrix_home).logins, 0);
    matrix_fixture_play(l, 9);
    daemon_run_for(l, HOUR); /* without a match the tokens are refreshed all the same */
    assert_in_range(home_counts(matrix_home).refreshes, 12, 20);
    well_in_the_end(l, 1);
}

/* The next start continues the session. */
TEST_WITH(tokens_are_refreshed, setup, matrix_fixture_teardown)
{
    struct daemon_run *l = let_in();
    matrix_fixture_play(l, 9);
    daemon_run_close(l);
    l = matrix_fixture_daemon();
    well_in_the_end(l, 1);
    assert_int_equal(home_counts(matrix_home).codes, 1);
}

TEST_WITH(codes_are_replaced_for_hours, setup, matrix_fixture_teardown)
{
    struct daemon_run *l = matrix_fixture_daemon();
    daemon_run_for(l, 3 * HOUR);
    int codes = home_counts(matrix_home).codes;
    assert_in_range(codes, 9, 10); /* each lives for 20 minutes */
    assert_int_equal(home_counts(matrix_home).hurried, 0);
    assert_in_range(home_counts(matrix_home).requests, 100, 3 * HOUR / (5 * SECOND) + 3 * codes);
    char code[16];
    snprintf(code, sizeof code, "KOI%d", codes);
    assert_true(home_confirms(matrix_home, BOT, code, true));
    well_in_the_end(l, 1);
}

TEST_WITH(grant_is_denied, setup, matrix_fixture_teardown)
{
    struct daemon_run *l = matrix_fixture_daemon();
    daemon_run_for(l, 12 * SECOND);
    assert_true(home_confirms(matrix_home, BOT, "KOI1", false));
    daemon_run_for(l, 50 * MINUTE);
    assert_int_equal(home_counts(matrix_home).codes, 1);
    daemon_run_for(l, 20 * MINUTE);
    assert_int_equal(home_counts(matrix_home).codes, 2);
    assert_true(home_confirms(matrix_home, BOT, "KOI2", true));
    well_in_the_end(l, 1);
}

/* The daemon died before the new pair arrived, so the old pair is still good for a refresh. */
static void arm(void *arg, int pid)
{
    const bool *done = arg;
    home_kills(matrix_home, "/oauth2/token", 1, pid, *done);
}

TEST_WITH(killed_during_refresh, setup, matrix_fixture_teardown)
{
    home_setup(matrix_home)->token_ms = 8 * SECOND;
    struct daemon_run *l = let_in();
    matrix_fixture_play(l, 5);
    daemon_run_close(l);
    for (int done = 0; done < 2; done++) {
        bool yes = done;
        assert_true(daemon_run_killed_by(STR(""), arm, &yes));
    }
    home_kills(matrix_home, "", 0, 0, false);
    home_fails(matrix_home, HOME_LOSES, "/oauth2/token", 2, 1);
    home_fails(matrix_home, HOME_HALVES, "/oauth2/token", 4, 1);
    home_fails(matrix_home, HOME_FALLS, "/oauth2/token", 6, 2);
    l = matrix_fixture_daemon();
    daemon_run_for(l, 2 * MINUTE);
    assert_true(home_failed(matrix_home));
    well_in_the_end(l, 1);
    assert_int_equal(home_counts(matrix_home).codes, 1);
}

/* The session is revoked: a new code for a person to confirm, at the usual interval. */
TEST_WITH(session_is_ended_by_the_server, setup, matrix_fixture_teardown)
{
    struct daemon_run *l = let_in();
    matrix_fixture_play(l, 9);
    home_logs_out(matrix_home, BOT, false);
    int requests = home_counts(matrix_home).requests;
    daemon_run_for(l, 15 * MINUTE);
    assert_int_equal(home_counts(matrix_home).codes, 2);
    assert_in_range(home_counts(matrix_home).requests - requests, 1,
                    15 * MINUTE / (5 * SECOND) + 20);
    assert_true(home_confirms(matrix_home, BOT, "KOI2", true));
    well_in_the_end(l, 2);
}
