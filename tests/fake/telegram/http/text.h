/* Growing text, for a program that ends when memory runs out. */
#ifndef FAKE_TEXT_H
#define FAKE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text_buffer {
    char *p;
    size_t n, cap;
}; /* NUL-terminated once used */

void *must(void *p);                             /* p; ends the program if it is NULL */
void text_room(struct text_buffer *t, size_t n); /* makes room for n more bytes and a NUL */
void text_add(struct text_buffer *t, const char *p, size_t n);
void text_put(struct text_buffer *t, const char *z);
void text_print(struct text_buffer *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void text_int(struct text_buffer *t, int64_t v);
void text_json(struct text_buffer *t, const char *z); /* as a JSON string, quotes included */
void text_free(struct text_buffer *t);

#endif
