/* Median cut over the colours of a picture; see palette.h. A box of colours is cut at its mean along
 * its widest channel, the box with the greatest error first. A colour that makes up much of its box
 * stands for the box itself, so that flat grounds keep their exact colour. */
#include "palette.h"

#include <assert.h>
#include <string.h>

#include "alloc.h"

enum { SLOT_BITS = 16, SLOTS = 1 << SLOT_BITS, MOST_SHADES = SLOTS * 3 / 4 };
_Static_assert(MOST_SHADES <= UINT16_MAX, "a shade is known by 16 bits");

struct shade {
    uint32_t colour, n; /* 0xRRGGBB and its pixels */
    uint32_t id;        /* its place in palette.shade, in a copy that boxes sort */
    uint8_t index;      /* in the map */
};

struct box {
    int first, n; /* of the sorted shades */
    int64_t weight, sum[CHANNELS], squares[CHANNELS];
    double error[CHANNELS]; /* sum of squared distances from the mean */
};

/* A colour in the hash table, beside its number plus 1, so that a look at it is one of memory. */
struct shade_place {
    uint32_t colour, number;
};

static int channel(uint32_t colour, int k)
{
    return colour >> (16 - 8 * k) & 255;
}

/* ---- counting ---- */

/* Returns SLOTS if there are too many. */
static uint32_t shade_number(struct palette *p, struct shade_place *slot, uint32_t colour)
{
    uint32_t at = colour * 2654435761u >> (32 - SLOT_BITS);
    while (slot[at].number && slot[at].colour != colour)
        at = (at + 1) & (SLOTS - 1);
    if (!slot[at].number) {
        if (p->n_shades == MOST_SHADES)
            return SLOTS;
        p->shade[p->n_shades] = (struct shade){.colour = colour, .id = (uint32_t)p->n_shades};
        slot[at] = (struct shade_place){colour, (uint32_t)++p->n_shades};
    }
    return slot[at].number - 1;
}

/* A run of one colour is counted at once; many begin below one of the same colour. */
static bool count_shades(struct palette *p, const struct pixels *pixels, struct shade_place *slot,
                         uint32_t mask)
{
    uint16_t *shade_of = p->shade_of;
    p->n_shades = 0;
    for (int y = 0; y < pixels->height; y++, shade_of += p->width) {
        const uint32_t *at = pixels->at + (ptrdiff_t)y * pixels->stride,
                       *above = y > 0 ? at - pixels->stride : at;
        for (int x = 0, first = 0; first < p->width; first = x) {
            uint32_t colour = at[first] & mask;
            bool known = y > 0 && (above[first] & mask) == colour;
            uint32_t id = known ? shade_of[first - p->width] : shade_number(p, slot, colour);
            if (id == SLOTS)
                return false;
            for (x = first; x < p->width && (at[x] & mask) == colour; x++)
                shade_of[x] = (uint16_t)id;
            p->shade[id].n += (uint32_t)(x - first);
        }
    }
    return true;
}

void palette_open(struct palette *p, const struct pixels *pixels)
{
    size_t n = (size_t)pixels->width * (size_t)pixels->height;
    struct shade_place *slot = alloc_zeroed(SLOTS * sizeof *slot);
    *p = (struct palette){.indexes = alloc_zeroed(n + (size_t)pixels->height),
                          .width = pixels->width,
                          .height = pixels->height,
                          .shade = alloc_array(MOST_SHADES, sizeof *p->shade),
                          .shade_of = alloc_array(n, sizeof *p->shade_of)};
    if (!count_shades(p, pixels, slot, 0xffffff)) { /* without their lowest bits 32,768 at most */
        memset(slot, 0, SLOTS * sizeof *slot);
        (void)count_shades(p, pixels, slot, 0xf8f8f8);
    }
    free(slot);
}

void palette_close(struct palette *p)
{
    free(p->indexes);
    free(p->shade);
    free(p->shade_of);
}

/* ---- boxes ---- */

static void set_errors(struct box *b)
{
    for (int k = 0; k < CHANNELS; k++)
        b->error[k] =
            (double)b->squares[k] - (double)b->sum[k] * (double)b->sum[k] / (double)b->weight;
}

static struct box box_of(const struct shade *sorted, int first, int n)
{
    struct box b = {.first = first, .n = n};
    for (const struct shade *s = sorted + first; s < sorted + first + n; s++) {
        b.weight += s->n;
        for (int k = 0; k < CHANNELS; k++) {
            int64_t v = channel(s->colour, k), weighed = v * s->n;
            b.sum[k] += weighed;
            b.squares[k] += v * weighed;
        }
    }
    set_errors(&b);
    return b;
}

