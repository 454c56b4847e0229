/* Growing text, for a program that may ask for memory and dies when there is none. */
#ifndef FAKE_TEXT_H
#define FAKE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
    char *p;
    size_t n, cap;
}; /* always with a NUL behind it once used */

void *must(void *p);                      /* p, or the end of the program */
void text_room(struct text *t, size_t n); /* n more bytes and the NUL fit */
void text_add(struct text *t, const char *p, size_t n);
void text_put(struct text *t, const char *z);
void text_print(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_int(struct text *t, int64_t v);
void text_json(struct text *t, const char *z); /* as a JSON string, with its quotes */
void text_free(struct text *t);

#endif
