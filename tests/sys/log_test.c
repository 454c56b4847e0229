/* Lines of the log in each format: whole, on one line, and readable again whatever a value holds. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <unistd.h>

#include "file.h"
#include "log.h"

static struct err err;
static int screen;
static char text[8192];

FIXTURE(setup)
{
    log_open(LOG_INFO);
    return !scratch_open();
}

FIXTURE(teardown)
{
    log_set_format(LOG_TEXT);
    scratch_close();
    return 0;
}

static void begins(enum log_format format)
{
    log_set_format(format);
    fflush(stderr);
    screen = dup(STDERR_FILENO);
    int file = open(scratch_file("log").p, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    close(file);
}

/* What was logged since begins(). */
static const char *logged(void)
{
    struct str bytes;
    fflush(stderr);
    dup2(screen, STDERR_FILENO);
    close(screen);
    OK(file_read(scratch_file("log").p, sizeof text - 1, &bytes, &err));
    snprintf(text, sizeof text, "%.*s", (int)bytes.n, bytes.p);
    file_free(bytes);
    return text;
}

static const char *line_of(enum log_format format, const char *value)
{
    begins(format);
    log_line(LOG_WARN, "poll_failed", "account", "telegram", "why", value, NULL);
    const char *line = logged();
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    return line;
}

TEST_WITH(text_is_for_people, setup, teardown)
{
    const char *line = line_of(LOG_TEXT, "no \"answer\"\nat all");
    assert_string_equal(line + strlen("2026-11-22T18:05:00.123Z"),
                        " warn poll_failed account=telegram why=\"no 'answer'?at all\"\n");
}

TEST_WITH(logfmt_is_pairs, setup, teardown)
{
    const char *line = line_of(LOG_LOGFMT, "no \"answer\" in C:\\");
    assert_true(str_starts(str_of(line), STR("time=20")));
    assert_non_null(strstr(line, "Z level=warn event=poll_failed account=telegram "
                                 "why=\"no \\\"answer\\\" in C:\\\\\"\n"));
    assert_non_null(strstr(line_of(LOG_LOGFMT, ""), " why=\"\"\n"));
    assert_non_null(strstr(line_of(LOG_LOGFMT, "plain"), " why=plain\n"));
}

/* The value that comes back is the one that went in, or what stands for bytes that are no text. */
static void json_comes_back(const char *value, const char *expected)
{
    const char *line = line_of(LOG_JSON, value);
    cJSON *o = cJSON_Parse(line);
    if (!o)
        fail_msg("not JSON: %s", line);
    const cJSON *why = cJSON_GetObjectItemCaseSensitive(o, "why");
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(o, "level")->valuestring, "warn");
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(o, "event")->valuestring, "poll_failed");
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(o, "time")->valuestring[10], 'T');
    if (expected)
        assert_string_equal(why->valuestring, expected);
    else
        assert_null(why);
    cJSON_Delete(o);
}

