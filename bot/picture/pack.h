/* Packing by deflate: a PNG of indexes, and bitmaps that are kept but seldom needed.
 *
 *     size_t about = pack_png_size(&palette, near)   before the time of packing it well is spent
 *     pack_png(&palette, &buf)                       false if the buffer is too small
 *     n = pack_bytes(bitmap, size, packed), unpack_bytes(packed, n, bitmap, size)
 */
#ifndef KOIKOI_PACK_H
#define KOIKOI_PACK_H

#include "err.h"
#include "palette.h"
#include "str.h"

/* What pack_png() would append, in bytes, 5 % more or less, in a tenth of its time. Sets the indexes of
 * the lines that it looks at. */
size_t pack_png_size(const struct palette *p, int near);
/* Appends the palette's indexes and map as a PNG. Returns false, with *ret untouched, if there is no
 * room. */
bool pack_png(const struct palette *p, struct buf *ret) MUST_CHECK;

/* Returns the bytes allocated for *ret; the caller frees it. */
size_t pack_bytes(const uint8_t *bytes, size_t n, uint8_t **ret);
/* `n`: the bytes that were packed. */
void unpack_bytes(struct str packed, uint8_t *ret, size_t n);

#endif
