/* See png.h. The format: a signature, then chunks of length, name, data and checksum; the data of IDAT is one
 * zlib stream of rows, each after a byte that names its filter (none: best for palettes).
 * Source: PNG specification, third edition, sections 5, 9 and 11. */
#include "png.h"

#include <assert.h>
#include <zlib.h>

enum { COLOURS = 256, LEVEL = 6, SLOTS = 1 << 16, SLOTS_MOST = SLOTS / 4 * 3 };

/* ---- colours ---- */

/* How often a colour comes, and where it is in the palette. */
struct colour {
    uint32_t rgb;
    int32_t count; /* 0: a free slot */
    uint8_t index;
    bool chosen; /* it is in the palette */
};

struct colours {
    struct colour slot[SLOTS];
    int n;
    uint32_t mask; /* what tells colours apart */
    int n_palette;
    struct colour *palette[COLOURS];
    uint16_t alike[1 << 15]; /* 1 + what is nearest; 0: not known */
};

static struct colour *find(struct colours *c, uint32_t rgb)
{
    uint32_t at = rgb * 0x9e3779b1u >> 16;
    while (c->slot[at].count > 0 && c->slot[at].rgb != rgb)
        at = (at + 1) % SLOTS;
    return &c->slot[at];
}

/* False if there are too many: then they are told apart less finely. */
static bool count(struct colours *c, const uint32_t *pixels, size_t n)
{
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && pixels[j] == pixels[i]; j++)
            ;
        struct colour *colour = find(c, pixels[i] & c->mask);
        if (colour->count == 0) {
            if (c->n == SLOTS_MOST)
                return false;
            c->n++;
            colour->rgb = pixels[i] & c->mask;
        }
        colour->count += (int32_t)(j - i);
    }
    return true;
}

static int by_count(const void *a, const void *b)
{
    const struct colour *x = *(struct colour *const *)a, *y = *(struct colour *const *)b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->rgb < y->rgb ? -1 : 1;
}

static int distance(uint32_t a, uint32_t b)
{
    int r = (int)(a >> 16 & 255) - (int)(b >> 16 & 255),
        g = (int)(a >> 8 & 255) - (int)(b >> 8 & 255), l = (int)(a & 255) - (int)(b & 255);
    return 2 * r * r + 4 * g * g + l * l;
}

/* Found once for all that are so much alike: 32 steps a channel. */
static uint8_t nearest(struct colours *c, uint32_t rgb)
{
    uint16_t *known = &c->alike[(rgb >> 19 & 31) << 10 | (rgb >> 11 & 31) << 5 | (rgb >> 3 & 31)];
    if (*known > 0)
        return (uint8_t)(*known - 1);

    int best = 0, least = distance(rgb, c->palette[0]->rgb);
    for (int i = 1; i < c->n_palette && least > 0; i++) {
        int d = distance(rgb, c->palette[i]->rgb);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    *known = (uint16_t)(best + 1);
    return (uint8_t)best;
}

/* 16 steps a channel. */
static unsigned bucket(uint32_t rgb)
{
    return (rgb >> 20 & 15) << 8 | (rgb >> 12 & 15) << 4 | (rgb >> 4 & 15);
}

/* The half that is most frequent, then the most frequent of each shade that is not yet there, so that none is far
 * from what it becomes; then what comes next. */
static void choose(struct colours *c)
{
    struct colour **all = malloc(((size_t)c->n + 1) * sizeof *all);
    bool shade[1 << 12] = {false};
    int n = 0;
    assert(all);
    for (int i = 0; i < SLOTS; i++)
        if (c->slot[i].count > 0)
            all[n++] = &c->slot[i];
    qsort(all, (size_t)n, sizeof *all, by_count);
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < n && c->n_palette < COLOURS; i++) {
            bool wanted = pass == 0   ? i < COLOURS / 2
                          : pass == 1 ? !shade[bucket(all[i]->rgb)]
                                      : true;
            if (!wanted || all[i]->chosen)
                continue;
            all[i]->chosen = true;
            all[i]->index = (uint8_t)c->n_palette;
            c->palette[c->n_palette++] = all[i];
            shade[bucket(all[i]->rgb)] = true;
        }
    for (int i = 0; i < n; i++)
        if (!all[i]->chosen)
            all[i]->index = nearest(c, all[i]->rgb);
    free(all);
}

/* ---- bytes ---- */

static void put_u32(struct buf *b, uint32_t n)
{
    char bytes[] = {(char)(n >> 24), (char)(n >> 16), (char)(n >> 8), (char)n};
    buf_put(b, (struct str){bytes, sizeof bytes});
}

/* `name`: four letters. */
static void put_chunk(struct buf *b, const char *name, struct str data)
{
    uLong sum = crc32(0, (const Bytef *)name, 4);
    if (data.n > 0)
        sum = crc32(sum, (const Bytef *)data.p, (uInt)data.n);
    put_u32(b, (uint32_t)data.n);
    buf_put(b, (struct str){name, 4});
    buf_put(b, data);
    put_u32(b, (uint32_t)sum);
}

static void put_head(struct buf *b, int width, int height)
{
    char bytes[13];
    struct buf head = BUF(bytes);
    put_u32(&head, (uint32_t)width);
    put_u32(&head, (uint32_t)height);
    buf_put(
        &head,
        STR("\x08\x03\0\0\0")); /* 8 bits, a palette; the one compression, filter, not interlaced */
    put_chunk(b, "IHDR", buf_str(&head));
}

static void put_palette(struct buf *b, const struct colours *c)
{
    char bytes[COLOURS * 3];
    struct buf list = BUF(bytes);
    for (int i = 0; i < c->n_palette; i++)
        for (int shift = 16; shift >= 0; shift -= 8)
            buf_char(&list, (char)(c->palette[i]->rgb >> shift));
    put_chunk(b, "PLTE", buf_str(&list));
}

static void put_pixels(struct buf *b, struct colours *c, const uint32_t *pixels, int width,
                       int height)
{
    size_t n = (size_t)height * ((size_t)width + 1);
    uLongf packed = compressBound((uLong)n);
    uint8_t *rows = malloc(n), *at = rows;
    char *stream = malloc(packed);
    assert(rows && stream);
    for (int y = 0; y < height; y++) {
        *at++ = 0;
        for (int x = 0; x < width; x++, pixels++, at++)
            *at = x > 0 && pixels[0] == pixels[-1] ? at[-1] : find(c, *pixels & c->mask)->index;
    }
    int done = compress2((Bytef *)stream, &packed, rows, (uLong)n, LEVEL);
    assert(done == Z_OK);
    (void)done;
    put_chunk(b, "IDAT", (struct str){stream, packed});
    free(rows);
    free(stream);
}

bool png_write(const uint32_t *pixels, int width, int height, struct buf *ret)
{
    struct colours *c = malloc(sizeof *c);
    size_t n = (size_t)width * (size_t)height, before = ret->n;
    uint32_t mask = 0xffffff;
    assert(c);
    do {
        memset(c, 0, sizeof *c);
        c->mask = mask;
        mask = mask << 1 & 0xfefefe;
    } while (!count(c, pixels, n));
    choose(c);
    buf_put(ret, STR("\x89PNG\r\n\x1a\n"));
    put_head(ret, width, height);
    put_palette(ret, c);
    put_pixels(ret, c, pixels, width, height);
    put_chunk(ret, "IEND", STR(""));
    free(c);
    bool good = !ret->cut;
    if (!good)
        *ret = (struct buf){ret->p, before, ret->cap, false};
    return good;
}
