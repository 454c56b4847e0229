/* Configuration: koikoi.conf and the environment, checked as a whole before anything starts.
 *
 * Every option is a row in a table, here for the daemon and in each adapter for its own section.
 * The variable KOIKOI_SECTION_KEY (KOIKOI_KEY for options outside a section) wins over the file,
 * and KOIKOI_SECTION_KEY_FILE names a file that holds the value; so does a credential of systemd
 * called koikoi_section_key. A section [NETWORK.NAME] of the file is one more account of that
 * network, with variables KOIKOI_NETWORK_NAME_KEY, which also make it without a section. An unknown key, an unknown KOIKOI_
 * variable or a bad value is one error that names the place and the reason; the daemon does not
 * start.
 *
 * The file is lines `key = value` and `[section]`; blank lines and lines that begin with # or ; are
 * comments. A value is the rest of its line, of any length, # and ; included.
 */
#ifndef KOIKOI_CONFIG_H
#define KOIKOI_CONFIG_H

#include "arena.h"
#include "registry.h"

enum {
    CONFIG_SECRET_FILES = 8,
    CONFIG_EXPOSED = CONFIG_SECRET_FILES + 3,
    CONFIG_ADVICE = 16,
    BEACON_MAX = 199,
    CONFIG_OWN = 32
};

struct config {
    struct str state_dir;                       /* made with mode 0700 */
    struct str store;                           /* a path or postgresql://... */
    struct str key_file;                        /* seals the vault; default STORE.key */
    struct str rules_dir, texts_dir, decks_dir; /* files before the built-in ones, or empty */
    struct str rules;                           /* default preset of a chat */
    struct str language;                        /* default language of a chat */
    struct str operators;                       /* NETWORK:ID of people, with blanks between */
    int64_t threads;                            /* worker threads */
    int64_t think_ms;                           /* of one thread, for a move of the computer */
    int64_t retention_days;                     /* ended matches leave then; 0: never */
    struct str beacon;                          /* address of a drand chain; empty: none */
    struct str log_level;                       /* error, warn, info, debug */
    struct str log_format;                      /* text, logfmt, json */
    struct str listen;                          /* ADDRESS:PORT of the server; empty: none */
    bool metrics;                               /* it answers /health and /metrics */
    struct str metrics_listen;                  /* where it does; empty: at `listen` */
    struct str ca_file, proxy;                  /* see http_use() */
    int n_secret_files;
    const char *secret_files[CONFIG_SECRET_FILES]; /* that secrets were read from */
    bool terminal_unasked; /* no network is configured or named: the terminal stands in */
    int n_accounts;
    struct account *accounts; /* those that are configured; not yet opened */
};

/* An empty `file` means the variable KOIKOI_CONFIG, else /etc/koikoi/koikoi.conf if it exists, else
 * no file. `only`, if not empty, names the adapters to open ("terminal,telegram"), configured or
 * not. Without a configured adapter the terminal is opened. Strings live in `process`. */
bool config_load(struct str file, struct str only, struct arena *process, struct config *ret,
                 struct err *err) MUST_CHECK;

/* The options of the store alone, for a command that opens it beside the daemon or in its place:
 * state_dir, store, key_file, texts_dir and language. What is wrong in others, and what is missing
 * for a network, is no fault then; no folder is made. */
bool config_load_store(struct str file, struct arena *process, struct config *ret,
                       struct err *err) MUST_CHECK;

/* config_load() from the text of a file instead of a file; errors name it `path`. NULL: no file. */
bool config_parse(const char *path, struct str text, struct str only, struct arena *process,
                  struct config *ret, struct err *err) MUST_CHECK;

/* An account that is open and has a webhook needs `listen`. */
bool config_hears(const struct config *c, const struct account *account,
                  struct err *err) MUST_CHECK;

/* Takes over what a running daemon can from a fresh configuration, whose strings must live on.
 * Returns how many of the daemon's own options differ and need a restart, and their keys. */
int config_adopt(struct config *c, const struct config *fresh, const char *ret[static CONFIG_OWN]);

/* Files with secrets that anybody on the machine may read or change: those that options with
 * secrets came from, the store (hands, names, private chats) and its log. A group may have access
 * on purpose. Returns how many; their paths are in the arena. */
int config_exposed(const struct config *c, struct arena *a, const char *ret[static CONFIG_EXPOSED]);

/* Options that work and that a host would hardly want: a token in the clear, an operator who can
 * never be met, ... Returns how many; a sentence each, which names the option and the remedy. */
int config_advice(const struct config *c, struct arena *a, struct str ret[static CONFIG_ADVICE]);

/* An example koikoi.conf: every option with its default and its description. */
struct str config_example(struct arena *a);

#endif
