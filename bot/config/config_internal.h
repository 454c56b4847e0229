/* Shared by config.c, which has the options and checks their values, config_read.c, which reads the
 * raw values, and config_accounts.c. */
#ifndef KOIKOI_CONFIG_INTERNAL_H
#define KOIKOI_CONFIG_INTERNAL_H

#include "config.h"

enum {
    MAX_FIELDS = 1024,
    MAX_ACCOUNTS = 48,
    ACCOUNT_NAME = 32,
    VARIABLE_SIZE = 128,
    PLACE_SIZE = 256
};
#define CREDENTIAL_OF_KEY "koikoi_key" /* the file that key_file would name */

/* One option and its raw value. */
struct field {
    const char *section; /* "" for the daemon's own */
    const struct option *o;
    void *base;
    bool set;
    struct str value;
    const char *file;       /* NULL: not from a file */
    char place[PLACE_SIZE]; /* "koikoi.conf:7" or "KOIKOI_THREADS" */
};

/* Configuration while it is loaded. */
struct loading {
    struct arena *process;
    int n;
    struct field at[MAX_FIELDS];
    int n_accounts;
    struct account
        account[MAX_ACCOUNTS]; /* one of each network, then those of the file's sections */
};

void config_add_fields(struct loading *l, const char *section, const struct option *o, void *base);
/* One account for each network that is built in. */
void config_make_accounts(struct loading *l);
/* Adds the account of a section [NETWORK.NAME]; *ret_added: it is called like one. */
bool config_add_account(struct loading *l, struct str section, bool *ret_added,
                        struct err *err) MUST_CHECK;
/* Nothing is half set up, no token is used twice, of those that `only` names; empty: of all. */
bool config_check_accounts(struct loading *l, struct str only, struct err *err) MUST_CHECK;
/* Sets c->accounts. */
bool config_choose_accounts(struct loading *l, struct str only, struct config *c,
                            struct err *err) MUST_CHECK;
/* KOIKOI_STATE_DIR, KOIKOI_TELEGRAM_TOKEN, KOIKOI_TELEGRAM_SECOND_TOKEN */
void config_variable(const struct field *f, char ret[static VARIABLE_SIZE]);

/* All bytes of a file. */
bool config_read_bytes(const char *path, struct arena *a, struct str *ret,
                       struct err *err) MUST_CHECK;
/* Set `value` and `place` of the fields that the file's text, or the variables KOIKOI_... and the
 * credentials of the service manager, name; these win over the file. Values of the file point into
 * its text. On failure err names the place. */
bool config_read_text(struct loading *l, const char *path, struct str text,
                      struct err *err) MUST_CHECK;
bool config_read_environment(struct loading *l, struct err *err) MUST_CHECK;

#endif
