/* Entry of the program: the table of its commands, and `run`. The only file that names concrete
 * things: it reads the arguments, wires the parts together and turns a failure into one sentence
 * and an exit status.
 *
 *     0  success        1  failure, or a failed check        2  wrong arguments
 */
#include <stdio.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "config_main.h"
#include "doctor.h"
#include "exposed.h"
#include "health_main.h"
#include "log.h"
#include "look_main.h"
#include "loop.h"
#include "protocol.h"
#include "record_main.h"
#include "match_review_make.h"
#include "picture_main.h"
#include "selfplay.h"
#include "store_main.h"
#include "texts_main.h"

enum { GOOD = 0, FAILED = 1, WRONG = 2, PROCESS_BYTES = 256 << 20 };

struct program_command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the command's own name */
    const char *usage, *about;
};

static int command_run(int argc, char **argv);
static int command_options(int argc, char **argv);
static int command_help(int argc, char **argv);
static int command_version(int argc, char **argv);

static const struct program_command commands[] = {
    {"run", command_run, "[--config FILE] [--adapter NAME,...]",
     "plays in every configured chat network, or in this terminal"},
    {"doctor", doctor_main, "[--config FILE] [--set-profile]",
     "checks the configuration and every network in it"},
    {"check-config", check_config_main, "[--config FILE]",
     "checks the configuration alone and prints what it asks for"},
    {"health", health_main, "[--config FILE]", "asks the running daemon whether all is well"},
    {"engine", protocol_main, "", "answers questions about the game, one JSON object a line"},
    {"replay", replay_main, "FILE", "checks the record of a match and prints it"},
    {"review", review_main, "[--visits N] [--seed S] [--language L] FILE",
     "prints what decided a match and how well each player did"},
    {"verify", verify_main, "FILE", "checks the shuffles of a record"},
    {"matches", matches_main, "[--config FILE]", "lists the matches that run"},
    {"outbox", outbox_main, "[--config FILE]", "lists the messages that wait to be sent"},
    {"quarantine", quarantine_main, "[--config FILE] [ID | again ID | drop ID]",
     "lists what could not be handled, shows one of it, tries it again, or drops it"},
    {"recount", recount_main, "[--config FILE]",
     "counts seasons and ratings anew from the stored results"},
    {"forget", forget_main, "[--config FILE] PERSON",
     "takes a person, by handle, network id or #number, out of the store"},
    {"backup", backup_main, "[--config FILE] FILE",
     "copies the store into a new file, beside a running daemon"},
    {"restore", restore_main, "[--config FILE] FILE",
     "puts a backup in the store's place and keeps what was there"},
    {"move-store", move_store_main, "FROM TO",
     "copies a store into an empty one, a file or a PostgreSQL database, and compares them"},
    {"selfplay", selfplay_main, "--rules R --levels A,B --matches N [...]",
     "plays the computer against itself"},
    {"picture", picture_main, "[--decks FOLDER] FILE", "draws the layout in a file, as PNG"},
    {"texts", texts_main, "FILE...", "checks catalogues of a language and names every fault"},
    {"options", command_options, "",
     "prints every option with its default, as a file for --config"},
    {"help", command_help, "", "prints this"},
    {"version", command_version, "", "prints the version"},
    {NULL, NULL, NULL, NULL},
};

static int print_failure(const struct err *err)
{
    fprintf(stderr, "koikoi: %s\n", err->text);
    return FAILED;
}

static void usage(FILE *to)
{
    fprintf(to, "koikoi " KOIKOI_VERSION ": the card game Koi-Koi in group chats\n\n");
    for (const struct program_command *c = commands; c->name; c++)
        fprintf(to, "  koikoi %s%s%s\n        %s\n", c->name, *c->usage ? " " : "", c->usage,
                c->about);
}

struct run_arguments {
    struct str config, adapter;
};

