/* Entry of the program: the table of its commands, and `run`. The only file that names concrete
 * things: it reads the arguments, wires the parts together and turns a failure into one sentence
 * and an exit status.
 *
 *     0  success        1  failure, or a failed check        2  wrong arguments
 *
 * `run` ends with 3 if its configuration cannot be used, 4 if every network refuses its account, 5
 * if the store is damaged or not its own: a service manager need not start it again.
 */
#include <stdio.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "loop.h"
#include "tool.h"

enum { PROCESS_BYTES = 256 << 20 };

static enum tool_status run_main(struct tool *t);
static enum tool_status options_main(struct tool *t);
static enum tool_status help_main(struct tool *t);
static enum tool_status version_main(struct tool *t);

static const struct tool_command commands[] = {
    {"run", run_main, TOOL_NOTHING, 0, TOOL_ANY, "[--config FILE] [--adapter NAME,...]",
     "plays in every configured chat network, or in this terminal"},
    {"doctor", doctor_main, TOOL_NOTHING, 0, TOOL_ANY, "[--config FILE] [--set-profile]",
     "checks the configuration and every network in it"},
    {"check-config", check_config_main, TOOL_CONFIG, 0, 0, "[--config FILE]",
     "checks the configuration alone and prints what it asks for"},
    {"health", health_main, TOOL_DAEMON, 0, 0, "[--config FILE]",
     "asks the running daemon whether all is well"},
    {"status", status_main, TOOL_DAEMON, 0, 0, "[--config FILE]",
     "asks the running daemon how it is: accounts, matches, what waits, the last error"},
    {"engine", engine_main, TOOL_NOTHING, 0, 0, "",
     "answers questions about the game, one JSON object a line"},
    {"replay", replay_main, TOOL_NOTHING, 1, 1, "FILE",
     "checks the record of a match and prints it"},
    {"review", review_main, TOOL_NOTHING, 0, TOOL_ANY,
     "[--visits N] [--seed S] [--language L] FILE",
     "prints what decided a match and how well each player did"},
    {"verify", verify_main, TOOL_NOTHING, 1, 1, "FILE", "checks the shuffles of a record"},
    {"matches", matches_main, TOOL_STORE, 0, 0, "[--config FILE]", "lists the matches that run"},
    {"outbox", outbox_main, TOOL_STORE, 0, 0, "[--config FILE]",
     "lists the messages that wait to be sent"},
    {"quarantine", quarantine_main, TOOL_STORE, 0, 2, "[--config FILE] [ID | again ID | drop ID]",
     "lists what could not be handled, shows one of it, tries it again, or drops it"},
    {"recount", recount_main, TOOL_STORE, 0, 0, "[--config FILE]",
     "counts seasons and ratings anew from the stored results"},
    {"forget", forget_main, TOOL_STORE, 1, 1, "[--config FILE] PERSON",
     "takes a person, by handle, network id or #number, out of the store"},
    {"backup", backup_main, TOOL_STORE, 1, 1, "[--config FILE] FILE",
     "copies the store into a new file, beside a running daemon"},
    {"restore", restore_main, TOOL_STORE, 1, 1, "[--config FILE] FILE",
     "puts a backup in the store's place and keeps what was there"},
    {"move-store", move_store_main, TOOL_NOTHING, 2, 2, "FROM TO",
     "copies a store into an empty one, a file or a PostgreSQL database, and compares them"},
    {"selfplay", selfplay_main, TOOL_NOTHING, 0, TOOL_ANY,
     "--rules R --levels A,B[,C] [--rounds N] [--matches N] [--seed S] [--visits N] [--record DIR]",
     "plays the computer against itself"},
    {"picture", picture_main, TOOL_NOTHING, 0, TOOL_ANY, "[--decks FOLDER] FILE",
     "draws the layout in a file, as PNG"},
    {"texts", texts_main, TOOL_NOTHING, 1, TOOL_ANY, "FILE...",
     "checks catalogues of a language and names every fault"},
    {"options", options_main, TOOL_NOTHING, 0, TOOL_ANY, "",
     "prints every option with its default, as a file for --config"},
    {"help", help_main, TOOL_NOTHING, 0, TOOL_ANY, "", "prints this"},
    {"version", version_main, TOOL_NOTHING, 0, TOOL_ANY, "", "prints the version"},
    {.name = NULL},
};

static void print_commands(FILE *to)
{
    fprintf(to, "koikoi " KOIKOI_VERSION ": the card game Koi-Koi in group chats\n\n");
    for (const struct tool_command *c = commands; c->name; c++)
        fprintf(to, "  koikoi %s%s%s\n        %s\n", c->name, *c->usage ? " " : "", c->usage,
                c->about);
}

/* ---- run ---- */

/* Where the configuration is, and the networks that it is for; empty: all. */
struct run_with {
    struct str config, adapter;
};

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
    const struct run_with *with = arg;
    return config_load(with->config, with->adapter, a, ret, err);
}

