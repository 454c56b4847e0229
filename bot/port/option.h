/* Options: the keys of a section of koikoi.conf, one row each. */
#ifndef KOIKOI_OPTION_H
#define KOIKOI_OPTION_H

#include "str.h"

enum option_kind {
    OPTION_TEXT,
    OPTION_SECRET,
    OPTION_FOLDER, /* must exist; may be empty */
    OPTION_INT,
    OPTION_BOOL
};
struct option { /* one key of the adapter's own section */
    const char *key;
    enum option_kind kind;
    const char *fallback; /* as text; may be NULL */
    long min, max;        /* OPTION_INT */
    const char *about;    /* one sentence, for koikoi.conf and errors */
    size_t offset;        /* of a struct str, int64_t or bool in the account */
};

#endif
