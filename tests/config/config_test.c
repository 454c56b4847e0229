/* Configuration: right values come from their sources in order; errors name the place of wrong
 * ones. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include <sys/stat.h>

#include "config.h"

static struct arena *a;
static struct err err;
static struct config c;

/* No KOIKOI_ variable of the caller may reach a test, nor their language. */
static void clean_environment(void)
{
    unsetenv("LC_ALL");
    unsetenv("LC_MESSAGES");
    unsetenv("LANG");
    for (char **e = environ; e && *e;) {
        char name[128];
        if (strncmp(*e, "KOIKOI_", 7) != 0) {
            e++;
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*e, "="), *e);
        unsetenv(name);
        e = environ;
    }
}

FIXTURE(setup)
{
    a = arena_open(1 << 25);
    if (!scratch_open())
        return 1;
    clean_environment();
    setenv("KOIKOI_STATE_DIR", scratch_file("state").p, 1);
    return 0;
}

FIXTURE(teardown)
{
    clean_environment();
    rmdir(scratch_file("state").p);
    scratch_close();
    arena_close(a);
    return 0;
}

static bool load(const char *text)
{
    memset(&c, 0, sizeof c);
    scratch_write("koikoi.conf", text);
    return config_load(scratch_file("koikoi.conf"), STR("terminal"), a, &c, &err);
}

#define SAYS(str_, literal) assert_string_equal(arena_str(a, str_).p, literal)

/* The error contains all of these. */
static void refused(const char *text, const char *place, const char *reason)
{
    if (load(text))
        fail_msg("taken: %s", text);
    if (!strstr(err.text, place) || !strstr(err.text, reason))
        fail_msg("\"%s\" names neither %s nor %s", err.text, place, reason);
}

TEST_WITH(defaults_hold_without_a_file, setup, teardown)
{
    setenv("KOIKOI_CONFIG", "", 1);
    OK(config_load(STR(""), STR("terminal"), a, &c, &err));
    SAYS(c.rules, "sensei");
    SAYS(c.language, "en");
    SAYS(c.log_level, "info");
    SAYS(c.log_format, "text");
    assert_int_equal(c.threads, 1);
    assert_string_equal(arena_str(a, c.store).p,
                        arena_print(a, "%s/koikoi.db", scratch_file("state").p).p);
    assert_int_equal(c.n_accounts, 1);
}

TEST_WITH(the_state_folder_is_made_and_private, setup, teardown)
{
    assert_int_equal(scratch_mode("state"), -1);
    OK(load(""));
    assert_int_equal(scratch_mode("state"), 0700);
}

TEST_WITH(a_file_is_read_line_by_line, setup, teardown)
{
    OK(load("# a comment\n\n  threads = 3  \nrules=okoshki\r\n; another\noperators = \n"));
    assert_int_equal(c.threads, 3);
    SAYS(c.rules, "okoshki");
    SAYS(c.operators, "");
}

/* As gettext(3) reads them: the first of the three that is not empty. */
TEST_WITH(the_language_is_that_of_the_system_if_none_is_set, setup, teardown)
{
    setenv("LANG", "de_AT.UTF-8", 1);
    OK(load(""));
    SAYS(c.language, "de");
    OK(load("language = ru\n"));
    SAYS(c.language, "ru");
    setenv("LC_MESSAGES", "ja_JP.UTF-8", 1);
    setenv("LC_ALL", "", 1);
    OK(load(""));
    SAYS(c.language, "ja");
    setenv("LC_ALL", "C.UTF-8", 1);
    OK(load(""));
    SAYS(c.language, "en");
    setenv("LC_ALL", "xx_XX", 1); /* without a catalogue */
    OK(load("language =\n"));
    SAYS(c.language, "en");
}

TEST_WITH(a_long_value_is_whole, setup, teardown)
{
    char text[1200] = "store = ";
    memset(text + 8, 'k', 1000);
    OK(load(text));
    assert_int_equal(c.store.n, 1000);
    OK(load("store = a #b ;c = d"));
    SAYS(c.store, "a #b ;c = d");
}

