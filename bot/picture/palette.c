/* Median cut over the colours of a picture; see palette.h. A box of colours is cut at its mean
 * along its widest channel, the box with the greatest error first. A colour that makes up much of
 * its box stands for the box itself, so that flat grounds keep their exact colour. */
#include "palette.h"

#include <assert.h>

#include "alloc.h"
#include "painting.h"

enum { MOST = 256, SLOTS = 1 << 18, CHANNELS = 3 };

struct shade {
    uint32_t colour, n; /* 0xRRGGBB and its pixels; n 0: a free slot */
    uint8_t index;      /* in the palette */
};

/* Hash table of the picture's colours; `used` lists its slots in the order of first sight. */
struct shades {
    struct shade *at;
    uint32_t *used, mask; /* the bits of a colour that count */
    int n;
};

struct box {
    int first, n; /* of shades.used */
    int64_t weight, sum[CHANNELS];
    double error[CHANNELS]; /* sum of squared distances from the mean */
};

static int channel(uint32_t colour, int k)
{
    return colour >> (16 - 8 * k) & 255;
}

/* Returns NULL if the table is full. */
static struct shade *slot_of(struct shades *s, uint32_t colour)
{
    uint32_t at = colour * 2654435761u >> 14;
    while (s->at[at].n > 0 && s->at[at].colour != colour)
        at = (at + 1) & (SLOTS - 1);
    if (s->at[at].n == 0) {
        if (s->n == SLOTS * 3 / 4)
            return NULL;
        s->used[s->n++] = at;
        s->at[at].colour = colour;
    }
    return &s->at[at];
}

static uint32_t pixel_at(const struct palette_pixels *p, int x, int y)
{
    uint32_t pixel;
    memcpy(&pixel, p->at + (ptrdiff_t)y * p->stride + (ptrdiff_t)x * 4, sizeof pixel);
    return pixel;
}

static bool count_shades(struct shades *s, const struct palette_pixels *p)
{
    struct shade *last = NULL;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            uint32_t colour = pixel_at(p, x, y) & s->mask;
            if (!last || last->colour != colour)
                last = slot_of(s, colour);
            if (!last)
                return false;
            last->n++;
        }
    return true;
}

/* Colours too many for the table lose their lowest bits: 32,768 at most are left. */
static void find_shades(struct shades *s, const struct palette_pixels *p)
{
    s->mask = 0xffffff;
    if (count_shades(s, p))
        return;
    memset(s->at, 0, SLOTS * sizeof *s->at);
    s->n = 0;
    s->mask = 0xf8f8f8;
    (void)count_shades(s, p);
}

static struct box box_of(const struct shades *s, int first, int n)
{
    struct box b = {.first = first, .n = n};
    double squares[CHANNELS] = {0};
    for (int i = first; i < first + n; i++) {
        const struct shade *c = &s->at[s->used[i]];
        b.weight += c->n;
        for (int k = 0; k < CHANNELS; k++) {
            int v = channel(c->colour, k);
            b.sum[k] += (int64_t)v * c->n;
            squares[k] += (double)v * v * c->n;
        }
    }
    for (int k = 0; k < CHANNELS; k++)
        b.error[k] = squares[k] - (double)b.sum[k] * (double)b.sum[k] / (double)b.weight;
    return b;
}

static int widest_channel(const struct box *b)
{
    int widest = 0;
    for (int k = 1; k < CHANNELS; k++)
        if (b->error[k] > b->error[widest])
            widest = k;
    return widest;
}

/* Moves the shades at or below the mean to the front; returns their number, or 0 if all are
 * alike. */
static int cut_at_mean(struct shades *s, const struct box *b)
{
    int k = widest_channel(b), n = 0;
    int64_t mean = b->sum[k] / b->weight;
    for (int i = b->first; i < b->first + b->n; i++)
        if (channel(s->at[s->used[i]].colour, k) <= mean) {
            uint32_t slot = s->used[i];
            s->used[i] = s->used[b->first + n];
            s->used[b->first + n++] = slot;
        }
    return n < b->n ? n : 0;
}

static int cut_boxes(struct shades *s, struct box box[static MOST], int most)
{
    int n = 1;
    box[0] = box_of(s, 0, s->n);
    while (n < most) {
        int worst = 0;
        for (int i = 1; i < n; i++)
            if (box[i].error[widest_channel(&box[i])] >
                box[worst].error[widest_channel(&box[worst])])
                worst = i;
        struct box whole = box[worst];
        int low = whole.n > 1 ? cut_at_mean(s, &whole) : 0;
        if (low == 0)
            break;
        box[worst] = box_of(s, whole.first, low);
        box[n++] = box_of(s, whole.first + low, whole.n - low);
    }
    return n;
}

