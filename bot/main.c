/* koikoi: one program, one table of what it can do. The only file that names concrete things: it
 * reads the arguments, wires the parts together and turns a failure into one sentence and an exit
 * status.
 *
 *     0  good        1  it failed, or a check did not hold        2  the arguments are wrong
 */
#include <stdio.h>

#include <fcntl.h>
#include <unistd.h>

#include "config.h"
#include "doctor.h"
#include "log.h"
#include "loop.h"
#include "protocol.h"
#include "record_main.h"
#include "lesson_make.h"
#include "script.h"
#include "selfplay.h"

enum { GOOD = 0, FAILED = 1, WRONG = 2, PROCESS_BYTES = 256 << 20 };

struct command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the command's own name */
    const char *usage, *about;
};

static int command_run(int argc, char **argv);
static int command_options(int argc, char **argv);
static int command_help(int argc, char **argv);
static int command_version(int argc, char **argv);

static const struct command commands[] = {
    {"run", command_run, "[--config FILE] [--adapter NAME,...] [--script FILE]",
     "plays in every chat network that is configured; in this terminal if none is"},
    {"doctor", doctor_main, "[--config FILE]",
     "asks every network that is configured whether all is well"},
    {"engine", protocol_main, "", "answers questions about the game, one JSON object a line"},
    {"replay", replay_main, "FILE", "checks the record of a match and tells it"},
    {"review", review_main, "[--visits N] [--seed S] [--language L] FILE",
     "tells what decided a match and how well everybody played"},
    {"verify", verify_main, "FILE", "checks the shuffles of a record"},
    {"selfplay", selfplay_main, "--rules R --levels A,B --matches N [...]",
     "lets the computer play itself"},
    {"options", command_options, "",
     "prints every option with its default, as a file for --config"},
    {"help", command_help, "", "says this"},
    {"version", command_version, "", "says which koikoi this is"},
    {NULL, NULL, NULL, NULL},
};

static int fail(const struct err *err)
{
    fprintf(stderr, "koikoi: %s\n", err->text);
    return FAILED;
}

static void usage(FILE *to)
{
    fprintf(to, "koikoi " KOIKOI_VERSION ": the card game Koi-Koi in group chats\n\n");
    for (const struct command *c = commands; c->name; c++)
        fprintf(to, "  koikoi %s%s%s\n        %s\n", c->name, *c->usage ? " " : "", c->usage,
                c->about);
}

struct run_arguments {
    struct str config, adapter, script;
};

/* "--name VALUE" or "--name=VALUE" for each of the three. */
static bool run_arguments(int argc, char **argv, struct run_arguments *ret, struct err *err)
{
    struct {
        const char *name;
        struct str *value;
    } known[] = {
        {"--config", &ret->config}, {"--adapter", &ret->adapter}, {"--script", &ret->script}};
    for (int i = 1; i < argc; i++) {
        struct str value, name = str_cut(str_of(argv[i]), '=', &value), *place = NULL;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (str_is(name, str_of(known[k].name)))
                place = known[k].value;
        if (!place)
            return err_set(err, "run: \"%s\" is no option of run", argv[i]);
        if (!strchr(argv[i], '=')) {
            if (i + 1 == argc)
                return err_set(err, "run: %s needs a value", argv[i]);
            value = str_of(argv[++i]);
        }
        if (value.n == 0)
            return err_set(err, "run: %.*s needs a value", STR_ARG(name));
        *place = value;
    }
    for (struct str rest = ret->adapter; rest.n > 0;) {
        struct str name = str_cut(rest, ',', &rest);
        if (!registry_find(name))
            return err_set(err, "run: no adapter is called \"%.*s\"", STR_ARG(name));
    }
    if (ret->script.n > 0 && !str_is(ret->adapter, STR("")) &&
        !str_is(ret->adapter, STR("terminal")))
        return err_set(err, "run: a script is played on the terminal only");
    return true;
}

/* A terminal's screen belongs to the people at it: what is logged goes to a file beside the
 * store. */
static void log_aside(const struct config *config, struct arena *process)
{
    enum log_level level = LOG_INFO;
    (void)log_level_of(config->log_level, &level);
    log_open(level);
    bool screen = false;
    for (int i = 0; i < config->n_accounts; i++)
        screen |= str_is(config->accounts[i].name, STR("terminal"));
    if (!screen || !isatty(STDERR_FILENO))
        return;
    int file = open(arena_print(process, "%.*s/koikoi.log", STR_ARG(config->state_dir)).p,
                    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0) {
        dup2(file, STDERR_FILENO);
        close(file);
    }
}

static bool run_daemon(const struct run_arguments *with, struct err *err)
{
    struct arena *process = arena_open(PROCESS_BYTES);
    struct config config = {0};
    struct loop *loop = NULL;
    struct loop_parts parts = {.config = &config, .process = process};
    int screen = dup(STDERR_FILENO);
    bool good = config_load(with->config, with->adapter, process, &config, err);
    if (good) {
        log_aside(&config, process);
        good = loop_open(&parts, &loop, err) && loop_run(loop, err);
    }
    if (loop)
        loop_close(loop);
    arena_close(process);
    if (screen >= 0)
        dup2(screen, STDERR_FILENO);
    return good;
}

static int command_run(int argc, char **argv)
{
    struct run_arguments with = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    struct err err = {""};
    if (!run_arguments(argc, argv, &with, &err)) {
        fail(&err);
        return WRONG;
    }
    bool good = with.script.n > 0 ? script_run(with.script, stdout, &err) : run_daemon(&with, &err);
    return good ? GOOD : fail(&err);
}

static int command_options(int argc, char **argv)
{
    (void)argc, (void)argv;
    struct arena *process = arena_open(PROCESS_BYTES);
    struct str text = config_example(process);
    bool good = fwrite(text.p, 1, text.n, stdout) == text.n && fflush(stdout) == 0;
    arena_close(process);
    return good ? GOOD : FAILED;
}

static int command_help(int argc, char **argv)
{
    (void)argc, (void)argv;
    usage(stdout);
    return GOOD;
}

static int command_version(int argc, char **argv)
{
    (void)argc, (void)argv;
    puts("koikoi " KOIKOI_VERSION);
    return GOOD;
}

int main(int argc, char **argv)
{
    struct str name = argc > 1 ? str_of(argv[1]) : STR("");
    while (name.n > 0 && name.p[0] == '-') /* --help, -h are asked as often as help */
        name = str_skip(name, 1);
    if (str_is(name, STR("h")))
        name = STR("help");
    for (const struct command *c = commands; c->name; c++)
        if (str_is(name, str_of(c->name)))
            return c->run(argc - 1, argv + 1);
    if (argc > 1)
        fprintf(stderr, "koikoi: \"%s\" is no command; koikoi help lists them\n", argv[1]);
    else
        usage(stderr);
    return WRONG;
}