TEST_WITH(the_environment_wins_over_the_file, setup, teardown)
{
    setenv("KOIKOI_THREADS", "5", 1);
    OK(load("threads = 3\nrules = okoshki\n"));
    assert_int_equal(c.threads, 5);
    SAYS(c.rules, "okoshki");
}

TEST_WITH(a_variable_may_name_a_file_with_the_value, setup, teardown)
{
    scratch_write("rules.secret", "mongolopedia\n");
    setenv("KOIKOI_RULES_FILE", scratch_file("rules.secret").p, 1);
    OK(load(""));
    SAYS(c.rules, "mongolopedia");
    setenv("KOIKOI_RULES", "okoshki", 1);
    refused("", "KOIKOI_RULES", "both");
    unsetenv("KOIKOI_RULES");
    setenv("KOIKOI_RULES_FILE", scratch_file("none").p, 1);
    refused("", "KOIKOI_RULES_FILE", "cannot be read");
}

/* As systemd lays down what LoadCredential names. */
/* Editors put a mark of byte order in front; a value alone in a file may have quotes. */
TEST_WITH(the_mark_of_byte_order_is_skipped, setup, teardown)
{
    scratch_write("value", "\xEF\xBB\xBFokoshki\r\n");
    setenv("KOIKOI_RULES_FILE", scratch_file("value").p, 1);
    OK(load("\xEF\xBB\xBFthreads = 2\n"));
    SAYS(c.rules, "okoshki");
    assert_int_equal(c.threads, 2);
    scratch_write("value", "\"okoshki\"");
    OK(load(""));
    SAYS(c.rules, "\"okoshki\"");
    unsetenv("KOIKOI_RULES_FILE");
    scratch_write("value", "\xEF\xBB\xBF"
                           "123456789:AAtest-token_of_the_world\n");
    setenv("KOIKOI_TELEGRAM_TOKEN_FILE", scratch_file("value").p, 1);
    OK(config_load(STR(""), STR("telegram"), a, &c, &err));
    OK(registry_open(&c.accounts[0], a, &err));
    c.accounts[0].adapter->close(c.accounts[0].state);
}

/* ---- advice ---- */

static bool advises(const char *text, const char *words)
{
    struct str at[CONFIG_ADVICE];
    bool found = false;
    arena_reset(a);
    scratch_write("koikoi.conf", text);
    if (!config_load(scratch_file("koikoi.conf"), STR(""), a, &c, &err))
        fail_msg("%s", err.text);
    int n = config_advice(&c, a, at);
    for (int i = 0; i < n; i++)
        found |= memmem(at[i].p, at[i].n, words, strlen(words)) != NULL;
    return words[0] ? found : n > 0;
}

#define TOKEN "[telegram]\ntoken = 123456:AAtest-token_of_the_world\n"

