/* Palette of a picture: 256 colours at most, as flat art needs no more. A PNG of indexes is a third
 * of one of colours. The same pixels give the same bytes. */
#ifndef KOIKOI_PALETTE_H
#define KOIKOI_PALETTE_H

#include "err.h"
#include "str.h"

/* CAIRO_FORMAT_RGB24, rows of `stride` bytes. */
struct palette_pixels {
    const uint8_t *at;
    int width, height, stride;
};

/* Appends a PNG; in fewer colours and with coarser edges, step by step, while it is larger than
 * `good_size` bytes. Fails if the buffer is too small. Call painting_load() before. */
bool palette_png(const struct palette_pixels *p, size_t good_size, struct buf *ret,
                 struct err *err) MUST_CHECK;

#endif
