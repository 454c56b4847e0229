/* The fields of a rule set, each with its name, its kind and where it lives in struct rules.
 * Reading, writing, defaults and "unknown field" all follow this one table. */
#ifndef KOIKOI_RULESET_TABLE_H
#define KOIKOI_RULESET_TABLE_H

#include <stddef.h>

#include "rules.h"

enum ruleset_kind { TEXT, WHOLE, BOOL, CHOICE, PLAYERS, ROUND_LIST, PURSE, SIZES, OBJECT };
enum ruleset_missing { REQUIRED, NULLABLE /* null too, the default */, DEFAULTED };

struct ruleset_field {
    const char *key;
    enum ruleset_kind kind;
    size_t at;             /* offset in struct rules; OBJECT: of its has_ flag, if nullable */
    int size_or_low, high; /* TEXT: bytes; WHOLE: range */
    const char *const *choices;
    const struct ruleset_field *inner; /* OBJECT */
    enum ruleset_missing missing;
    const char *fallback; /* DEFAULTED text */
};

/* Ends with a row without a key, as every inner table does. */
extern const struct ruleset_field ruleset_table[];

#endif
