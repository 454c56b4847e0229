/* Options of a network, as koikoi.conf holds them. */
#ifndef KOIKOI_OPTION_H
#define KOIKOI_OPTION_H

#include <stddef.h>

/* The keys of a section, one row each. */
enum option_kind {
    OPTION_TEXT,
    OPTION_SECRET,
    OPTION_FOLDER, /* must exist; may be empty */
    OPTION_INT,
    OPTION_BOOL
};
struct option {
    const char *key;
    enum option_kind kind;
    const char *fallback; /* as text; may be NULL */
    long min, max;        /* OPTION_INT */
    const char *about;    /* one sentence, for koikoi.conf and errors */
    size_t offset;        /* of a struct str, int64_t or bool in the account */
};

#endif