/* "--name VALUE" or "--name=VALUE" for each of the two. */
static bool run_arguments(int argc, char **argv, struct run_arguments *ret, struct err *err)
{
    struct {
        const char *name;
        struct str *value;
    } known[] = {{"--config", &ret->config}, {"--adapter", &ret->adapter}};
    for (int i = 1; i < argc; i++) {
        struct str value, name = str_cut(str_of(argv[i]), '=', &value), *place = NULL;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (str_is(name, str_of(known[k].name)))
                place = known[k].value;
        if (!place)
            return err_set(err, "run: unknown option \"%s\"", argv[i]);
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
        struct str own;
        if (!registry_find(str_cut(name, '.', &own)))
            return err_set(err, "run: no adapter is called \"%.*s\"", STR_ARG(name));
    }
    return true;
}

/* If the terminal is the network and stderr is its screen, the log goes to a file beside the
 * store. */
static void log_aside(const struct config *config, struct arena *process)
{
    enum log_level level = LOG_INFO;
    enum log_format format = LOG_TEXT;
    (void)log_level_of(config->log_level, &level);
    (void)log_format_of(config->log_format, &format);
    log_open(level);
    log_set_format(format);
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

static void warn_exposed(const struct config *config, struct arena *process)
{
    const char *files[EXPOSED_MOST];
    for (int i = 0, n = exposed_files(config, process, files); i < n; i++)
        log_line(LOG_WARN, "others_may_read", "file", files[i], "do", "chmod o-rwx", NULL);
}

/* Without a network the terminal stands in, for a person at a screen or whoever pipes lines in. A
 * service has neither: its standard input is closed or /dev/null, and without its configuration it
 * must not look as if it ran. */
static bool has_players(const struct config *config, struct err *err)
{
    struct stat input;
    bool none =
        fstat(STDIN_FILENO, &input) != 0 || (S_ISCHR(input.st_mode) && !isatty(STDIN_FILENO));
    return !config->terminal_unasked || !none ||
           err_set(err, "no network is configured, and standard input is empty; set "
                        "KOIKOI_TELEGRAM_TOKEN or the options of another network (koikoi options "
                        "lists them), or ask for the terminal with --adapter terminal");
}

static bool reload(void *arg, struct arena *a, struct config *ret, struct err *err)
{
    const struct run_arguments *with = arg;
    return config_load(with->config, with->adapter, a, ret, err);
}

/* From the configuration to the end. *ret_again: other daemons have a part in the store, so all that
 * this one knew is void. */
static bool run_once(struct run_arguments *with, bool *ret_again, struct err *err)
{
    struct arena *process = arena_open(PROCESS_BYTES);
    struct config config = {0};
    struct loop *loop = NULL;
    struct loop_parts parts = {.config = &config,
                               .process = process,
                               .reload = reload,
                               .reload_arg = with,
                               .ret_again = ret_again};
    bool good = config_load(with->config, with->adapter, process, &config, err) &&
                has_players(&config, err);
    *ret_again = false;
    if (good) {
        log_aside(&config, process);
        warn_exposed(&config, process);
        good = loop_open(&parts, &loop, err) ? loop_run(loop, err) : !err->text[0];
    }
    if (loop) {
        *ret_again = loop_wants_again(loop);
        loop_close(loop);
    }
    arena_close(process);
    return good;
}

static bool run_daemon(struct run_arguments *with, struct err *err)
{
    int screen = dup(STDERR_FILENO);
    bool again = false, good = run_once(with, &again, err);
    while (again) {
        if (!good)
            log_line(LOG_WARN, "store_lost", "why", err->text, NULL);
        good = run_once(with, &again, err);
    }
    if (screen >= 0)
        dup2(screen, STDERR_FILENO);
    return good;
}

static int command_run(int argc, char **argv)
{
    struct run_arguments with = {{NULL, 0}, {NULL, 0}};
    struct err err = {""};
    if (!run_arguments(argc, argv, &with, &err)) {
        print_failure(&err);
        return WRONG;
    }
    return run_daemon(&with, &err) ? GOOD : print_failure(&err);
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
    while (name.n > 0 && name.p[0] == '-') /* --help and -h mean help */
        name = str_skip(name, 1);
    if (str_is(name, STR("h")))
        name = STR("help");
    for (const struct program_command *c = commands; c->name; c++)
        if (str_is(name, str_of(c->name)))
            return c->run(argc - 1, argv + 1);
    if (argc > 1)
        fprintf(stderr, "koikoi: unknown command \"%s\"; see koikoi help\n", argv[1]);
    else
        usage(stderr);
    return WRONG;
}