/* For a person at a screen: the log, which names it, too, goes elsewhere. */
static void show_pages(const struct loop *loop)
{
    struct str at = loop_pages(loop);
    if (at.n == 0 || !isatty(STDOUT_FILENO))
        return;
    printf("In a browser: %.*s\n", STR_ARG(at));
    fflush(stdout);
}

/* From the configuration to the end. *ret_again: other daemons have a part in the store, so all
 * that this one knew is void. */
static bool run_once(struct run_with *with, bool *ret_again, enum loop_fault *ret_fault,
                     struct err *err)
{
    struct arena *process = arena_open(PROCESS_BYTES);
    struct config config = {0};
    struct loop *loop = NULL;
    struct loop_parts parts = {.config = &config,
                               .process = process,
                               .reload = reload,
                               .reload_arg = with,
                               .ret_again = ret_again,
                               .ret_fault = ret_fault};
    *ret_fault = LOOP_MISCONFIGURED;
    bool good = config_load(with->config, with->adapter, process, &config, err) &&
                has_players(&config, err);
    *ret_again = false;
    if (good) {
        const char *files[CONFIG_EXPOSED];
        *ret_fault = LOOP_FAILED;
        log_aside(&config, process);
        for (int i = 0, n = config_exposed(&config, process, files); i < n; i++)
            log_line(LOG_WARN, "others_may_read", "file", files[i], "do", "chmod o-rwx", NULL);
        good = loop_open(&parts, &loop, err);
        if (good)
            show_pages(loop);
        good = good ? loop_run(loop, err) : !err->text[0];
    }
    if (loop) {
        *ret_again = loop_wants_again(loop);
        loop_close(loop);
    }
    arena_close(process);
    return good;
}

static bool run_daemon(struct run_with *with, enum loop_fault *ret_fault, struct err *err)
{
    int screen = dup(STDERR_FILENO);
    bool again = false, good = run_once(with, &again, ret_fault, err);
    while (again) {
        if (!good)
            log_line(LOG_WARN, "store_lost", "why", err->text, NULL);
        good = run_once(with, &again, ret_fault, err);
    }
    if (screen >= 0)
        dup2(screen, STDERR_FILENO);
    return good;
}

static enum tool_status run_main(struct tool *t)
{
    struct run_with with = {.config = t->config_file};
    static const enum tool_status statuses[] = {[LOOP_FAILED] = TOOL_BAD,
                                                [LOOP_MISCONFIGURED] = TOOL_NO_CONFIG,
                                                [LOOP_REFUSED] = TOOL_NO_ACCOUNT,
                                                [LOOP_WITHOUT_STORE] = TOOL_NO_STORE};
    const struct tool_option option = {"--adapter", .text = &with.adapter};
    enum loop_fault fault = LOOP_FAILED;
    struct err err = {""};
    if (!tool_options(t, &option, 1))
        return TOOL_MISUSED;
    if (t->argc > 0)
        return TOOL_USAGE;
    for (struct str rest = with.adapter; rest.n > 0;) {
        struct str own, name = str_cut(rest, ',', &rest);
        if (!registry_find(str_cut(name, '.', &own))) {
            err_set(&t->err, "no adapter is called \"%.*s\"", STR_ARG(name));
            return TOOL_MISUSED;
        }
    }
    if (run_daemon(&with, &fault, &err))
        return TOOL_GOOD;
    fprintf(stderr, "koikoi: %s\n", err.text);
    return statuses[fault];
}

/* ---- what the program is ---- */

static enum tool_status options_main(struct tool *t)
{
    struct str text = config_example(t->a);
    return fwrite(text.p, 1, text.n, stdout) == text.n ? TOOL_GOOD : TOOL_BAD;
}

static enum tool_status help_main(struct tool *t)
{
    (void)t;
    print_commands(stdout);
    return TOOL_GOOD;
}

static enum tool_status version_main(struct tool *t)
{
    printf("koikoi %s\n", store_program(t->a).p);
    return TOOL_GOOD;
}

/* What was closed would be the number of the first file or socket that is opened. */
static void keep_descriptors(void)
{
    for (int fd = open("/dev/null", O_RDWR); fd >= 0; fd = open("/dev/null", O_RDWR))
        if (fd > STDERR_FILENO) {
            close(fd);
            return;
        }
}

int main(int argc, char **argv)
{
    keep_descriptors();
    struct str name = argc > 1 ? str_of(argv[1]) : STR("");
    while (name.n > 0 && name.p[0] == '-') /* --help and -h mean help */
        name = str_skip(name, 1);
    if (str_is(name, STR("h")))
        name = STR("help");
    for (const struct tool_command *c = commands; c->name; c++)
        if (str_is(name, str_of(c->name)))
            return tool_run(c, argc - 1, argv + 1);
    if (argc > 1)
        fprintf(stderr, "koikoi: unknown command \"%s\"; see koikoi help\n", argv[1]);
    else
        print_commands(stderr);
    return TOOL_MISUSED;
}