/* What works and is hardly wanted is said; what is usual is not. */
TEST_WITH(a_configuration_that_works_is_advised_on, setup, teardown)
{
    static const char *const none[] = {
        TOKEN,
        "operators = telegram:5\nlisten = [::1]:8080\nmetrics = yes\n" TOKEN,
        "listen = 0.0.0.0:8080\nmetrics = yes\nmetrics_listen = 127.0.0.1:9\n" TOKEN,
        TOKEN "api_root = http://127.0.0.1:8081\n",
        TOKEN "api_root = http://[::1]:8081\n",
        TOKEN "api_root = https://bot-api.home\n",
        "store = postgresql://koikoi@localhost/koikoi\n" TOKEN,
        "store = postgresql:///koikoi?host=/run/postgresql\n" TOKEN,
        "store = postgresql://koikoi:a@b@db.home/koikoi?sslmode=verify-full\n" TOKEN,
        "operators = matrix:@you:example.org\n[matrix]\ntoken = x\nhomeserver = "
        "https://example.org\n",
    };
    static const struct {
        const char *text, *words;
    } some[] = {
        {TOKEN "api_root = http://bot-api.home:8081\n", "[telegram] api_root: tokens and hands"},
        {TOKEN "api_root = http://192.168.1.5\n", "go to 192.168.1.5 in the clear"},
        {"[matrix]\ntoken = x\nhomeserver = http://hs.home\n", "[matrix] homeserver"},
        {"listen = 0.0.0.0:8080\nmetrics = yes\n" TOKEN, "metrics: answered at every address"},
        {"metrics_listen = [::]:8080\nmetrics = yes\n" TOKEN, "metrics: answered at every"},
        {TOKEN "webhook_url = https://x.example/telegram\nwebhook_secret = aaaaaaaaaaaaaaaaaaaa\n",
         "webhook_secret: easy to guess"},
        {"store = postgresql://koikoi:pw@db.home:5432/koikoi\n" TOKEN, "sslmode="},
        {"store = postgresql://koikoi:pw@127.0.0.1:1,db.home:2/koikoi\n" TOKEN, "sslmode="},
        {"store = postgresql://koikoi:pw@db.home:2,127.0.0.1:1/koikoi\n" TOKEN, "sslmode="},
        {"operators = matrix:@you:example.org\n" TOKEN, "no account of matrix"},
        {"operators = telegram:@ann\n" TOKEN, "telegram:@ann is never met: expected an id"},
        {"operators = telegram:0123\n" TOKEN, "never met"},
        {"operators = matrix:ann\n[matrix]\ntoken = x\nhomeserver = https://example.org\n",
         "such as matrix:@you:example.org"},
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (advises(none[i], ""))
            fail_msg("advice on: %s", none[i]);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (!advises(some[i].text, some[i].words))
            fail_msg("no \"%s\" on: %s", some[i].words, some[i].text);
    setenv("PGSSLMODE", "require", 1);
    assert_false(advises("store = postgresql://koikoi@db.home/koikoi\n" TOKEN, "sslmode="));
    setenv("PGSSLMODE", "", 1); /* as if it were not set */
    assert_true(advises("store = postgresql://koikoi@db.home/koikoi\n" TOKEN, "sslmode="));
    unsetenv("PGSSLMODE");
    OK(load(""));
    chmod(c.state_dir.p, 0777);
    assert_true(advises(TOKEN, "state_dir: anybody on this machine"));
    chmod(c.state_dir.p, 01777); /* as /tmp, which must stay as it is */
    assert_true(advises(TOKEN, "name a folder of its own"));
    assert_false(advises(TOKEN, "chmod"));
}

#define SERVER "store = postgresql://koikoi:pw@127.0.0.1/koikoi\n"

TEST_WITH(a_credential_of_the_service_manager_is_read, setup, teardown)
{
    scratch_write("koikoi_language", "ja\n");
    scratch_write("of_another_program", "x");
    setenv("CREDENTIALS_DIRECTORY", scratch_file(".").p, 1);
    OK(load("language = pl\nthreads = 2\n"));
    SAYS(c.language, "ja");
    assert_int_equal(c.threads, 2);
    assert_string_equal(arena_str(a, c.key_file).p,
                        arena_print(a, "%s/koikoi.db.key", scratch_file("state").p).p);
    OK(load(SERVER));
    assert_string_equal(arena_str(a, c.key_file).p,
                        arena_print(a, "%s/koikoi.key", scratch_file("state").p).p);
    setenv("KOIKOI_LANGUAGE", "ru", 1);
    refused("", "KOIKOI_LANGUAGE", "both");
    unsetenv("KOIKOI_LANGUAGE");
    scratch_write("koikoi_key", "12345678901234567890123456789012");
    static const char *const stores[] = {"", SERVER};
    for (int i = 0; i < 2; i++) {
        OK(load(stores[i]));
        assert_string_equal(arena_str(a, c.key_file).p, scratch_file("./koikoi_key").p);
    }
    scratch_write("koikoi_tokn", "x");
    refused("", "KOIKOI_TOKN", "no such option");
    unsetenv("CREDENTIALS_DIRECTORY");
}

TEST_WITH(files_with_secrets_that_others_may_read_are_found, setup, teardown)
{
    const char *found[CONFIG_EXPOSED];
    const char *conf = arena_str(a, scratch_file("koikoi.conf")).p;
    const char *token = arena_str(a, scratch_file("token")).p;
    scratch_write("token", "123:secret");
    chmod(scratch_file(".").p, 0711);
    OK(load("think_ms = 9\n"));
    chmod(conf, 0644);
    assert_int_equal(config_exposed(&c, a, found), 0); /* it contains no secret */
    OK(load("[telegram]\ntoken = 123:secret\n"));
    chmod(conf, 0644);
    assert_int_equal(config_exposed(&c, a, found), 1);
    assert_string_equal(found[0], conf);
    chmod(conf, 0640);
    assert_int_equal(config_exposed(&c, a, found), 0); /* groups may have access on purpose */
    setenv("KOIKOI_TELEGRAM_TOKEN_FILE", token, 1);
    OK(load(""));
    chmod(token, 0604);
    assert_int_equal(config_exposed(&c, a, found), 1);
    assert_string_equal(found[0], token);
    chmod(scratch_file(".").p, 0700);
    assert_int_equal(config_exposed(&c, a, found), 0); /* they cannot enter the folder */
    chmod(token, 0600);
    chmod(scratch_file(".").p, 0711);
    scratch_write("store", "");
    c.store = scratch_file("store");
    chmod(scratch_file("store").p, 0646);
    assert_int_equal(config_exposed(&c, a, found), 1);
    chmod(scratch_file(".").p, 0700);
}

TEST_WITH(unknown_options_are_refused_by_name_and_line, setup, teardown)
{
    refused("beacon = api.drand.sh\n", "beacon", "expected an address https://");
    refused("\nthread = 3\n", "koikoi.conf:2", "thread");
    refused("rules = a\n[telegraph]\n", "koikoi.conf:2", "telegraph");
    refused("what is this\n", "koikoi.conf:1", "key = value");
    refused("[open\n", "koikoi.conf:1", "[name]");
    refused("[]\n", "koikoi.conf:1", "section");
    refused("rules = a\n\nrules = b\n", "koikoi.conf:3", "second time");
    refused("rules = a\xff\n", "koikoi.conf:1", "UTF-8");
    setenv("KOIKOI_TREADS", "3", 1);
    refused("", "KOIKOI_TREADS", "no such option");
}

TEST_WITH(bad_values_are_refused_with_the_reason, setup, teardown)
{
    refused("operators = telegram:1 ann\n", "operators", "NETWORK:ID");
    refused("operators = telegraph:1\n", "operators", "telegraph:1");
    refused("operators = telegram:\n", "operators", "NETWORK:ID");
    OK(load("operators = telegram:123 matrix:@you:example.org\n"));
    refused("threads = many\n", "koikoi.conf:1", "whole number from 1 to 64");
    refused("threads = 0\n", "koikoi.conf:1", "whole number from 1 to 64");
    refused("threads = 65\n", "threads", "whole number from 1 to 64");
    refused("threads = 3 4\n", "threads", "whole number from 1 to 64");
    refused("log_level = loud\n", "log_level", "loud");
    refused("threads = 2   # of them\n", "got 2   # of them: comments stand on lines of their own",
            "koikoi.conf:1");
    refused("metrics = no\t; not yet\n", "expected yes or no", "comments stand on lines");
    scratch_write("koikoi.conf", "[telegram]\npace = 18   # messages a minute\n");
    assert_false(config_load(scratch_file("koikoi.conf"), STR("telegram"), a, &c, &err));
    assert_non_null(strstr(err.text, "koikoi.conf:2: pace"));
    assert_non_null(strstr(err.text, "got 18   # messages a minute: comments stand on lines of "
                                     "their own"));
    refused("rules = \"standard\"\n", "koikoi.conf:1: rules", "quotes would be part");
    refused("language = 'de'\n", "language", "quotes would be part");
    refused("rules = “standard”\n", "rules", "quotes would be part");
    refused("language = „de“\n", "language", "quotes would be part");
    refused("rules = standard # mine\n", "koikoi.conf:1: rules", "comments stand on lines");
    refused("store = /tmp/koikoi.db\t; here\n", "store", "comments stand on lines");
    OK(load("state_dir =\n[matrix]\nallow = @ann:hs #tea:hs\nhomeserver = hs\ntoken = x\n"));
    refused("store = host=127.0.0.1 port=5432\n", "store", "postgresql://");
    refused("store = dbname=koikoi\n", "store", "postgresql://");
    refused("store = sqlite:///koikoi.db\n", "store", "another kind");
    refused("proxy = proxy.home:3128\n", "proxy", "http://HOST:PORT");
    setenv("KOIKOI_THREADS", "x", 1);
    refused("", "KOIKOI_THREADS", "whole number");
}

/* A line of so many letters x, with the words around them. */
static const char *with_letters(const char *before, int n, const char *after)
{
    char *letters = arena_alloc(a, (size_t)n + 1);
    memset(letters, 'x', (size_t)n);
    return arena_print(a, "%s%.*s%s", before, n, letters, after).p;
}

TEST_WITH(values_are_taken_up_to_their_ends, setup, teardown)
{
    const char *const taken[] = {"threads = 1\n",
                                 "threads = 64\n",
                                 "metrics = false\n",
                                 "metrics = no\n",
                                 "metrics = off\n",
                                 "metrics = 0\n",
                                 "rules = a#b\n",
                                 "rules = #a\n",
                                 "rules = a #\n",
                                 "rules = \"\n",
                                 "proxy = none\n",
                                 "proxy = socks5h://a\n",
                                 "proxy = http://a\n",
                                 "  # rules = a\n;\n\n\t[telegram.z9]\t\n",
                                 with_letters("rules = ", 8192, "\n"),
                                 with_letters("[telegram.", 32, "]\n")};
    const char *const yes[] = {"yes", "true", "on", "1"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!load(taken[i]))
            fail_msg("%s: %s", taken[i], err.text);
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        OK(load(arena_print(a, "listen = 127.0.0.1:1\nmetrics = %s\n", yes[i]).p));
        assert_true(c.metrics);
    }
    refused(with_letters("rules = ", 8193, "\n"), "rules", "at most 8192 bytes");
    refused(with_letters("[telegram.", 33, "]\n"), "koikoi.conf:1", "there is no section");
    refused("[telegram.]\n", "koikoi.conf:1", "there is no section [telegram.]");
    refused("[telegram.Second]\n", "koikoi.conf:1", "there is no section");
    refused("[telegram.a-b]\n", "koikoi.conf:1", "there is no section");
    refused("[telegram\n", "koikoi.conf:1", "a section is [name]");
    refused("proxy = http://\n", "proxy", "expected");
    refused("proxy = ftp://a\n", "proxy", "expected");
    refused("metrics = 2\n", "metrics", "expected yes or no");
    refused("metrics = yes\n", "metrics", "expected listen or metrics_listen");
    refused("metrics_listen = 127.0.0.1:1\n", "metrics_listen", "expected metrics = yes");
    refused("state_dir = /tmp\nrules_dir = /etc/passwd\n", "rules_dir", "there is no folder");
    refused(with_letters("threads = ", 60, "\n"), "threads", with_letters("got ", 60, ""));
    refused(with_letters("threads = ", 59, "zz\n"), "threads", with_letters("got ", 59, "z"));
    assert_null(strstr(err.text, "zz"));
}

