/* See paper.h. The only file that calls librsvg, cairo and libpng. */
#include "paper.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>

#include "alloc.h"
#include "embedded.h"

/* ---- libraries ---- */

/* librsvg depends on the others, so that all are found in it. */
const struct painting *paint;

static const struct {
    const char *name;
    size_t at;
} calls[] = {
#define X(name) {#name, offsetof(struct painting, name)},
    PAINTING_CALLS(X)
#undef X
};

static void load(void)
{
    static struct painting found;
    void *library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library && i < sizeof calls / sizeof *calls; i++) {
        void *call = dlsym(library, calls[i].name);
        if (!call)
            return;
        memcpy((char *)&found + calls[i].at, &call, sizeof call);
    }
    if (library)
        paint = &found;
}

bool painting_load(struct err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return paint || err_set(err, "pictures: cannot load librsvg-2.so.2");
}

/* ---- the surface ---- */

/* A card in pixels. */
enum { CARD_W = 129, CARD_H = 206, STRIDE = CARD_W * 4 };
_Static_assert(CARD_W *PAPER_WIDTH == PAPER_CARD * PAPER_PIXELS, "a whole card is whole pixels");

const struct colour paper_felt = {0.15, 0.33, 0.27}, paper_hand = {0.12, 0.25, 0.21},
                    paper_bright = {0.98, 0.80, 0.30}, paper_dark = {0.10, 0.12, 0.11},
                    paper_pale = {0.94, 0.96, 0.93}, paper_dim = {0.70, 0.80, 0.74},
                    paper_gold = {0.79, 0.64, 0.29}, paper_red = {0.71, 0.21, 0.16},
                    paper_ink = {0.97, 0.95, 0.89}, paper_warp = {0.09, 0.22, 0.175},
                    paper_weft = {0.125, 0.28, 0.225};

int paper_pixels(double units)
{
    return (int)(units * PAPER_PIXELS / PAPER_WIDTH + 0.5);
}

bool paper_open(struct paper *p, const struct deck *deck, int height, struct err *err)
{
    *p = (struct paper){.deck = deck, .height = paper_pixels(height)};
    if (!painting_load(err))
        return false;
    p->surface = paint->cairo_image_surface_create(CAIRO_FORMAT_RGB24, PAPER_PIXELS, p->height);
    p->pen = paint->cairo_create(p->surface);
    paint->cairo_scale(p->pen, (double)PAPER_PIXELS / PAPER_WIDTH,
                       (double)PAPER_PIXELS / PAPER_WIDTH);
    paper_box(p, paper_felt, 0, 0, PAPER_WIDTH, height + 1);
    return true;
}

void paper_close(struct paper *p)
{
    if (!p->pen)
        return;
    paint->cairo_destroy(p->pen);
    paint->cairo_surface_destroy(p->surface);
}

/* ---- shapes ---- */

static void use(const struct paper *p, struct colour c)
{
    paint->cairo_set_source_rgb(p->pen, c.r, c.g, c.b);
}

void paper_box(const struct paper *p, struct colour c, double x, double y, double width,
               double height)
{
    use(p, c);
    paint->cairo_rectangle(p->pen, x, y, width, height);
    paint->cairo_fill(p->pen);
}

void paper_line(const struct paper *p, struct colour c, double width, const double *points, int n)
{
    use(p, c);
    paint->cairo_set_line_width(p->pen, width);
    paint->cairo_set_line_cap(p->pen, CAIRO_LINE_CAP_ROUND);
    paint->cairo_set_line_join(p->pen, CAIRO_LINE_JOIN_ROUND);
    paint->cairo_new_path(p->pen);
    for (int i = 0; i < n; i++)
        paint->cairo_line_to(p->pen, points[2 * i], points[2 * i + 1]);
    paint->cairo_stroke(p->pen);
}

void paper_disc(const struct paper *p, struct colour c, double x, double y, double radius)
{
    use(p, c);
    paint->cairo_new_path(p->pen);
    paint->cairo_arc(p->pen, x, y, radius, 0, 6.2831853);
    paint->cairo_fill(p->pen);
}

