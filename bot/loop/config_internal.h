/* Shared by config.c, which has the options and checks their values, and config_read.c, which reads
 * the raw values. */
#ifndef KOIKOI_CONFIG_INTERNAL_H
#define KOIKOI_CONFIG_INTERNAL_H

#include "config.h"

enum { MAX_FIELDS = 128 };
#define CREDENTIAL_OF_KEY "koikoi_key" /* the file that key_file would name */

/* One option and its raw value. */
struct field {
    const char *section; /* "" for the daemon's own */
    const struct option *o;
    void *base;
    bool set;
    struct str value;
    const char *file; /* NULL: not from a file */
    char place[256];  /* "koikoi.conf:7" or "KOIKOI_THREADS" */
};

/* Configuration while it is loaded. */
struct loading {
    struct arena *process;
    int n;
    struct field at[MAX_FIELDS];
};

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