TEST_WITH(a_file_that_is_asked_for_must_be_there, setup, teardown)
{
    assert_false(config_load(scratch_file("no.conf"), STR(""), a, &c, &err));
    assert_non_null(strstr(err.text, "no.conf"));
    assert_false(config_load(STR(""), STR("carrier-pigeon"), a, &c, &err));
    assert_non_null(strstr(err.text, "carrier-pigeon"));
}

/* No random line crashes the parser or is accepted silently: each is right or refused. */
TEST_WITH(nonsense_is_refused, setup, teardown)
{
    uint64_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        char text[65];
        for (int k = 0; k < 64; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text[k] = "[]=#;\n ab\xc3\x01tr"[(seed >> 33) % 14];
        }
        text[64] = '\0';
        if (load(text))
            for (const char *p = text; p; p = strchr(p, '\n'), p = p ? p + 1 : p) {
                const char *q = p + strspn(p, " ");
                assert_true(*q == '\0' || *q == '\n' || *q == '#' || *q == ';');
            }
        arena_reset(a);
    }
}

TEST_WITH(the_file_in_the_repository_lists_every_option, setup, teardown)
{
    struct str want = config_example(a);
    char *have = arena_alloc(a, 65536);
    FILE *f = fopen("config/koikoi.conf", "r");
    assert_non_null(f);
    size_t n = fread(have, 1, 65535, f);
    fclose(f);
    if (!str_is(want, (struct str){have, n})) {
        f = fopen("build/koikoi.conf", "w");
        assert_non_null(f);
        fwrite(want.p, 1, want.n, f);
        fclose(f);
        fail_msg("config/koikoi.conf does not list what there is; build/koikoi.conf does: copy it "
                 "there");
    }
}

