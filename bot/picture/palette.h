/* Palette: the pixels of a picture in 256 colours at most, as flat art needs no more. A PNG of
 * indexes is a third of one of colours.
 *
 *     palette_open(&palette, &pixels)              counts the colours
 *     palette_reduce(&palette, 256)                as often as it takes, with fewer and fewer colours
 *     palette_lines(&palette, 24, 0, height)       the indexes of these lines
 *     palette.indexes, palette.map, palette.n      what it came to
 *     palette_close(&palette)
 */
#ifndef KOIKOI_PALETTE_H
#define KOIKOI_PALETTE_H

#include <stddef.h>
#include <stdint.h>

enum { PALETTE_MOST = 256, CHANNELS = 3 };

/* CAIRO_FORMAT_RGB24, lines of `stride` pixels. */
struct pixels {
    const uint32_t *at;
    int width, height, stride;
};

struct palette {
    uint8_t map[PALETTE_MOST * CHANNELS]; /* red, green, blue of each colour */
    int n;                                /* colours */
    uint8_t *indexes;                     /* of the pixels, line by line, each behind a zero */
    int width, height;
    /* private */
    struct shade *shade; /* the colours of the picture, in the order of first sight */
    int n_shades;
    uint16_t *shade_of; /* each pixel's */
};

/* From a line of `indexes` to the next, in bytes. */
static inline ptrdiff_t palette_line(const struct palette *p)
{
    return p->width + 1;
}

void palette_open(struct palette *p, const struct pixels *pixels);
void palette_close(struct palette *p);
/* Sets map and n; `most`: 2 to PALETTE_MOST. */
void palette_reduce(struct palette *p, int most);
/* Sets the indexes of n lines. A pixel along an edge takes the colour of its neighbour at its left, or
 * above it in these lines, if that is `near` or nearer, as a distance of red, green and blue. */
void palette_lines(const struct palette *p, int near, int first, int n);

#endif
