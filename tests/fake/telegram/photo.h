/* Pictures that were uploaded: each gets ids of its own, by which it may be named again, one for
 * each size in which it is kept. */
#ifndef FAKE_PHOTO_H
#define FAKE_PHOTO_H

#include "text.h"

#include <stdbool.h>
#include <stddef.h>

struct photo {
    char *id, *small_id; /* file ids: of the largest size, and of the smallest */
    int width, height;
    size_t bytes;
};

/* Takes in an upload. NULL: *ret is it; else the fault. */
const char *photo_take(const char *bytes, size_t n, const struct photo **ret);
/* The picture of a file id, of whichever size; NULL: there is none. */
const struct photo *photo_known(const char *file_id);
/* As an Array of PhotoSize, the smallest first. */
void photo_json(struct text *t, const char *file_id);

#endif