TEST_WITH(json_is_whole, setup, teardown)
{
    char endless[5000];
    memset(endless, '"', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    json_comes_back("plain", "plain");
    json_comes_back("", "");
    json_comes_back("a \"b\" \\ c", "a \"b\" \\ c");
    json_comes_back("\t\n\x1b[0m", "???[0m");
    json_comes_back("花札 ☀", "花札 ☀");
    json_comes_back("cut \xe8\x8a", "cut ??");
    json_comes_back(endless, NULL);
}

/* Programs compare and add up numbers; a version or an id that looks like one stays text. */
TEST_WITH(numbers_are_numbers_in_json, setup, teardown)
{
    begins(LOG_JSON);
    log_line(LOG_WARN, "sent", "#ms", "250", "#by", "-3", "version", "0.2", "chat", "17", "#row",
             "none", NULL);
    const char *line = logged();
    assert_non_null(strstr(line, "\"ms\":250,\"by\":-3,\"version\":\"0.2\",\"chat\":\"17\","
                                 "\"row\":\"none\"}"));
    begins(LOG_TEXT);
    log_line(LOG_WARN, "sent", "#ms", "250", NULL);
    assert_non_null(strstr(logged(), " sent ms=250\n"));
}

TEST_WITH(the_last_error_is_kept_as_text, setup, teardown)
{
    begins(LOG_JSON);
    log_line(LOG_ERROR, "store_failed", "why", "disk full", NULL);
    log_line(LOG_WARN, "poll_failed", NULL);
    (void)logged();
    assert_non_null(strstr(log_last_error().p, "Z error store_failed why=\"disk full\""));
}

TEST_WITH(levels_below_are_dropped, setup, teardown)
{
    begins(LOG_JSON);
    log_line(LOG_DEBUG, "sent", "row", "1", NULL);
    assert_string_equal(logged(), "");
}

TEST_WITH(formats_have_names, setup, teardown)
{
    enum log_format f = LOG_TEXT;
    assert_true(log_format_of(STR("json"), &f));
    assert_int_equal(f, LOG_JSON);
    assert_true(log_format_of(STR("logfmt"), &f));
    assert_int_equal(f, LOG_LOGFMT);
    assert_false(log_format_of(STR("xml"), &f));
    assert_int_equal(f, LOG_LOGFMT);
}

TEST_WITH(what_is_undone_leaves_no_line, setup, teardown)
{
    struct log_held held = {0};
    begins(LOG_LOGFMT);
    log_hold(&held, LOG_INFO, "done", "match", "1", NULL);
    size_t mark = held.n;
    for (int i = 0; i < 100; i++)
        log_hold(&held, LOG_INFO, "undone", "match", "2", NULL);
    log_hold(&held, LOG_DEBUG, "too_quiet", NULL);
    held.n = mark;
    log_line(LOG_INFO, "before", NULL);
    log_release(&held);
    log_release(&held);
    free(held.text);
    const char *lines = logged();
    const char *before = strstr(lines, "event=before\n"),
               *done = strstr(lines, "event=done match=1\n");
    assert_true(before && done && before < done);
    assert_null(strstr(done + 1, "event="));
    assert_null(strstr(lines, "undone"));
    assert_null(strstr(lines, "too_quiet"));
}

/* Until it reads again; then the log says how many lines are missing. */
TEST_WITH(who_does_not_read_the_log_holds_up_nobody, setup, teardown)
{
    enum { LINES = 5000 };
    static char all[1 << 20];
    int ends[2], n_there = 0;
    struct log_held held = {0};
    assert_int_equal(pipe(ends), 0);
    log_set_format(LOG_LOGFMT);
    fflush(stderr);
    screen = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    for (int i = 0; i < LINES / 2; i++)
        log_line(LOG_INFO, "sent", "chat", "a chat with a long name, so that the pipe is full",
                 NULL);
    for (int i = 0; i < LINES / 2; i++)
        log_hold(&held, LOG_INFO, "sent", "chat", "another chat with a long name", NULL);
    log_release(&held);
    free(held.text);
    ssize_t n = read(ends[0], all, sizeof all - 1);
    log_line(LOG_INFO, "after", NULL);
    dup2(screen, STDERR_FILENO);
    close(screen);
    assert_true(n > 0);
    for (ssize_t more; (more = read(ends[0], all + n, sizeof all - 1 - (size_t)n)) > 0;)
        n += more;
    close(ends[0]);
    all[n] = '\0';
    for (const char *at = all; (at = strstr(at, "event=sent")); at++)
        n_there++;
    assert_in_range(n_there, 1, LINES - 1);
    snprintf(text, sizeof text, "event=log_lost lines=%d", LINES - n_there);
    const char *lost = strstr(all, text), *after = strstr(all, "event=after\n");
    assert_true(lost && after && lost < after);
    assert_int_equal(all[n - 1], '\n');
}
