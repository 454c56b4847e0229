/* Strict reader and plain writer of JSON. cJSON builds the tree; the reader first refuses what
 * cJSON lets pass: control bytes, bad UTF-8, zero characters, loose numbers, trailing text, a field
 * twice.
 *
 *     cJSON *v = json_parse(bytes, &err);               "line 3, column 7: a comma or } is missing"
 *     ok = json_only(v, keys, &err) && json_int(v, "round", 1, 999, &n, &err) && ...
 *     cJSON_Delete(v);
 *
 * The readers name the field in `err` and leave *ret as it was when they fail. Strings they hand
 * back live as long as the tree.
 */
#ifndef KOIKOI_JSON_H
#define KOIKOI_JSON_H

#include "card.h"
#include "err.h"
#include "str.h"

#include <cjson/cJSON.h>

enum { JSON_DEPTH = 128, JSON_FIELDS = 4096 }; /* ceilings: nesting, and fields in one object */

/* Reads all of `bytes` as one value. Returns NULL on failure. */
cJSON *json_parse(struct str bytes, struct err *err) MUST_CHECK;
/* The same for one line of many; the error leaves the line's number to the caller: "column 7: a
 * comma or } is missing". */
cJSON *json_parse_line(struct str line, struct err *err) MUST_CHECK;

/* Finds the bytes of one member of the object in `bytes`, as written, even where the text behind it
 * is broken. */
bool json_raw(struct str bytes, const char *key, struct str *ret);
/* Returns the line (from 1) of the field with this dotted path, or of the innermost part of the
 * path that exists. */
int json_line(struct str bytes, const char *path);

/* Returns NULL if there is no such member. */
cJSON *json_member(const cJSON *object, const char *key);
/* True if the value is an object without other fields than these (a list that ends with NULL). */
bool json_only(const cJSON *object, const char *const keys[], struct err *err) MUST_CHECK;
/* One value; `name` is what an error calls it: "" where the caller adds the name. */
bool json_whole(const cJSON *v, const char *name, int64_t low, int64_t high, int64_t *ret,
                struct err *err) MUST_CHECK;
bool json_text(const cJSON *v, const char *name, struct str *ret, struct err *err) MUST_CHECK;
bool json_bool(const cJSON *v, const char *name, bool *ret, struct err *err) MUST_CHECK;
/* The index of a string in a list that ends with NULL; "" in the list is an unused index. */
bool json_choice(const cJSON *v, const char *name, const char *const choices[], int *ret,
                 struct err *err) MUST_CHECK;
bool json_object(const cJSON *v, const char *name, bool nullable, struct err *err) MUST_CHECK;
bool json_list(const cJSON *v, const char *name, int least, int most, struct err *err) MUST_CHECK;
bool json_card(const cJSON *v, const char *name, uint8_t *ret, struct err *err) MUST_CHECK;
/* A list of different cards, in its order. */
bool json_cards(const cJSON *v, const char *name, int least, int most, uint8_t ret[static N_CARDS],
                int *ret_n, struct err *err) MUST_CHECK;
bool json_cardset(const cJSON *v, const char *name, cardset *ret, struct err *err) MUST_CHECK;

/* True if both trees are equal, in any order of fields; else `err` names the first field of
 * `wanted` that differs, or a field of `found` that `wanted` does not have. */
bool json_same(const cJSON *wanted, const cJSON *found, struct err *err) MUST_CHECK;

/* Writers. json_put_text() adds quotes and escapes. */
void json_put_text(struct buf *b, struct str s);
void json_put_card(struct buf *b, int card);
void json_put_cards(struct buf *b, const uint8_t *cards, int n); /* in this order */
void json_put_cardset(struct buf *b, cardset s);                 /* canonical order */
void json_put_ints(struct buf *b, const int32_t *at, int n);

#endif