TEST_WITH(the_file_in_the_repository_can_be_used_as_it_is, setup, teardown)
{
    OK(config_load(STR("config/koikoi.conf"), STR("terminal"), a, &c, &err));
    SAYS(c.rules, "sensei");
}

TEST_WITH(networks_are_chosen_by_their_names, setup, teardown)
{
    OK(config_load(STR("config/koikoi.conf"), STR("terminal,matrix"), a, &c, &err));
    assert_int_equal(c.n_accounts, 2);
    SAYS(c.accounts[0].name, "matrix");
    SAYS(c.accounts[1].name, "terminal");
    memset(&c, 0, sizeof c);
    OK(config_load(STR("config/koikoi.conf"), STR("terminal"), a, &c, &err));
    assert_int_equal(c.n_accounts, 1);
    memset(&c, 0, sizeof c);
    assert_false(config_load(STR("config/koikoi.conf"), STR("pigeon"), a, &c, &err));
    memset(&c, 0, sizeof c);
    OK(config_load(STR("config/koikoi.conf"), STR(""), a, &c, &err)); /* no network is set up */
    assert_int_equal(c.n_accounts, 2);                                /* with pages beside it */
    SAYS(c.accounts[0].name, "terminal");
    SAYS(c.accounts[1].name, "web");
}

