/* Commands of the program beside `run`: a row each in the table of main.c, a function each.
 *
 *     static const struct tool_command matches = {"matches", matches_main, TOOL_CONFIG, 0, 0, ...};
 *     return tool_run(&matches, argc, argv);
 *
 * tool_run() takes "--config FILE" off the arguments, counts the others, loads the configuration
 * for a command that asks for it, and afterwards closes what the command has opened and prints the
 * sentence in its `err`. So a function reads its arguments, works, and prints what it found.
 */
#ifndef KOIKOI_TOOL_H
#define KOIKOI_TOOL_H

#include "config.h"
#include "store.h"

/* What a command returns; all but the last are exit statuses of the program. A start that ends with
 * one above 1 ends so again, until its host has changed something. */
enum tool_status {
    TOOL_GOOD,
    TOOL_BAD,        /* a failure, or a check that did not hold */
    TOOL_MISUSED,    /* wrong arguments; `err` says which */
    TOOL_NO_CONFIG,  /* the configuration cannot be used */
    TOOL_NO_ACCOUNT, /* every network refuses its account */
    TOOL_NO_STORE,   /* the store is damaged, or not this program's */
    TOOL_USAGE       /* wrong arguments; the usage of the command says which it takes */
};

enum tool_needs {
    TOOL_NOTHING,
    TOOL_DAEMON, /* the options of the store alone: where the running daemon is asked */
    TOOL_STORE,  /* the same; stderr says which store it is */
    TOOL_CONFIG
};
enum { TOOL_ANY = 99 /* as many arguments as come */ };

/* A command at work. */
struct tool {
    int argc; /* without the command and --config */
    char **argv;
    struct str config_file; /* that --config names */
    struct config config;
    struct arena *a;       /* configuration and results */
    struct arena *scratch; /* the command may reset it */
    struct store *store;   /* NULL: not opened */
    struct err err;
};

struct tool_command {
    const char *name;
    enum tool_status (*run)(struct tool *t);
    enum tool_needs needs;
    int least, most; /* arguments */
    const char *usage, *about;
};

/* Returns the exit status. argv[0] is the command's name. */
int tool_run(const struct tool_command *c, int argc, char **argv);

/* An option "--name VALUE" or "--name=VALUE" of one command: its value goes to `text`, or to
 * `number`, which is least ... most; `flag` has none. */
struct tool_option {
    const char *name;
    struct str *text;
    int64_t *number, least, most;
    bool *flag;
};
/* Takes the options in `rows` off the arguments. Fails if another is there. */
bool tool_options(struct tool *t, const struct tool_option *rows, int n) MUST_CHECK;

/* Opens the store of the configuration as t->store. */
typedef bool tool_opener(struct str where, struct store **ret, struct err *err);
bool tool_open(struct tool *t, tool_opener *open) MUST_CHECK;

/* Asks the daemon of this configuration, which answers once a turn of its loop, and waits at most
 * `ms`. *ret lives in t->a. Returns false if no daemon runs (*ret_absent), if it hangs, or if it
 * answers with a failure. */
bool tool_ask(struct tool *t, int ms, const char *question, struct str *ret,
              bool *ret_absent) MUST_CHECK;

/* `koikoi doctor`, `check-config`: the configuration and every network in it. */
enum tool_status doctor_main(struct tool *t);
enum tool_status check_config_main(struct tool *t);

/* `koikoi health`, `status`: the daemon of this configuration, over the socket in its state
 * directory. `koikoi matches`, `outbox`, `quarantine`: what the daemon holds, beside it. None shows a hand, a
 * message's text or a secret, but `koikoi quarantine ID`, which shows what a network sent. */
enum tool_status health_main(struct tool *t);
enum tool_status status_main(struct tool *t);
enum tool_status matches_main(struct tool *t);
enum tool_status outbox_main(struct tool *t);
enum tool_status quarantine_main(struct tool *t);

/* `koikoi recount`, `forget`: changes of the store, by the daemon that has it open, or without one.
 * `restore`, `move-store`: of a stopped daemon's store. `backup` copies it beside a running one. */
enum tool_status recount_main(struct tool *t);
enum tool_status forget_main(struct tool *t);
enum tool_status backup_main(struct tool *t);
enum tool_status restore_main(struct tool *t);
enum tool_status move_store_main(struct tool *t);

/* Commands that read files: records of matches, catalogues, layouts. */
enum tool_status replay_main(struct tool *t);
enum tool_status verify_main(struct tool *t);
enum tool_status review_main(struct tool *t);
enum tool_status texts_main(struct tool *t);
enum tool_status picture_main(struct tool *t);

/* `koikoi engine`, `selfplay`: the game alone. */
enum tool_status engine_main(struct tool *t);
enum tool_status selfplay_main(struct tool *t);

#endif