/* What `part`, which lies at one end of it, leaves of a box. */
static struct box box_without(const struct box *whole, const struct box *part)
{
    bool front = part->first == whole->first;
    struct box b = {.first = whole->first + (front ? part->n : 0), .n = whole->n - part->n};
    b.weight = whole->weight - part->weight;
    for (int k = 0; k < CHANNELS; k++) {
        b.sum[k] = whole->sum[k] - part->sum[k];
        b.squares[k] = whole->squares[k] - part->squares[k];
    }
    set_errors(&b);
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

/* Moves the shades at or below the mean to the front; returns their number, or 0 if all are alike.
 * Without a branch on a shade's colour, which no processor could foresee. */
static int cut_at_mean(struct shade *sorted, const struct box *b)
{
    int k = widest_channel(b), n = 0;
    int64_t mean = b->sum[k] / b->weight;
    struct shade *first = sorted + b->first;
    for (int i = 0; i < b->n; i++) {
        struct shade pair[] = {first[i], first[n]};
        int low = channel(pair[0].colour, k) <= mean;
        first[i] = pair[low];
        first[n] = pair[!low];
        n += low;
    }
    return n < b->n ? n : 0;
}

static int cut_boxes(struct shade *sorted, int n_shades, struct box box[static PALETTE_MOST],
                     int most)
{
    int n = 1;
    double error[PALETTE_MOST]; /* of the widest channel */
    box[0] = box_of(sorted, 0, n_shades);
    error[0] = box[0].error[widest_channel(&box[0])];
    while (n < most) {
        int worst = 0;
        for (int i = 1; i < n; i++)
            if (error[i] > error[worst])
                worst = i;
        struct box whole = box[worst];
        int low = whole.n > 1 ? cut_at_mean(sorted, &whole) : 0;
        if (low == 0)
            break;
        if (low < whole.n - low) {
            box[worst] = box_of(sorted, whole.first, low);
            box[n] = box_without(&whole, &box[worst]);
        } else {
            box[n] = box_of(sorted, whole.first + low, whole.n - low);
            box[worst] = box_without(&whole, &box[n]);
        }
        error[worst] = box[worst].error[widest_channel(&box[worst])];
        error[n] = box[n].error[widest_channel(&box[n])];
        n++;
    }
    return n;
}

/* The colour that stands for a box: one that a quarter of its pixels have, else the mean. */
static uint32_t colour_of(const struct shade *sorted, const struct box *b)
{
    enum { SHARE = 4 };
    const struct shade *most = &sorted[b->first];
    for (int i = b->first; i < b->first + b->n; i++)
        if (sorted[i].n > most->n)
            most = &sorted[i];
    if ((int64_t)most->n * SHARE >= b->weight)
        return most->colour;
    uint32_t colour = 0;
    assert(b->weight > 0); /* a box has pixels */
    for (int k = 0; k < CHANNELS; k++)
        colour = colour << 8 | (uint32_t)((b->sum[k] + b->weight / 2) / b->weight);
    return colour;
}

void palette_reduce(struct palette *p, int most)
{
    struct box box[PALETTE_MOST];
    size_t n = (size_t)p->n_shades;
    struct shade *sorted = alloc_array(n, sizeof *sorted);
    memcpy(sorted, p->shade, n * sizeof *sorted);
    p->n = cut_boxes(sorted, p->n_shades, box, most);
    for (int i = 0; i < p->n; i++) {
        uint32_t colour = colour_of(sorted, &box[i]);
        for (int k = 0; k < CHANNELS; k++)
            p->map[i * CHANNELS + k] = (uint8_t)channel(colour, k);
        for (int j = box[i].first; j < box[i].first + box[i].n; j++)
            p->shade[sorted[j].id].index = (uint8_t)i;
    }
    free(sorted);
}

/* ---- pixels ---- */

/* Square of the distance of two colours. */
static int distance(uint32_t colour, const uint8_t *other)
{
    int red = channel(colour, 0) - other[0], green = channel(colour, 1) - other[1],
        blue = channel(colour, 2) - other[2];
    return red * red + green * green + blue * blue;
}

/* Of a rare shade, as along an edge, a pixel that is near the colour above it or at its left
 * becomes that one: equal lines and long runs are what compresses. */
void palette_lines(const struct palette *p, int near, int first, int n)
{
    enum { RARE = 1000 }; /* a shade of less than one pixel in so many */
    uint32_t flat = (uint32_t)(p->width * p->height / RARE);
    const uint16_t *shade_of = p->shade_of + (ptrdiff_t)first * p->width;
    const ptrdiff_t line = palette_line(p);
    uint8_t *at = p->indexes + first * line + 1;
    for (int y = 0; y < n; y++, at += line, shade_of += p->width)
        for (int x = 0; x < p->width; x++) {
            const struct shade *s = &p->shade[shade_of[x]];
            at[x] = s->index;
            if (s->n > flat) {
                for (; x + 1 < p->width && shade_of[x + 1] == shade_of[x]; x++)
                    at[x + 1] = s->index;
                continue;
            }
            int above = y > 0 ? at[x - line] : s->index, left = x > 0 ? at[x - 1] : s->index;
            if (above == s->index && left == s->index)
                continue;
            if (distance(s->colour, p->map + above * CHANNELS) <= near * near)
                at[x] = (uint8_t)above;
            else if (distance(s->colour, p->map + left * CHANNELS) <= near * near)
                at[x] = (uint8_t)left;
        }
}
