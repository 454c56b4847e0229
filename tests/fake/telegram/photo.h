/* Uploaded pictures. Each is kept in several sizes, and each size has a file id by which the bot
 * may send it again. */
#ifndef FAKE_PHOTO_H
#define FAKE_PHOTO_H

#include "fake/telegram/http/text.h"

#include <stdbool.h>
#include <stddef.h>

struct photo {
    char *id, *small_id; /* file ids of the largest and of the smallest size */
    int width, height;
    size_t bytes;
};

/* Stores an upload. Returns NULL, or the server's error text. */
const char *photo_take(const char *bytes, size_t n, const struct photo **ret);
/* The picture of a file id of any size. Returns NULL if not found. */
const struct photo *photo_known(const char *file_id);
/* Appends an array of PhotoSize, the smallest first. */
void photo_json(struct text_buffer *t, const char *file_id);

#endif