/* One repeat of the pattern, in pixels: fans of three arcs, each row half hidden by the next. */
static cairo_surface_t *woven(void)
{
    enum { WIDE = 36, HIGH = 18 };
    static const int8_t middle[][2] = {{0, 0}, {36, 0}, {18, 9}, {0, 18}, {36, 18}, {18, 27}};
    cairo_surface_t *tile = paint->cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDE, HIGH);
    struct paper p = {.pen = paint->cairo_create(tile)};
    for (size_t i = 0; i < sizeof middle / sizeof *middle; i++)
        for (int k = 3; k > 0; k--) {
            paper_disc(&p, paper_weft, middle[i][0], middle[i][1], 6 * k);
            paper_disc(&p, paper_warp, middle[i][0], middle[i][1], 6 * k - 1.3);
        }
    paint->cairo_destroy(p.pen);
    return tile;
}

static void put_frame(const struct paper *p, double inset, double width)
{
    double right = PAPER_WIDTH - inset, bottom = p->height * (double)PAPER_WIDTH / PAPER_PIXELS;
    bottom -= inset;
    const double corners[] = {inset,  inset, right,  inset, right,
                              bottom, inset, bottom, inset, inset};
    paper_line(p, paper_gold, width, corners, 5);
}

void paper_ground(struct paper *p)
{
    cairo_surface_t *tile = woven();
    paint->cairo_save(p->pen);
    paint->cairo_identity_matrix(p->pen);
    paint->cairo_set_source_surface(p->pen, tile, 0, 0);
    paint->cairo_pattern_set_extend(paint->cairo_get_source(p->pen), CAIRO_EXTEND_REPEAT);
    paint->cairo_paint(p->pen);
    paint->cairo_restore(p->pen);
    use(p, paper_dark); /* lets go of the surface */
    paint->cairo_surface_destroy(tile);
    put_frame(p, 11, 3);
    put_frame(p, 18, 1.2);
}

void paper_art(struct paper *p, const char *name, double x, double y, double width, double height)
{
    char path[64];
    GError *why = NULL;
    RsvgRectangle box = {x, y, width, height};
    snprintf(path, sizeof path, "art/%s.svg", name);
    struct str svg = embedded_find(str_of(path));
    RsvgHandle *handle = paint->rsvg_handle_new_from_data((const guint8 *)svg.p, svg.n, &why);
    if (!handle || !paint->rsvg_handle_render_document(handle, p->pen, &box, &why))
        err_set(&p->why, "picture: %s: %s", path, why ? why->message : "cannot be drawn");
    if (handle)
        paint->g_object_unref(handle);
    paint->g_clear_error(&why);
}

/* ---- numbers ---- */

/* One stroke each, in a box of 5 by 8: x and y of its points in turn. */
static const char *const digits[] = {
    "104051574818070110",         "123038",   "01104051530858",
    "01104051534424445557481807", "48400555", "500003435457481807",
    "514010010718485755441405",   "005028",   "14030110405153441405071848575544",
    "071848575140100103144453"};

static void put_digit(const struct paper *p, struct colour c, int digit, double x, double y,
                      double size)
{
    double points[64];
    int n = 0;
    for (const char *at = digits[digit]; *at; at += 2) {
        points[n++] = x + (at[0] - '0') * size / 8;
        points[n++] = y + (at[1] - '0') * size / 8;
    }
    paper_line(p, c, size * 3 / 16, points, n / 2);
}

void paper_number(const struct paper *p, struct colour c, int number, double x, double y,
                  double size)
{
    double width = size * 5 / 8, between = size * 5 / 16;
    double left = number < 10 ? x - width / 2 : x - width - between / 2;
    if (number >= 10) {
        put_digit(p, c, number / 10, left, y - size / 2, size);
        left += width + between;
    }
    put_digit(p, c, number % 10, left, y - size / 2, size);
}

/* ---- cards ---- */

static bool drawing_failed(GError *why, int card, struct err *err)
{
    char code[CARD_CODE_SIZE];
    (void)card_code(card, code);
    err_set(err, "picture: %s.svg: %s", code, why ? why->message : "cannot be drawn");
    paint->g_clear_error(&why);
    return false;
}

