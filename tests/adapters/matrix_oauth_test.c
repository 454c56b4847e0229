/* The OAuth device grant, from the code in the log to the end of a match: a person who confirms,
 * denies or stays away; a pair of tokens that is renewed, lost on its way, or taken back. */
#include "adapters/matrix_table.h"

#include "log.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE };

static const char BOT[] = "@bot:koi.test";

static int setup(void **state)
{
    static const char *const oauth[] = {"pace=0", "oauth=yes", NULL};
    (void)state;
    if (!life_setup())
        return 1;
    table_lay(oauth);
    home_setup(table_home)->oauth = true;
    home_setup(table_home)->token_ms = 5 * MINUTE;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    return 0;
}

static struct life *let_in(void)
{
    struct life *l = table_daemon();
    life_turns(l, 12 * SECOND);
    assert_int_equal(home_counts(table_home).codes, 1);
    assert_true(home_confirms(table_home, BOT, "KOI1", true));
    return l;
}

static void well_in_the_end(struct life *l, int logins)
{
    table_goes_on(l);
    assert_string_equal(home_problems(table_home), "");
    assert_int_equal(home_counts(table_home).logins, logins);
    life_close(l);
}

static void somebody_lets_it_in(void **state)
{
    (void)state;
    struct life *l = let_in();
    assert_int_equal(home_counts(table_home).logins, 0);
    table_goes_on_to(l, 9);
    life_turns(l, HOUR); /* nobody plays; the tokens are renewed all the same */
    assert_in_range(home_counts(table_home).refreshes, 12, 20);
    well_in_the_end(l, 1);
}

/* The next start finds the session where it was. */
static void it_stays_in(void **state)
{
    (void)state;
    struct life *l = let_in();
    table_goes_on_to(l, 9);
    life_close(l);
    l = table_daemon();
    well_in_the_end(l, 1);
    assert_int_equal(home_counts(table_home).codes, 1);
}

static void nobody_comes_for_hours(void **state)
{
    (void)state;
    struct life *l = table_daemon();
    life_turns(l, 3 * HOUR);
    int codes = home_counts(table_home).codes;
    assert_in_range(codes, 9, 10); /* each lives for 20 minutes */
    assert_int_equal(home_counts(table_home).hurried, 0);
    assert_in_range(home_counts(table_home).requests, 100, 3 * HOUR / (5 * SECOND) + 3 * codes);
    char code[16];
    snprintf(code, sizeof code, "KOI%d", codes);
    assert_true(home_confirms(table_home, BOT, code, true));
    well_in_the_end(l, 1);
}

static void it_is_sent_away(void **state)
{
    (void)state;
    struct life *l = table_daemon();
    life_turns(l, 12 * SECOND);
    assert_true(home_confirms(table_home, BOT, "KOI1", false));
    life_turns(l, 50 * MINUTE);
    assert_int_equal(home_counts(table_home).codes, 1);
    life_turns(l, 20 * MINUTE);
    assert_int_equal(home_counts(table_home).codes, 2);
    assert_true(home_confirms(table_home, BOT, "KOI2", true));
    well_in_the_end(l, 1);
}

/* The pair that was on its way when the daemon died was never used: the old one is good for
 * another. */
static void arm(void *arg, int pid)
{
    const bool *done = arg;
    home_kills(table_home, "/oauth2/token", 1, pid, *done);
}

static void killed_while_it_renews_its_tokens(void **state)
{
    (void)state;
    home_setup(table_home)->token_ms = 8 * SECOND;
    struct life *l = let_in();
    table_goes_on_to(l, 5);
    life_close(l);
    for (int done = 0; done < 2; done++) {
        bool yes = done;
        assert_true(life_ends_by(STR(""), arm, &yes));
    }
    home_kills(table_home, "", 0, 0, false);
    home_fails(table_home, HOME_LOSES, "/oauth2/token", 2, 1);
    home_fails(table_home, HOME_HALVES, "/oauth2/token", 4, 1);
    home_fails(table_home, HOME_FALLS, "/oauth2/token", 6, 2);
    l = table_daemon();
    life_turns(l, 2 * MINUTE);
    assert_true(home_failed(table_home));
    well_in_the_end(l, 1);
    assert_int_equal(home_counts(table_home).codes, 1);
}

/* Its session is ended by somebody: a new code for a person to confirm, and no hurry about it. */
static void it_is_thrown_out(void **state)
{
    (void)state;
    struct life *l = let_in();
    table_goes_on_to(l, 9);
    home_logs_out(table_home, BOT, false);
    int requests = home_counts(table_home).requests;
    life_turns(l, 15 * MINUTE);
    assert_int_equal(home_counts(table_home).codes, 2);
    assert_in_range(home_counts(table_home).requests - requests, 1,
                    15 * MINUTE / (5 * SECOND) + 20);
    assert_true(home_confirms(table_home, BOT, "KOI2", true));
    well_in_the_end(l, 2);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, table_teardown)

int main(void)
{
    log_open(LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(somebody_lets_it_in),
        T(it_stays_in),
        T(nobody_comes_for_hours),
        T(it_is_sent_away),
        T(killed_while_it_renews_its_tokens),
        T(it_is_thrown_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
