/* Formatted text as the Bot API reads it: HTML, or plain text with entities. */
#ifndef FAKE_ENTITIES_H
#define FAKE_ENTITIES_H

#include "text.h"

#include <cjson/cJSON.h>

size_t utf16_length(const char *s, size_t n); /* of valid UTF-8, in UTF-16 code units */
size_t utf8_characters(const char *s);

/* Reads HTML: plain text into *plain, entities (an array in JSON, "[]" if none) into *entities.
 * NULL, or what the server says about the fault. */
const char *html_read(const char *html, struct text *plain, struct text *entities);
/* NULL, or what is wrong with a list of entities over this text. */
const char *entities_check(const char *plain, const cJSON *entities);

#endif