/* The colour that stands for a box: one that a quarter of its pixels have, else the mean. */
static uint32_t colour_of(const struct shades *s, const struct box *b)
{
    enum { SHARE = 4 };
    const struct shade *most = &s->at[s->used[b->first]];
    for (int i = b->first; i < b->first + b->n; i++)
        if (s->at[s->used[i]].n > most->n)
            most = &s->at[s->used[i]];
    if ((int64_t)most->n * SHARE >= b->weight)
        return most->colour;
    uint32_t colour = 0;
    assert(b->weight > 0); /* a box has pixels */
    for (int k = 0; k < CHANNELS; k++)
        colour = colour << 8 | (uint32_t)((b->sum[k] + b->weight / 2) / b->weight);
    return colour;
}

static void set_indexes(struct shades *s, const struct box *box, int n,
                        uint8_t map[static MOST * 3])
{
    for (int i = 0; i < n; i++) {
        uint32_t colour = colour_of(s, &box[i]);
        for (int k = 0; k < CHANNELS; k++)
            map[i * CHANNELS + k] = (uint8_t)channel(colour, k);
        for (int j = box[i].first; j < box[i].first + box[i].n; j++)
            s->at[s->used[j]].index = (uint8_t)i;
    }
}

/* Square of the distance of two colours. */
static int distance(uint32_t colour, const uint8_t *other)
{
    int sum = 0;
    for (int k = 0; k < CHANNELS; k++) {
        int d = channel(colour, k) - other[k];
        sum += d * d;
    }
    return sum;
}

/* Of a rare shade, as along an edge, a pixel that is near the colour above it or at its left
 * becomes that one: equal lines and long runs are what compresses. */
static void put_indexes(struct shades *s, const struct palette_pixels *p, int near,
                        const uint8_t *map, uint8_t *ret)
{
    enum { RARE = 1000 }; /* a shade of less than one pixel in so many */
    uint32_t flat = (uint32_t)(p->width * p->height / RARE);
    const struct shade *shade = NULL;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++, ret++) {
            uint32_t colour = pixel_at(p, x, y) & s->mask;
            if (!shade || shade->colour != colour)
                shade = slot_of(s, colour);
            *ret = shade->index;
            if (shade->n > flat)
                continue;
            if (y > 0 && distance(shade->colour, map + ret[-p->width] * CHANNELS) <= near * near)
                *ret = ret[-p->width];
            else if (x > 0 && distance(shade->colour, map + ret[-1] * CHANNELS) <= near * near)
                *ret = ret[-1];
        }
}

static bool write_png(const struct palette_pixels *p, const uint8_t *indexes, const uint8_t *map,
                      int n, struct buf *ret, struct err *err)
{
    png_alloc_size_t size = ret->cap - ret->n;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)p->width,
                       .height = (png_uint_32)p->height,
                       .format = PNG_FORMAT_RGB_COLORMAP,
                       .colormap_entries = (png_uint_32)n};
    if (!paint->png_image_write_to_memory(&image, ret->p + ret->n, &size, 0, indexes, 0, map))
        return err_set(err, "picture: larger than %zu bytes", ret->cap);
    ret->n += size;
    return true;
}

/* From fine to coarse. `share`: the size in percent of the finest; hands differ by 3 at most. */
static const struct {
    int colours, near, share;
} steps[] = {{256, 24, 100}, {128, 48, 81}, {96, 64, 73}, {64, 80, 65}, {48, 96, 58}};
enum { STEPS = sizeof steps / sizeof *steps };

/* The next step that may be small enough: most of the time goes into packing. */
static int step_after(int step, size_t finest, size_t good_size)
{
    enum { SLACK = 3 };
    do
        step++;
    while (step < STEPS - 1 && finest / 100 * (size_t)(steps[step].share - SLACK) > good_size);
    return step;
}

bool palette_png(const struct palette_pixels *p, size_t good_size, struct buf *ret, struct err *err)
{
    struct shades s = {.at = alloc_array(SLOTS, sizeof *s.at),
                       .used = alloc_array(SLOTS, sizeof *s.used)};
    struct box box[MOST];
    struct buf before = *ret;
    uint8_t map[MOST * CHANNELS];
    uint8_t *indexes = alloc_array((size_t)p->width, (size_t)p->height);
    bool good = true;
    find_shades(&s, p);
    size_t finest = 0;
    for (int i = 0; i < STEPS && good; i = step_after(i, finest, good_size)) {
        *ret = before;
        int n = cut_boxes(&s, box, steps[i].colours);
        set_indexes(&s, box, n, map);
        put_indexes(&s, p, steps[i].near, map, indexes);
        good = write_png(p, indexes, map, n, ret, err);
        if (good && ret->n - before.n <= good_size)
            break;
        finest = finest ? finest : ret->n - before.n;
    }
    free(indexes);
    free(s.used);
    free(s.at);
    return good;
}
