/* `koikoi selfplay`: valid records, repeatable numbers, checked options. */
#include "engine/test.h"
#include "file.h"
#include "selfplay.h"
#include "tool.h"

#include <unistd.h>

static char folder[] = "/tmp/koikoi-selfplay-XXXXXX";

FIXTURE(open_folder)
{
    return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(close_folder)
{
    char path[128];
    for (int k = 1; k <= 3; k++) {
        snprintf(path, sizeof path, "%s/selfplay-7-%06d.koikoi", folder, k);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/mine.json", folder);
    unlink(path);
    return rmdir(folder);
}

/* Exit status of a command of the program; its arguments are behind argv[0]. */
static int run(char **argv)
{
    static const struct tool_command commands[] = {
        {"selfplay", selfplay_main, TOOL_NOTHING, 0, TOOL_ANY, "", ""},
        {"replay", replay_main, TOOL_NOTHING, 1, 1, "FILE", ""},
        {"verify", verify_main, TOOL_NOTHING, 1, 1, "FILE", ""}};
    int n = 0, command = 0;
    char *given[32];
    for (; argv[n]; n++) /* the options are taken off them */
        given[n] = argv[n];
    while (strcmp(commands[command].name, argv[0]) != 0)
        command++;
    return tool_run(&commands[command], n, given);
}

static struct str record(int k, char path[static 128])
{
    struct str bytes = {NULL, 0};
    struct err err;
    snprintf(path, 128, "%s/selfplay-7-%06d.koikoi", folder, k);
    if (!file_read(path, 1 << 20, &bytes, &err))
        fail_msg("%s", err.text);
    return bytes;
}

TEST(records_are_good_and_repeat)
{
    char *argv[] = {"selfplay",
                    "--rules",
                    "mongolopedia",
                    "--rounds",
                    "6",
                    "--levels",
                    "beginner,easy,beginner",
                    "--matches",
                    "3",
                    "--seed",
                    "7",
                    "--visits",
                    "4",
                    "--record",
                    folder,
                    NULL};
    struct str first[3], again;
    char path[128];
    assert_int_equal(run(argv), 0);
    for (int k = 0; k < 3; k++) {
        first[k] = record(k + 1, path);
        char *replay[] = {"replay", path, NULL}, *verify[] = {"verify", path, NULL};
        assert_int_equal(run(replay), 0);
        assert_int_equal(run(verify), 0);
    }
    assert_false(str_is(first[0], first[1]));
    assert_int_equal(run(argv), 0);
    for (int k = 0; k < 3; k++) {
        again = record(k + 1, path);
        assert_true(str_is(first[k], again));
        file_free(again);
        file_free(first[k]);
    }
}

/* Standard output of a run. */
static void said_by(char **argv, char ret[static 512])
{
    int out = dup(STDOUT_FILENO);
    FILE *f = tmpfile();
    assert_true(out >= 0 && f);
    fflush(stdout);
    assert_true(dup2(fileno(f), STDOUT_FILENO) >= 0);
    int code = run(argv);
    fflush(stdout);
    assert_true(dup2(out, STDOUT_FILENO) >= 0);
    close(out);
    assert_int_equal(code, 0);
    rewind(f);
    ret[fread(ret, 1, 511, f)] = '\0';
    fclose(f);
}

TEST(one_match_is_no_matches)
{
    char *argv[] = {"selfplay", "--rules", "okoshki",   "--levels", "beginner,beginner",
                    "--visits", "1",       "--matches", "1",        NULL};
    char said[512];
    said_by(argv, said);
    assert_non_null(strstr(said, ", 1 match, "));
    argv[8] = "2";
    said_by(argv, said);
    assert_non_null(strstr(said, ", 2 matches, "));
}

TEST(wrong_options_start_nothing)
{
    char *const bad[][8] = {
        {"selfplay", NULL},
        {"selfplay", "--rules", "standard", NULL},
        {"selfplay", "--rules", "standard", "--levels", "easy", NULL},
        {"selfplay", "--rules", "standard", "--levels", "easy,easy,easy", NULL},
        {"selfplay", "--rules", "standard", "--levels", "easy,easy,easy,easy", NULL},
        {"selfplay", "--rules", "standard", "--levels", "easy,god", NULL},
        {"selfplay", "--rules", "nobody", "--levels", "easy,easy", NULL},
        {"selfplay", "--rules", "/nowhere/x.json", "--levels", "easy,easy", NULL},
        {"selfplay", "--rules", "standard", "--levels", "easy,easy", "--rounds", "5", NULL},
        {"selfplay", "--rules", "standard", "--levels", "easy,easy", "--rounds", "x", NULL},
        {"selfplay", "--rules", "standard", "--levels", "easy,easy", "--matches", "0", NULL},
        {"selfplay", "--rules", "standard", "--levels", "easy,easy", "--seed", "-1", NULL},
        {"selfplay", "--rules", "standard", "--levels", "easy,easy", "--visits", "0", NULL},
        {"selfplay", "--rules", "standard", "--levels", "easy,easy", "--colour", "1", NULL},
        {"selfplay", "--rules", "standard", "--levels", "easy,easy", "--seed", NULL},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(run((char **)(uintptr_t)bad[i]), 2);
    char *nowhere[] = {"selfplay",  "--rules",  "standard",  "--levels",
                       "easy,easy", "--record", "/proc/x/y", NULL};
    assert_int_equal(run(nowhere), 1);
}

TEST(a_rule_set_may_be_a_file)
{
    char path[128];
    char *argv[] = {"selfplay",          "--rules",  path, "--levels",
                    "beginner,beginner", "--visits", "2",  NULL};
    snprintf(path, sizeof path, "%s/mine.json", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("{\"extends\":\"standard\",\"name\":\"mine\",\"rounds\":1,\"rounds_allowed\":[1]}", f);
    fclose(f);
    assert_int_equal(run(argv), 0);
}

TEST(replay_and_verify_name_unreadable_files)
{
    char path[128], *words[] = {"replay", "verify"};
    snprintf(path, sizeof path, "%s/mine.json", folder); /* a file, but no record */
    for (int i = 0; i < 2; i++) {
        char *none[] = {words[i], NULL}, *gone[] = {words[i], "/nowhere/x", NULL},
             *odd[] = {words[i], folder, NULL}, *broken[] = {words[i], path, NULL};
        assert_int_equal(run(none), 2);
        assert_int_equal(run(gone), 1);
        assert_int_equal(run(odd), 1); /* a folder */
        assert_int_equal(run(broken), 1);
    }
}

TESTS_WITH(open_folder, close_folder)
