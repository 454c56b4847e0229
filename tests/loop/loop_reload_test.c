/* SIGHUP: texts, rule sets and options are read again, all of them or, if one has a fault, none. */
#include "engine/test.h"
#include "fixture/loop_fixture.h"

#include <sys/stat.h>

#include "file.h"
#include "log.h"
#include "loop_internal.h"

static struct err err;
static struct config fresh; /* what the configuration says now */
static bool readable;

static bool read_again(void *arg, struct arena *a, struct config *ret, struct err *why)
{
    (void)arg;
    *ret = fresh;
    ret->language = arena_str(a, fresh.language);
    ret->rules = arena_str(a, fresh.rules);
    ret->texts_dir = arena_str(a, fresh.texts_dir);
    ret->rules_dir = arena_str(a, fresh.rules_dir);
    return readable || err_set(why, "koikoi.conf:1: not a whole number");
}

FIXTURE(setup)
{
    readable = true;
    loop_fixture_begin(&(struct loop_fixture_options){.reload = read_again});
    loop_fixture_config.log_level = STR("");
    loop_fixture_start();
    fresh = loop_fixture_config;
    return 0;
}

static int teardown(void **state)
{
    log_set_format(LOG_TEXT);
    return loop_fixture_teardown(state);
}

static void types(const char *from, const char *text)
{
    peer_types(loop_fixture_peer, "tea", from, text);
    loop_fixture_run(5000);
}

static int said(const char *text)
{
    return peer_asked(loop_fixture_peer, "sendMessage", text);
}

/* The English catalogue with one word for another, in the folder "texts". */
static void write_texts(const char *was, const char *is)
{
    struct str file;
    OK(file_read("config/texts/en.json", 1 << 22, &file, &err));
    char *text = strndup(file.p, file.n), *all = malloc(file.n + 4096);
    file_free(file);
    assert_non_null(text);
    assert_non_null(all);
    char *at = strstr(text, was);
    assert_non_null(at);
    snprintf(all, strlen(text) + 4096, "%.*s%s%s", (int)(at - text), text, is, at + strlen(was));
    mkdir(scratch_file("texts").p, 0700);
    scratch_write("texts/en.json", all);
    fresh.texts_dir = arena_str(loop_fixture_process, scratch_file("texts"));
    free(text);
    free(all);
}

TEST_WITH(texts_are_read_again, setup, teardown)
{
    types("ann", "/ping one");
    assert_int_equal(said("pong one"), 1);
    for (int i = 0; i < 3; i++) {
        write_texts("pong {text}", "ding dong {text}");
        reload_config(loop_fixture);
        types("ann", "/ping two");
        assert_int_equal(said("ding dong two"), i + 1);
    }
    assert_int_equal(said("pong two"), 0);
}

TEST_WITH(rule_sets_are_read_again, setup, teardown)
{
    types("ann", "/challenge @bo village");
    int before = said("challenges");
    mkdir(scratch_file("rules").p, 0700);
    scratch_write("rules/village.json", "{\"name\":\"village\",\"extends\":\"standard\"}");
    fresh.rules_dir = arena_str(loop_fixture_process, scratch_file("rules"));
    fresh.rules = STR("village");
    reload_config(loop_fixture);
    types("ann", "/challenge @bo");
    assert_int_equal(said("challenges"), before + 1);
    assert_int_equal(said("village rules"), 1);
}

TEST_WITH(operators_and_the_language_are_read_again, setup, teardown)
{
    static const char *const answers[] = {"I do not know", "Messages that wait",
                                          "Wartende Nachrichten"};
    static const struct {
        const char *operators, *language;
        int answer;
    } rows[] = {{"wire:annie other:ann", "en", 0},
                {"wire:bo wire:ann", "de", 2},
                {"wire:ann", "en", 1},
                {"", "en", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int before = said(answers[rows[i].answer]), all = peer_count(loop_fixture_peer);
        fresh.operators = str_of(rows[i].operators);
        fresh.language = str_of(rows[i].language);
        reload_config(loop_fixture);
        types("ann", "/status");
        assert_true(peer_count(loop_fixture_peer) > all);
        assert_int_equal(said(answers[rows[i].answer]), before + 1);
    }
}

TEST_WITH(a_fault_leaves_all_as_it_was, setup, teardown)
{
    const struct config *was = loop_fixture->parts.config;
    write_texts("\"pong {text}\"", "pong");
    fresh.think_ms = 7;
    reload_config(loop_fixture);
    types("ann", "/ping one");
    assert_int_equal(said("pong one"), 1);
    write_texts("pong {text}", "ding dong {text}");
    fresh.rules = STR("no such rules");
    reload_config(loop_fixture);
    types("ann", "/ping two");
    assert_int_equal(said("pong two"), 1);
    fresh.rules = STR("sensei");
    readable = false;
    reload_config(loop_fixture);
    types("ann", "/ping three");
    assert_int_equal(said("pong three"), 1);
    assert_ptr_equal(loop_fixture->parts.config, was);
    readable = true;
    reload_config(loop_fixture);
    types("ann", "/ping four");
    assert_int_equal(said("ding dong four"), 1);
    assert_int_equal(loop_fixture->parts.config->think_ms, 7);
}

TEST_WITH(a_match_goes_on_by_its_rules, setup, teardown)
{
    types("ann", "/challenge @bo standard");
    fresh.rules = STR("okoshki");
    fresh.retention_days = 30;
    reload_config(loop_fixture);
    types("bo", "/accept");
    assert_true(said("to move") > 0);
    assert_int_equal(loop_fixture->parts.config->retention_days, 30);
}

TEST_WITH(the_log_follows, setup, teardown)
{
    assert_false(log_wants(LOG_ERROR));
    fresh.log_level = STR("error");
    reload_config(loop_fixture);
    assert_true(log_wants(LOG_ERROR));
    assert_false(log_wants(LOG_WARN));
    log_open(LOG_NOTHING);
}

/* What needs a restart is named and stays. */
TEST_WITH(the_rest_needs_a_restart, setup, teardown)
{
    struct config c = loop_fixture_config, other = c;
    const char *kept[CONFIG_OWN];
    assert_int_equal(config_adopt(&c, &other, kept), 0);
    other.threads = 9;
    other.metrics = !c.metrics;
    other.store = STR("elsewhere.db");
    other.think_ms = 5;
    other.language = STR("ja");
    assert_int_equal(config_adopt(&c, &other, kept), 3);
    assert_string_equal(kept[0], "store");
    assert_string_equal(kept[1], "threads");
    assert_string_equal(kept[2], "metrics");
    assert_int_equal(c.threads, loop_fixture_config.threads);
    assert_int_equal(c.think_ms, 5);
    assert_true(str_is(c.language, STR("ja")));
}
