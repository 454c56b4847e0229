/* Pixels become a PNG of at most 256 colours: the most frequent ones as they are, any other by a near one. Cards
 * are flat colours with soft edges, so only edges change, and hardly to be seen; it is a third of the bytes and
 * of the time that all colours would take. The same pixels are always the same bytes.
 */
#ifndef KOIKOI_PNG_H
#define KOIKOI_PNG_H

#include <stdint.h>

#include "str.h"

/* Pixels are 0xRRGGBB, row after row; the highest byte means nothing. False if it does not fit into the
 * buffer, which is then as it was. */
bool png_write(const uint32_t *pixels, int width, int height, struct buf *ret);

#endif