static bool render(struct str svg, int card, uint8_t *pixels, struct err *err)
{
    GError *why = NULL;
    RsvgHandle *handle = paint->rsvg_handle_new_from_data((const guint8 *)svg.p, svg.n, &why);
    if (!handle)
        return drawing_failed(why, card, err);
    cairo_surface_t *image = paint->cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_ARGB32,
                                                                        CARD_W, CARD_H, STRIDE);
    cairo_t *pen = paint->cairo_create(image);
    RsvgRectangle all = {0, 0, CARD_W, CARD_H};
    bool good = paint->rsvg_handle_render_document(handle, pen, &all, &why) &&
                paint->cairo_status(pen) == CAIRO_STATUS_SUCCESS;
    paint->cairo_destroy(pen);
    paint->cairo_surface_finish(image);
    paint->cairo_surface_destroy(image);
    paint->g_object_unref(handle);
    return good || drawing_failed(why, card, err);
}

int paper_card_height(int width)
{
    return (width * CARD_H + CARD_W / 2) / CARD_W;
}

/* On whole pixels, so that a card of full size is not blurred. */
void paper_put_card(struct paper *p, int card, double x, double y, int width)
{
    if (p->why.text[0])
        return;
    const uint8_t *image = deck_image(p->deck, card);
    if (!image) {
        uint8_t *pixels = alloc_array(CARD_H, STRIDE);
        if (!render(deck_svg(p->deck, card), card, pixels, &p->why)) {
            free(pixels);
            return;
        }
        image = deck_keep(p->deck, card, pixels);
    }
    cairo_surface_t *s = paint->cairo_image_surface_create_for_data(
        (uint8_t *)(uintptr_t)image, CAIRO_FORMAT_ARGB32, CARD_W, CARD_H, STRIDE);
    paint->cairo_save(p->pen);
    paint->cairo_identity_matrix(p->pen);
    paint->cairo_translate(p->pen, paper_pixels(x), paper_pixels(y));
    if (width != PAPER_CARD)
        paint->cairo_scale(p->pen, (double)paper_pixels(width) / CARD_W,
                           (double)paper_pixels(width) / CARD_W);
    paint->cairo_set_source_surface(p->pen, s, 0, 0);
    paint->cairo_paint(p->pen);
    paint->cairo_restore(p->pen);
    use(p, paper_dark); /* lets go of the surface */
    paint->cairo_surface_destroy(s);
}

/* ---- words ---- */

static void put_markup(struct buf *b, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c == '<' || c == '>' || c == '&' || c == '"' || c < ' ')
            buf_print(b, "&#%d;", c < ' ' ? ' ' : c);
        else
            buf_char(b, (char)c);
    }
}

/* A drawing of the text alone, its baseline 3/4 down a line of twice the size. */
static RsvgHandle *text_handle(struct paper_font font, double scale, struct str text,
                               GError **ret_why)
{
    char svg[4096];
    struct buf b = BUF(svg);
    static const char *const anchors[] = {"start", "middle", "end"},
                             *const families[] = {
                                 "PT Sans, DejaVu Sans, Droid Sans Fallback, sans-serif",
                                 "PT Serif, DejaVu Serif, Droid Sans Fallback, serif",
                                 "AoyagiKouzanFontT, Droid Sans Fallback, serif"};
    int at = (int)font.align * PAPER_WIDTH / 2;
    buf_print(&b,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">"
              "<text id=\"t\" x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-size=\"%.1f\" "
              "font-family=\"%s\" font-weight=\"%s\" "
              "fill=\"rgb(%d,%d,%d)\">",
              PAPER_WIDTH, font.size * 2, at, font.size * 3 / 2, anchors[font.align],
              font.size * scale, families[font.face], font.bold ? "bold" : "normal",
              (int)(font.colour.r * 255), (int)(font.colour.g * 255), (int)(font.colour.b * 255));
    put_markup(&b, text);
    buf_put(&b, STR("</text></svg>"));
    return b.cut ? NULL : paint->rsvg_handle_new_from_data((const guint8 *)svg, b.n, ret_why);
}