TEST_WITH(a_network_has_as_many_accounts_as_sections, setup, teardown)
{
    setenv("KOIKOI_TELEGRAM_SECOND_PACE", "5", 1);
    scratch_write("koikoi.conf", "[telegram.second]\ntoken = 2:b\n[telegram]\ntoken = 1:a\n"
                                 "[telegram.third2]\ntoken = 3:c\n");
    OK(config_load(scratch_file("koikoi.conf"), STR(""), a, &c, &err));
    assert_int_equal(c.n_accounts, 3);
    SAYS(c.accounts[0].name, "telegram");
    SAYS(c.accounts[1].name, "telegram.second");
    SAYS(c.accounts[2].name, "telegram.third2");
    assert_ptr_equal(c.accounts[1].adapter, c.accounts[0].adapter);
    for (int i = 0; i < 3; i++)
        OK(registry_open(&c.accounts[i], a, &err));
    assert_true(c.accounts[1].limits.per_chat_minute != c.accounts[0].limits.per_chat_minute);
    for (int i = 0; i < 3; i++)
        c.accounts[i].adapter->close(c.accounts[i].state);
    memset(&c, 0, sizeof c);
    OK(config_load(scratch_file("koikoi.conf"), STR("telegram"), a, &c, &err));
    assert_int_equal(c.n_accounts, 3);
    memset(&c, 0, sizeof c);
    OK(config_load(scratch_file("koikoi.conf"), STR("telegram.second"), a, &c, &err));
    assert_int_equal(c.n_accounts, 1);
    SAYS(c.accounts[0].name, "telegram.second");
}

/* 48 accounts, the one of each network among them, whether it is used or not. */
TEST_WITH(there_are_so_many_accounts_and_no_more, setup, teardown)
{
    enum { MOST = 48 };
    char text[64 * MOST] = "";
    int more = MOST;
    for (int i = 0; registry[i]; i++)
        more--;
    for (int i = 0; i < more; i++)
        snprintf(text + strlen(text), 64, "[telegram.a%d]\ntoken = %d:a\n", i, i + 1);
    OK(load(text));
    snprintf(text + strlen(text), 64, "[telegram.b]\ntoken = 99:a\n");
    refused(text, "koikoi.conf", "more than 48 accounts");
}

