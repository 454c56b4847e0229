/* Growing text and JSON, for programs and tests that end when memory runs out. JSON is written by a
 * format and read by a path:
 *
 *     js_put(&t, "{'id':%lld,'name':%s,'tags':%-s}", id, name, "[1]");
 *     js_text(tree, "user/name")
 */
#ifndef KOIKOI_FAKE_JSON_H
#define KOIKOI_FAKE_JSON_H

#include "str.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct text_buffer {
    char *p;
    size_t n, cap;
}; /* NUL-terminated once used */

void *must(void *p);                            /* p; ends the program if it is NULL */
void txt_room(struct text_buffer *t, size_t n); /* makes room for n more bytes and a NUL */
void txt_add(struct text_buffer *t, const char *p, size_t n);
void txt_put(struct text_buffer *t, const char *z);
void txt_print(struct text_buffer *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void txt_int(struct text_buffer *t, int64_t v);
void txt_free(struct text_buffer *t);

/* In a format of JSON ' is a quotation mark, and
 *
 *     %s   a text, escaped and quoted        %-s   JSON as it is
 *     %p   a cJSON tree; NULL: {}            %d %lld %zu   numbers
 */
void js_put(struct text_buffer *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void js_vput(struct text_buffer *t, const char *format, va_list args);
cJSON *js_make(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Path: keys with '/' between them. What is missing, or of another kind, is NULL, "" or 0. */
const cJSON *js_at(const cJSON *o, const char *path);
const char *js_text(const cJSON *o, const char *path);
int64_t js_number(const cJSON *o, const char *path);
bool js_true(const cJSON *o, const char *path);

#endif
