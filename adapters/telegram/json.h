/* JSON as the Bot API needs it: fields of a call on their way out, lenient looks into what comes
 * in. */
#ifndef TELEGRAM_JSON_H
#define TELEGRAM_JSON_H

#include "adapter.h"

#include <cjson/cJSON.h>

/* Writes s as a JSON string with its quotes. s must be valid UTF-8. */
void tg_json_string(struct buf *b, struct str s);

/* The fields of one call. A value is text, or already JSON (a number, an object, true). */
enum { MAX_FIELDS = 16 };
struct field {
    const char *name;
    struct str value;
    bool json;
};
struct fields {
    struct field at[MAX_FIELDS];
    int n;
};

void tg_field_text(struct fields *f, const char *name, struct str value);
void tg_field_json(struct fields *f, const char *name, struct str value);
/* The fields as one JSON object. */
struct str tg_fields_json(struct arena *a, const struct fields *f);

/* Where the value of the first `name` at or behind `from` begins, whatever blanks stand around its
 * colon; s.n if there is none. A name in quotes before a colon cannot stand inside a string: its
 * quotes would be escaped. */
size_t tg_json_value(struct str s, const char *name, size_t from);

/* Cuts {"result":[ {...}, {...} ]} into its elements without reading them, so that one that cannot
 * be read spoils no other. Returns how many there are, at most `most`; -1 if the array does not
 * end. */
int tg_json_elements(struct str body, const char *name, struct str *ret, int most);

/* The same JSON with every object, array and text of that name left empty: what nobody looks into
 * need not be read. */
struct str tg_json_without(struct arena *a, struct str value, const char *name);

/* Values of an object; what is absent or of another type is 0, empty, false or NULL. Strings are
 * copied to the arena and cleaned. */
const cJSON *tg_json_get(const cJSON *o, const char *name);
int64_t tg_json_int(const cJSON *o, const char *name);
bool tg_json_true(const cJSON *o, const char *name);
struct str tg_json_raw(const cJSON *o, const char *name); /* points into the tree, not cleaned */
struct str tg_json_text(struct arena *a, const cJSON *o, const char *name);

#endif
