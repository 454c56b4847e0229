/* JSON: a reader that keeps its first fault, and a writer. The only door to cJSON, which builds the
 * tree.
 *
 *     struct json v = json_open(bytes, JSON_LINE);
 *     round = json_int(v, "round", 1, 999);
 *     for (struct json m = json_first(json_list(v, "names", 2, 3)); m.at; m = json_next(m))
 *         names[n++] = json_str(m, NULL);
 *     return json_close(v, &err);     "beacon.round: expected a whole number from 1 to 999, got 0"
 *
 * Each read returns a value: 0 or empty, if it is missing or other than asked for. The first such
 * fault is kept with its path and comes out in the end, so that a reader is a row of straight
 * lines; it asks json_good() before it relies on what it has read. Without a key a read is of the
 * value itself. Strings live as long as the text is open.
 *
 *     json_put_open(&b, NULL, '{');
 *     json_put_int(&b, "round", 7);
 *     buf_char(&b, '}');
 */
#ifndef KOIKOI_JSON_H
#define KOIKOI_JSON_H

#include "arena.h"
#include "err.h"

enum {
    JSON_DEPTH = 128,             /* most objects and lists within one another, */
    JSON_FIELDS = 4096,           /* fields of an object, */
    JSON_VALUES = 2 * 1000 * 1000 /* values of a loose text: its tree takes 100 bytes for each */
};

/* The value of the text is an object. All but JSON_LOOSE are strict: they refuse what cJSON lets
 * pass, which is control bytes, bad UTF-8, zero characters, loose numbers, text behind the end, a
 * field twice. */
enum json_as {
    JSON_FILE,     /* a fault of the text has its place: "line 3, column 7: a colon is missing" */
    JSON_NUMBERED, /* a fault of a field has its line, too: "line 3: rounds: missing" */
    JSON_LINE,     /* one line of many: "column 7: a colon is missing" */
    JSON_LOOSE     /* of a server: no fault is kept, an empty value says enough */
};

enum json_kind {
    JSON_NONE,
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_LIST,
    JSON_OBJECT
};

/* A value of an open text. */
struct json {
    struct json_text *text;
    const void *at; /* NULL: there is no such value */
};

/* A text that cannot be read has no value, and its fault is kept. */
struct json json_open(struct str bytes, enum json_as as);
/* True if there was no fault so far. */
bool json_good(struct json v);
/* Frees the text of any value; returns false, with the fault, if there was one. */
bool json_close(struct json v, struct err *err) MUST_CHECK;
void json_free(struct json v);
/* Keeps "PATH.key: words" as the fault, if it is the first; returns false. */
bool json_fail(struct json v, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with "missing", or "expected a card, got 7". */
bool json_unexpected(struct json v, const char *key, const char *expected);

/* ---- values, without a fault ---- */

enum json_kind json_kind(struct json v);
struct json json_at(struct json v, const char *key);
/* Down through objects: json_in(v, "content", "body", NULL). */
struct json json_in(struct json v, ...) __attribute__((sentinel));
/* The members of an object or elements of a list, and the name of a member. */
struct json json_first(struct json v);
struct json json_next(struct json v);
struct str json_name(struct json v);
int json_count(struct json v);
bool json_is(struct json v, const char *key, const char *text);
bool json_is_str(struct json v, const char *key, struct str text);
/* A number without its fraction, if it is below 9e15; else 0. The same, cut to a range. */
int64_t json_number(struct json v, const char *key);
int64_t json_clamp(struct json v, const char *key, int64_t least, int64_t most);
/* A string cleaned into the arena (utf8_clean); empty if it has more than `most` bytes. */
struct str json_clean(struct arena *a, struct json v, const char *key, size_t most);

/* ---- values as asked for ---- */

int64_t json_int(struct json v, const char *key, int64_t least, int64_t most);
bool json_bool(struct json v, const char *key);
struct str json_str(struct json v, const char *key);
/* The index of a string in a list that ends with NULL; "" in the list is an unused index. */
int json_word(struct json v, const char *key, const char *const words[]);
struct json json_object(struct json v, const char *key);
struct json json_list(struct json v, const char *key, int least, int most);
/* An object has no other fields than these (a list that ends with NULL). */
void json_allow(struct json v, const char *const keys[]);

/* True if both are equal, in any order of fields; else the fault of `found` is its first field that
 * differs. */
bool json_same(struct json found, struct json wanted);

/* ---- changes ---- */

/* Adds copies of what `into` lacks, object by object. */
void json_fill(struct json into, struct json from);
void json_remove(struct json v, const char *key);
/* Sets a member of an object; without a key the value itself, which must be a string. */
void json_set_str(struct json v, const char *key, struct str s);

struct str json_print(struct arena *a, struct json v);

/* The bytes of one member of the object in `bytes`, as written, even where the text behind it is
 * broken. */
bool json_raw(struct str bytes, const char *key, struct str *ret);
/* Calls take() with each member of the object in `bytes`, its name and value as written, while it
 * returns true and the text is whole. */
void json_members(struct str bytes, bool (*take)(void *arg, struct str name, struct str raw),
                  void *arg);
/* Those of n members, at most 32, in one pass that ends behind the last of them. What is missing
 * stays as it was in `ret`; returns how many were found. */
int json_raws(struct str bytes, int n, const char *const keys[], struct str ret[]);

/* ---- writer ---- */

/* Each appends a value, behind a comma where the bytes before end a value; name: NULL in a list. */
void json_put_open(struct buf *b, const char *name, char bracket);
void json_put_str(struct buf *b, const char *name, struct str s);
void json_put_int(struct buf *b, const char *name, int64_t n);
void json_put_bool(struct buf *b, const char *name, bool on);
void json_put_null(struct buf *b, const char *name);
void json_put_value(struct buf *b, const char *name, struct json v); /* of a text that was read */
/* Only the comma and the name; a value of the caller's follows. */
void json_put_name(struct buf *b, const char *name);
/* Appends JSON as it is written here, behind a comma where one is due: ' stands for a quotation mark, $
 * for the next of the strings as a value or a name, @ for the next one as it is, which is JSON. */
#define JSON_PUT(b, form, ...)                                                                     \
    json_put((b), (form), (struct str[]){__VA_ARGS__},                                             \
             (int)(sizeof((struct str[]){__VA_ARGS__}) / sizeof(struct str)))
void json_put(struct buf *b, const char *form, const struct str *args, int n);

#endif
