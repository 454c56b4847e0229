/* Metrics: they count what happened, and the dashboard and the alert rules name no other. */
#include "engine/test.h"
#include "fixture/loop_fixture.h"

#include "file.h"
#include "loop_internal.h"
#include "metrics.h"

static struct err err;
static struct metrics m;

FIXTURE(setup)
{
    return loop_fixture_open(&(struct loop_fixture_options){.stands_still = false});
}

static void types(const char *from, const char *text)
{
    peer_types(loop_fixture_peer, "tea", from, text);
    loop_fixture_run(5000);
    metrics_count(loop_fixture, &m);
}

TEST_WITH(matches_are_counted, setup, loop_fixture_teardown)
{
    types("ann", "/challenge @bo");
    assert_int_equal(m.running, 1);
    assert_int_equal(m.begun, 0);
    types("bo", "/accept");
    assert_int_equal(m.running, 1);
    assert_int_equal(m.begun, 1);
    assert_int_equal(m.finished, 0);
    types("bo", "/resign");
    types("bo", "/resign yes");
    assert_int_equal(m.running, 0);
    assert_int_equal(m.begun, 1);
    assert_int_equal(m.finished, 1);
    types("ann", "/challenge @bo");
    types("bo", "/decline");
    assert_int_equal(m.running, 0);
    assert_int_equal(m.finished, 1); /* that one never began */
}

/* Counts of a transaction that is still open, and may fail, are not shown yet. */
TEST_WITH(what_is_not_committed_is_not_shown, setup, loop_fixture_teardown)
{
    inbox_set_counts(loop_fixture->inbox,
                     (struct inbox_counts){.begun = 7, .finished = 7, .logged = 0});
    metrics_count(loop_fixture, &m);
    assert_int_equal(m.begun, 0);
    types("ann", "/ping one");
    assert_int_equal(m.begun, 7);
}

TEST_WITH(sends_are_counted_by_result, setup, loop_fixture_teardown)
{
    types("ann", "/ping one");
    assert_int_equal(m.account[0].sent, 1);
    assert_int_equal(m.account[0].later, 0);
    peer_rule(loop_fixture_peer,
              (struct peer_rule){
                  .method = "sendMessage", .times = 2, .status = 429, .header = "Retry-After: 1"});
    peer_rule(loop_fixture_peer,
              (struct peer_rule){.method = "sendMessage", .times = 1, .status = 500});
    types("ann", "/ping two");
    loop_fixture_run(60000);
    metrics_count(loop_fixture, &m);
    assert_int_equal(m.account[0].sent, 2);
    assert_int_equal(m.account[0].later, 3);
    assert_int_equal(m.account[0].limited, 2);
}

/* The delay is that of the answer that arrived, with all that it waited for. */
TEST_WITH(the_delay_of_answers_is_measured, setup, loop_fixture_teardown)
{
    types("ann", "/ping one");
    assert_int_equal(m.account[0].delay.n, 1);
    int64_t before = m.account[0].delay.sum_ms;
    peer_rule(loop_fixture_peer,
              (struct peer_rule){
                  .method = "sendMessage", .times = 1, .status = 429, .header = "Retry-After: 7"});
    types("ann", "/ping two");
    loop_fixture_run(60000);
    metrics_count(loop_fixture, &m);
    assert_int_equal(m.account[0].delay.n, 2);
    assert_true(m.account[0].delay.sum_ms - before >= 7000);
}

TEST_WITH(computing_is_measured, setup, loop_fixture_teardown)
{
    types("ann", "/challenge computer easy");
    types("ann", "/accept");
    for (int i = 0; i < 200 && m.thinking.n == 0; i++)
        types("ann", "1");
    assert_true(m.thinking.n > 0);
    assert_int_equal(m.drawing.n, 0);
}

TEST_WITH(a_histogram_counts_up_to_each_bound, setup, loop_fixture_teardown)
{
    struct metrics one = {
        .version = "9.9", .commit = STR("abc"), .schema = 7, .running = -1, .store_bytes = -1};
    histogram_add(&one.thinking, -1);
    histogram_add(&one.thinking, 5);
    histogram_add(&one.thinking, 6);
    histogram_add(&one.thinking, 999999);
    const char *text = metrics_write(&one, loop_fixture_process).p;
    const char *const lines[] = {"\nkoikoi_build_info{version=\"9.9\",commit=\"abc\",schema=\"7\"} "
                                 "1\n",
                                 "\nkoikoi_thinking_seconds_bucket{le=\"0.005\"} 2\n",
                                 "\nkoikoi_thinking_seconds_bucket{le=\"0.01\"} 3\n",
                                 "\nkoikoi_thinking_seconds_bucket{le=\"60\"} 3\n",
                                 "\nkoikoi_thinking_seconds_bucket{le=\"+Inf\"} 4\n",
                                 "\nkoikoi_thinking_seconds_sum 1000.010\n",
                                 "\nkoikoi_thinking_seconds_count 4\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(text, lines[i]))
            fail_msg("expected %s, got %s", lines[i], text);
    assert_null(strstr(text, "koikoi_matches_running"));
    assert_null(strstr(text, "koikoi_store_bytes"));
}

/* ---- what a host sets up ---- */

static bool is_name(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z');
}

/* Every koikoi_... of the file is a series of the daemon. */
static int names_exist(const char *path, const char *metrics)
{
    struct str file;
    int n = 0;
    OK(file_read(path, 1 << 20, &file, &err));
    char *text = strndup(file.p, file.n);
    file_free(file);
    for (char *at = text; (at = strstr(at, "koikoi_")); n++) {
        char name[128];
        size_t len = 0;
        while (is_name(at[len]))
            len++;
        snprintf(name, sizeof name, "\n%.*s", (int)len, at);
        const char *found = strstr(metrics, name);
        while (found && found[strlen(name)] != ' ' && found[strlen(name)] != '{')
            found = strstr(found + 1, name);
        if (!found)
            fail_msg("%s: there is no metric %s", path, name + 1);
        at += len;
    }
    free(text);
    return n;
}

TEST_WITH(dashboard_and_alerts_name_what_exists, setup, loop_fixture_teardown)
{
    types("ann", "/ping one");
    const char *text = metrics_write(&m, loop_fixture_process).p;
    assert_true(names_exist("docker/grafana.json", text) >= 17);
    assert_true(names_exist("docker/alerts.yml", text) >= 10);
}
