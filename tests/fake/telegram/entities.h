/* Formatted text as the Bot API reads it: HTML, or plain text with entities. */
#ifndef FAKE_ENTITIES_H
#define FAKE_ENTITIES_H

#include "fake/telegram/http/text.h"

#include <cjson/cJSON.h>

size_t utf16_length(const char *s, size_t n); /* of valid UTF-8, in UTF-16 code units */
size_t utf8_characters(const char *s);

/* Parses HTML into plain text and entities (a JSON array, "[]" if there are none). Returns NULL, or
 * the server's error text. */
const char *html_read(const char *html, struct text_buffer *plain, struct text_buffer *entities);
/* Checks a list of entities for this text. Returns NULL, or the server's error text. */
const char *entities_check(const char *plain, const cJSON *entities);

#endif
