/* JSON of the Bot API: strings out, and lenient reading in. */
#ifndef TELEGRAM_JSON_H
#define TELEGRAM_JSON_H

#include "adapter.h"

#include <cjson/cJSON.h>

/* Writes s as a JSON string with its quotes. s must be valid UTF-8. */
void tg_json_string(struct buf *b, struct str s);

/* The start of the value of the first `name` at or behind `from`, with any blanks around its colon;
 * s.n if not found. A quoted name before a colon cannot be inside a string, where its quotes would
 * be escaped. */
size_t tg_json_value(struct str s, const char *name, size_t from);

/* Cuts {"result":[ {...}, {...} ]} into its elements without parsing them, so that a damaged one
 * spoils no other. Returns their number, at most `most`; -1 if the array does not end or an element
 * is empty. */
int tg_json_elements(struct str body, const char *name, struct str *ret, int most);

/* The same JSON with every object, array and string of that name emptied, which spares parsing
 * it. */
struct str tg_json_without(struct arena *a, struct str value, const char *name);

/* Members of an object; one that is absent or of another type is 0, empty, false or NULL, and so is
 * a string longer than MAX_STRING. Text is cleaned and copied to the arena. */
enum { MAX_STRING = 64 * 1024 };
const cJSON *tg_json_get(const cJSON *o, const char *name);
int64_t tg_json_int(const cJSON *o, const char *name);
bool tg_json_true(const cJSON *o, const char *name);
struct str tg_json_raw(const cJSON *o, const char *name); /* points into the tree, not cleaned */
struct str tg_json_text(struct arena *a, const cJSON *o, const char *name);

#endif
