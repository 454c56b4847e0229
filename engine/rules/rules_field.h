/* Fields of a rule set: one row each, in the order of the format (bot/formats/README.md).
 *
 * All users of a field's name go through this table: rules_check(), the notation, rule-set files
 * (read and written), `/challenge name=value`; a test compares the JSON schema with it. To add a
 * field: a member of struct rules, a row in rules_field.c with `.later = true`, and the code that
 * obeys it.
 */
#ifndef KOIKOI_RULES_FIELD_H
#define KOIKOI_RULES_FIELD_H

#include "rules.h"

enum rules_kind {
    RULES_WORD,       /* char[most]: lower-case letters, digits, _ and - */
    RULES_NUMBER,     /* uint8_t, least ... most */
    RULES_CHOICE,     /* uint8_t, index into words */
    RULES_SWITCH,     /* bool */
    RULES_PLAYERS,    /* players_allowed */
    RULES_ROUND_LIST, /* rounds_allowed */
    RULES_PURSE,
    RULES_OBJECT, /* its members are the following rows whose path begins with its own */
};

/* Part of struct rules as stored by the notation: `;key=` and the numbers of an array. */
enum rules_type { RULES_CHARS, RULES_BOOL, RULES_U8, RULES_I16 };
struct rules_stored {
    const char *key;
    uint16_t at, count;
    uint8_t type;
};

enum { MAX_RULES_WORDS = 4, MAX_RULES_STORED = 4, MAX_RULES_FIELDS = 96 };

struct rules_field {
    const char *path; /* "multipliers.seven_plus.x" */
    enum rules_kind kind;
    /* offset in struct rules; RULES_OBJECT: of the bool that is false if the object is null, 0 if
     * it may not be null */
    uint16_t at;
    int16_t least, most;
    const char *words[MAX_RULES_WORDS + 1]; /* ends with NULL; "" is an unused value */
    const char *fallback; /* RULES_WORD: value if a file omits it; NULL: required */
    uint8_t usual;        /* its value when chat creates its object by another field */
    uint8_t players;      /* not 0: required by tables of so many players, else it may be 0 */
    bool file_only;       /* chat may not set it */
    bool later;           /* younger than the format: may be omitted, and is if usual */
    bool inverted;        /* a RULES_SWITCH that is usually true: stored as 0 then */
    struct rules_stored stored[MAX_RULES_STORED]; /* empty: its object stores it */
};

extern const struct rules_field rules_fields[]; /* ends with a row without a path */

/* Returns NULL if not found. */
const struct rules_field *rules_field_find(const char *path);
/* The object of the field; NULL for fields of the rule set itself. */
const struct rules_field *rules_field_object(const struct rules_field *f);
/* The last part of the path: "x". */
const char *rules_field_name(const struct rules_field *f);

/* Of RULES_NUMBER, RULES_CHOICE, RULES_SWITCH; of RULES_OBJECT: whether it is not null. */
int rules_field_get(const struct rules *r, const struct rules_field *f);
void rules_field_set(struct rules *r, const struct rules_field *f, int value);
/* True if the field has the value that a rule set without it means: 0, or true if it is inverted. */
bool rules_field_is_usual(const struct rules *r, const struct rules_field *f);
/* True if the field's object is not null. */
bool rules_field_is_on(const struct rules *r, const struct rules_field *f);
/* True if s is 1 to most bytes of a-z, 0-9, _ and -. */
bool rules_is_word(const char *s, size_t n, size_t most);

#endif