/* A line of the file has been looked at already; a variable has not. */
TEST_WITH(a_variable_is_a_text, setup, teardown)
{
    setenv("KOIKOI_OPERATORS", "telegram:\xff", 1);
    refused("", "KOIKOI_OPERATORS", "not a text");
    unsetenv("KOIKOI_OPERATORS");
}

TEST_WITH(a_section_that_is_no_account_is_refused, setup, teardown)
{
    refused("[telegram.]\ntoken = 1:a\n", ":1", "no section");
    refused("[telegram.B]\ntoken = 1:a\n", ":1", "no section");
    refused("[telegram.a.b]\ntoken = 1:a\n", ":1", "no section");
    refused("[pigeon.a]\ntoken = 1:a\n", ":1", "no section");
    refused("threads = 1\n[.a]\ntoken = 1:a\n", ":2", "no section");
}

/* An image has no file: its accounts come from variables alone. */
TEST_WITH(a_second_account_is_set_by_variables_alone, setup, teardown)
{
    scratch_write("token", "2:b\n");
    setenv("KOIKOI_TELEGRAM_TOKEN", "1:a", 1);
    setenv("KOIKOI_TELEGRAM_SECOND_TOKEN_FILE", scratch_file("token").p, 1);
    setenv("KOIKOI_TELEGRAM_SECOND_POLL_S", "7", 1);
    setenv("KOIKOI_MATRIX_B2_HOMESERVER", "https://example.org", 1);
    setenv("KOIKOI_MATRIX_B2_TOKEN", "x", 1);
    OK(config_load(STR(""), STR(""), a, &c, &err));
    assert_int_equal(c.n_accounts, 3);
    SAYS(c.accounts[0].name, "telegram");
    assert_true(str_is(c.accounts[1].name, STR("telegram.second")) ||
                str_is(c.accounts[2].name, STR("telegram.second")));
    assert_true(str_is(c.accounts[1].name, STR("matrix.b2")) ||
                str_is(c.accounts[2].name, STR("matrix.b2")));
    unsetenv("KOIKOI_MATRIX_B2_TOKEN");
    unsetenv("KOIKOI_MATRIX_B2_HOMESERVER");
    setenv("KOIKOI_TELEGRAM_SECOND_TOKN", "x", 1);
    refused("", "KOIKOI_TELEGRAM_SECOND_TOKN", "no such option");
    unsetenv("KOIKOI_TELEGRAM_SECOND_TOKN");
    setenv("KOIKOI_PIGEON_SECOND_TOKEN", "x", 1);
    refused("", "KOIKOI_PIGEON_SECOND_TOKEN", "no such option");
    unsetenv("KOIKOI_PIGEON_SECOND_TOKEN");
    setenv("KOIKOI_TELEGRAM__TOKEN", "x", 1);
    refused("", "KOIKOI_TELEGRAM__TOKEN", "no such option");
}

/* ---- a command that opens the store alone ---- */

TEST_WITH(a_command_on_the_store_reads_no_other_option, setup, teardown)
{
    scratch_write("koikoi.conf", "store = /srv/koi.db\nthreads = many\nthre = 5\nmetrics = yes\n"
                                 "[telegram]\npace = 3\n[pigeon]\ntoken = x\n");
    setenv("KOIKOI_TELEGRAM_TOKEN_FILE", "/nowhere", 1);
    setenv("KOIKOI_NONSENSE", "1", 1);
    OK(config_load_store(scratch_file("koikoi.conf"), a, &c, &err));
    SAYS(c.store, "/srv/koi.db");
    SAYS(c.key_file, "/srv/koi.db.key");
    assert_int_equal(c.n_accounts, 0);
    assert_int_equal(scratch_mode("state"), -1); /* it makes no folder */
    setenv("KOIKOI_STORE", "/srv/other.db", 1);
    OK(config_load_store(scratch_file("koikoi.conf"), a, &c, &err));
    SAYS(c.store, "/srv/other.db");
    scratch_write("koikoi.conf", "store = \"/srv/koi.db\"\nstate_dir\n");
    assert_false(config_load_store(scratch_file("koikoi.conf"), a, &c, &err));
}

