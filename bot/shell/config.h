/* Configuration: koikoi.conf and the environment, checked as a whole before anything starts.
 *
 * Every option is a row in a table, here for the daemon and in each adapter for its own section.
 * The variable KOIKOI_SECTION_KEY (KOIKOI_KEY for options outside a section) wins over the file,
 * and KOIKOI_SECTION_KEY_FILE names a file that holds the value. An unknown key, an unknown KOIKOI_
 * variable or a bad value is one error that names the place and the reason, and nothing starts.
 *
 * The file is lines `key = value` and `[section]`; blank lines and lines that begin with # or ; say
 * nothing. A value is the rest of its line: it may hold # and ; and be as long as a token needs to
 * be.
 */
#ifndef KOIKOI_CONFIG_H
#define KOIKOI_CONFIG_H

#include "arena.h"
#include "registry.h"

struct config {
    struct str state_dir;                  /* made with mode 0700 */
    struct str store;                      /* a path or postgresql://...; default
                                              state_dir/koikoi.db */
    struct str rules_dir, texts_dir, decks_dir; /* files that win over the built-in ones; empty:
                                                   none */
    struct str rules;                      /* the preset of a chat that has chosen none */
    struct str language;                   /* the language of a chat that has chosen none */
    int64_t threads;                       /* worker threads */
    int64_t think_ms;                      /* of one, for a move of the computer */
    struct str log_level;                  /* error, warn, info, debug */
    struct str listen;                     /* ADDRESS:PORT of the server; empty: none */
    bool metrics;                          /* it answers /health and /metrics */
    int n_accounts;
    struct account *accounts;              /* one per adapter that is configured; not yet opened */
};

/* `file` empty: the variable KOIKOI_CONFIG, else /etc/koikoi/koikoi.conf if it is there, else no
 * file at all. Strings live in `process`. `only` not empty: the adapters it names
 * ("terminal,telegram"), configured or not, and no other. If no adapter is configured the terminal
 * is taken. */
bool config_load(struct str file, struct str only, struct arena *process, struct config *ret,
                 struct err *err) MUST_CHECK;

/* The text of koikoi.conf as it should be: every option, its default, its sentence. */
struct str config_example(struct arena *a);

#endif