void paper_text(struct paper *p, struct paper_font font, struct str text, double x, double y)
{
    GError *why = NULL;
    RsvgRectangle ink;
    if (text.n == 0 || p->why.text[0])
        return;
    RsvgHandle *handle = text_handle(font, 1, text, &why);
    if (handle && font.room > 0 &&
        paint->rsvg_handle_get_geometry_for_element(handle, "#t", &ink, NULL, NULL) &&
        ink.width > font.room) {
        paint->g_object_unref(handle);
        handle = text_handle(font, font.room / ink.width, text, &why);
    }
    /* where the text stands in its drawing */
    const int above = font.size * 3 / 2, before = (int)font.align * PAPER_WIDTH / 2;
    const RsvgRectangle line = {
        .x = x - before, .y = y - above, .width = PAPER_WIDTH, .height = font.size * 2};
    bool good = handle && paint->rsvg_handle_render_document(handle, p->pen, &line, &why);
    if (handle)
        paint->g_object_unref(handle);
    if (!good)
        err_set(&p->why, "picture: words: %s", why ? why->message : "too long");
    paint->g_clear_error(&why);
}

/* ---- few colours ---- */

/* Median cut over the colours of a picture: 256 at most, as flat art needs no more; a PNG of
 * indexes is a third of one of colours. A box of colours is cut at its mean along its widest
 * channel, the box with the greatest error first. A colour that makes up much of its box stands for
 * the box itself, so that flat grounds keep their exact colour. */

enum { MOST = 256, SLOTS = 1 << 18, CHANNELS = 3 };

/* CAIRO_FORMAT_RGB24, rows of `stride` bytes. */
struct pixels {
    const uint8_t *at;
    int width, height, stride;
};

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

static uint32_t pixel_at(const struct pixels *p, int x, int y)
{
    uint32_t pixel;
    memcpy(&pixel, p->at + (ptrdiff_t)y * p->stride + (ptrdiff_t)x * 4, sizeof pixel);
    return pixel;
}

static bool count_shades(struct shades *s, const struct pixels *p)
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
static void put_indexes(struct shades *s, const struct pixels *p, int near, const uint8_t *map,
                        uint8_t *ret)
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

static bool write_png(const struct pixels *p, const uint8_t *indexes, const uint8_t *map, int n,
                      struct buf *ret, struct err *err)
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

/* In fewer colours and with coarser edges, step by step, while it is too large. A picture that is
 * higher than a screen is wide may have more bytes. */
bool paper_png(const struct paper *p, struct buf *ret, struct err *err)
{
    enum { GOOD_SIZE = 39500, GOOD_HEIGHT = PAPER_PIXELS, SLACK = 3 };
    size_t most = p->height > GOOD_HEIGHT ? (size_t)p->height * GOOD_SIZE / GOOD_HEIGHT : GOOD_SIZE;
    if (p->why.text[0])
        return err_set(err, "%s", p->why.text);
    paint->cairo_surface_flush(p->surface);
    const struct pixels pixels = {.at = paint->cairo_image_surface_get_data(p->surface),
                                  .width = PAPER_PIXELS,
                                  .height = p->height,
                                  .stride = paint->cairo_image_surface_get_stride(p->surface)};
    struct shades s = {.at = alloc_array(SLOTS, sizeof *s.at),
                       .used = alloc_array(SLOTS, sizeof *s.used),
                       .mask = 0xffffff};
    uint8_t map[MOST * CHANNELS], *indexes = alloc_array(PAPER_PIXELS, (size_t)p->height);
    struct box box[MOST];
    struct buf before = *ret;
    size_t finest = 0;
    bool good = true;
    if (!count_shades(&s, &pixels)) { /* too many: without their lowest bits 32,768 at most */
        memset(s.at, 0, SLOTS * sizeof *s.at);
        s.n = 0;
        s.mask = 0xf8f8f8;
        (void)count_shades(&s, &pixels);
    }
    for (int i = 0; i < STEPS && good; i++) {
        *ret = before;
        int n = cut_boxes(&s, box, steps[i].colours);
        set_indexes(&s, box, n, map);
        put_indexes(&s, &pixels, steps[i].near, map, indexes);
        good = write_png(&pixels, indexes, map, n, ret, err);
        if (good && ret->n - before.n <= most)
            break;
        finest = finest ? finest : ret->n - before.n;
        /* Most of the time goes into packing: on to the next step that may be small enough. */
        while (i < STEPS - 2 && finest / 100 * (size_t)(steps[i + 1].share - SLACK) > most)
            i++;
    }
    free(indexes);
    free(s.used);
    free(s.at);
    return good;
}