/* The folder of a service, then that of the desktop, then one in HOME; an address that is no path from the root
 * counts as none. */
TEST_WITH(the_state_folder_is_the_services_or_the_persons, setup, teardown)
{
    static const char *const names[] = {"STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"};
    static const struct {
        const char *values[3], *folder; /* NULL: refused */
    } rows[] = {
        {{"/var/lib/koikoi:/var/lib/other", "/x", "/home/ann"}, "/var/lib/koikoi"},
        {{NULL, "/x", "/home/ann"}, "/x/koikoi"},
        {{"koikoi", "/x", "/home/ann"}, "/x/koikoi"},
        {{NULL, NULL, "/home/ann"}, "/home/ann/.local/state/koikoi"},
        {{"", "", "/home/ann"}, "/home/ann/.local/state/koikoi"},
        {{NULL, "x", "/home/ann"}, "/home/ann/.local/state/koikoi"},
        {{NULL, NULL, "ann"}, NULL},
        {{NULL, NULL, NULL}, NULL},
    };
    const char *home = getenv("HOME");
    const char *before = home ? arena_str(a, str_of(home)).p : "/";
    unsetenv("KOIKOI_STATE_DIR");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int k = 0; k < 3; k++)
            if (!rows[i].values[k] || setenv(names[k], rows[i].values[k], 1))
                unsetenv(names[k]);
        bool found = config_load_store(STR(""), a, &c, &err);
        assert_int_equal(found, rows[i].folder != NULL);
        if (found)
            SAYS(c.state_dir, rows[i].folder);
        if (found)
            SAYS(c.store, arena_print(a, "%s/koikoi.db", rows[i].folder).p);
        else
            assert_string_equal(err.text,
                                "state_dir is not set, and there is no HOME to put it in");
    }
    unsetenv("STATE_DIRECTORY");
    unsetenv("XDG_STATE_HOME");
    setenv("HOME", before, 1);
}

TEST_WITH(metrics_without_an_address_name_the_missing_half, setup, teardown)
{
    refused("metrics = yes\n", "metrics", "expected listen or metrics_listen");
    refused("metrics_listen = 127.0.0.1:9\n", "metrics_listen", "expected metrics = yes");
    OK(load("metrics = yes\nlisten = 127.0.0.1:9\n"));
    scratch_write("koikoi.conf", "metrics = yes\n[web]\nlisten = 127.0.0.1:9\n");
    OK(config_load(scratch_file("koikoi.conf"), STR(""), a, &c, &err));
}

/* Of all accounts, and said with the section at fault. */
TEST_WITH(accounts_are_checked_each, setup, teardown)
{
    scratch_write("koikoi.conf", "[telegram]\ntoken = 1:a\n[telegram.second]\ntoken = 1:a\n");
    assert_false(config_load(scratch_file("koikoi.conf"), STR(""), a, &c, &err));
    assert_non_null(strstr(err.text, "koikoi.conf:4: token: the same as that of [telegram]"));
    scratch_write("koikoi.conf", "[telegram]\ntoken = 1:a\n[telegram.second]\npace = 3\n");
    assert_false(config_load(scratch_file("koikoi.conf"), STR(""), a, &c, &err));
    assert_non_null(strstr(err.text, "[telegram.second] is half set up"));
    scratch_write("koikoi.conf", "[telegram.second]\ntoken = nonsense\n");
    OK(config_load(scratch_file("koikoi.conf"), STR(""), a, &c, &err));
    assert_int_equal(c.n_accounts, 1);
    assert_false(registry_open(&c.accounts[0], a, &err));
    assert_non_null(strstr(err.text, "[telegram.second]: "));
    c.accounts[0].adapter->close(c.accounts[0].state);
}
