/* See paper.h. The only file that calls librsvg, pango and cairo. */
#include "paper.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>

#include "alloc.h"
#include "embedded.h"
#include "pack.h"

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
enum { CARD_W = 129, CARD_H = 206 };
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

/* Its height in units. */
static double units_high(const struct paper *p)
{
    return p->height * (double)PAPER_WIDTH / PAPER_PIXELS;
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
    double right = PAPER_WIDTH - inset, bottom = units_high(p) - inset;
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

static cairo_surface_t *surface_of(uint8_t *pixels, int width, int height)
{
    return paint->cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_ARGB32, width, height,
                                                      width * 4);
}

/* Lets go of the pixels. Returns false if something could not be drawn. */
static bool surface_done(cairo_surface_t *s, cairo_t *pen)
{
    bool good = paint->cairo_status(pen) == CAIRO_STATUS_SUCCESS;
    paint->cairo_destroy(pen);
    paint->cairo_surface_finish(s);
    paint->cairo_surface_destroy(s);
    return good;
}

static bool render(struct str svg, int card, uint8_t *pixels, struct err *err)
{
    GError *why = NULL;
    RsvgHandle *handle = paint->rsvg_handle_new_from_data((const guint8 *)svg.p, svg.n, &why);
    if (!handle)
        return drawing_failed(why, card, err);
    cairo_surface_t *image = surface_of(pixels, CARD_W, CARD_H);
    cairo_t *pen = paint->cairo_create(image);
    RsvgRectangle all = {0, 0, CARD_W, CARD_H};
    bool good = paint->rsvg_handle_render_document(handle, pen, &all, &why);
    good &= surface_done(image, pen);
    paint->g_object_unref(handle);
    return good || drawing_failed(why, card, err);
}

int paper_card_height(int width)
{
    return (width * CARD_H + CARD_W / 2) / CARD_W;
}

static int lines_of(int width)
{
    return (width * CARD_H + CARD_W - 1) / CARD_W;
}

static size_t bytes_of(int width)
{
    return (size_t)lines_of(width) * (size_t)width * 4;
}

/* A card of full size, from the cache or into it. All of a deck would fill a third of the cache, so
 * they are kept packed. Returns false if it cannot be rendered. */
static bool whole_image(struct paper *p, int card, uint8_t *ret)
{
    struct str packed = deck_image(p->deck, card, CARD_W);
    if (packed.n > 0) {
        unpack_bytes(packed, ret, bytes_of(CARD_W));
        return true;
    }
    uint8_t *bytes;
    memset(ret, 0, bytes_of(CARD_W));
    if (!render(deck_svg(p->deck, card), card, ret, &p->why))
        return false;
    size_t n = pack_bytes(ret, bytes_of(CARD_W), &bytes);
    (void)deck_keep(p->deck, card, CARD_W, bytes, n);
    free(bytes);
    return true;
}

static void make_smaller(uint8_t *whole, uint8_t *ret, int width)
{
    cairo_surface_t *from = surface_of(whole, CARD_W, CARD_H),
                    *small = surface_of(ret, width, lines_of(width));
    cairo_t *pen = paint->cairo_create(small);
    paint->cairo_scale(pen, (double)width / CARD_W, (double)width / CARD_W);
    paint->cairo_set_source_surface(pen, from, 0, 0);
    paint->cairo_paint(pen);
    (void)surface_done(small, pen);
    paint->cairo_surface_destroy(from);
}

/* A card so many pixels wide. Where it is not in the cache it is made of the one of full size, which
 * `whole` has room for. Returns NULL if it cannot be rendered. */
static uint8_t *card_image(struct paper *p, int card, int width, uint8_t *whole)
{
    struct str image = deck_image(p->deck, card, width);
    if (width != CARD_W && image.n > 0)
        return (uint8_t *)(uintptr_t)image.p;
    if (!whole_image(p, card, whole) || width == CARD_W)
        return p->why.text[0] ? NULL : whole;
    uint8_t *pixels = alloc_zeroed(bytes_of(width));
    make_smaller(whole, pixels, width);
    uint8_t *kept = deck_keep(p->deck, card, width, pixels, bytes_of(width));
    free(pixels);
    return kept;
}

/* On whole pixels, so that a card is not blurred. */
void paper_put_card(struct paper *p, int card, double x, double y, int width)
{
    static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER;
    static _Alignas(16) uint8_t whole[CARD_W * CARD_H * 4]; /* of who holds the cache */
    int pixels = paper_pixels(width);
    if (p->why.text[0])
        return;
    pthread_mutex_lock(&cache);
    uint8_t *image = card_image(p, card, pixels, whole);
    if (image) {
        cairo_surface_t *s = surface_of(image, pixels, lines_of(pixels));
        paint->cairo_save(p->pen);
        paint->cairo_identity_matrix(p->pen);
        paint->cairo_set_source_surface(p->pen, s, paper_pixels(x), paper_pixels(y));
        paint->cairo_paint(p->pen);
        paint->cairo_restore(p->pen);
        use(p, paper_dark); /* lets go of the surface */
        paint->cairo_surface_destroy(s);
    }
    pthread_mutex_unlock(&cache);
}

/* ---- words ---- */

/* Words are the same at every place of a picture, whatever the system's choice for its screen. */
static void set_unhinted(PangoLayout *layout)
{
    cairo_font_options_t *options = paint->cairo_font_options_create();
    paint->cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    paint->cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    PangoContext *context = paint->pango_layout_get_context(layout);
    paint->pango_cairo_context_set_font_options(context, options);
    paint->pango_context_set_round_glyph_positions(context, FALSE);
    paint->cairo_font_options_destroy(options);
}

/* A line of text; its owner lets go of it. On a pen of its own for who only measures. */
static PangoLayout *layout_of(cairo_t *pen, struct paper_font font, double size, struct str text)
{
    static const char *const families[] = {"PT Sans, DejaVu Sans, Droid Sans Fallback, sans-serif",
                                           "PT Serif, DejaVu Serif, Droid Sans Fallback, serif",
                                           "AoyagiKouzanFontT, Droid Sans Fallback, serif"};
    PangoFontDescription *face = paint->pango_font_description_from_string(families[font.face]);
    paint->pango_font_description_set_weight(face,
                                             font.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    paint->pango_font_description_set_absolute_size(face, size * PANGO_SCALE);
    PangoLayout *layout = paint->pango_cairo_create_layout(pen);
    set_unhinted(layout);
    paint->pango_layout_set_font_description(layout, face);
    paint->pango_font_description_free(face);
    paint->pango_layout_set_auto_dir(layout, FALSE);
    paint->pango_layout_set_single_paragraph_mode(layout, TRUE);
    paint->pango_layout_set_text(layout, text.p, (int)text.n);
    return layout;
}

/* In units: of what is seen, or up to where the next word would begin. */
static double width_of(PangoLayout *layout, bool ink)
{
    PangoRectangle seen, whole;
    paint->pango_layout_get_extents(layout, &seen, &whole);
    return (double)(ink ? seen.width : whole.width) / PANGO_SCALE;
}

double paper_text_width(struct paper_font font, struct str text)
{
    cairo_surface_t *none = paint->cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *pen = paint->cairo_create(none);
    PangoLayout *layout = layout_of(pen, font, font.size, text);
    double width = width_of(layout, true);
    paint->g_object_unref(layout);
    paint->cairo_destroy(pen);
    paint->cairo_surface_destroy(none);
    return width;
}

/* How far the ink of a text lies left of its middle, in ems: a full-width bracket or stop fills one half
 * of its square. */
static double ink_left(struct str text)
{
    enum { SIGN = 3 }; /* bytes */
    static const char *const opening[] = {"「", "『", "（"}, *const closing[] = {"」", "』", "）",
                                                                                 "。", "、"};
    double off = 0;
    for (size_t i = 0; i < sizeof opening / sizeof *opening; i++)
        off -= str_starts(text, str_of(opening[i])) ? 0.25 : 0;
    for (size_t i = 0; text.n >= SIGN && i < sizeof closing / sizeof *closing; i++)
        off += str_is(str_skip(text, text.n - SIGN), str_of(closing[i])) ? 0.25 : 0;
    return off;
}

void paper_text(struct paper *p, struct paper_font font, struct str text, double x, double y)
{
    double size = font.size;
    if (text.n == 0)
        return;
    PangoLayout *layout = layout_of(p->pen, font, size, text);
    double width = width_of(layout, true);
    if (font.room > 0 && width > font.room) {
        size *= font.room / width;
        paint->g_object_unref(layout);
        layout = layout_of(p->pen, font, size, text);
    }
    width = width_of(layout, false);
    if (font.align == PAPER_MIDDLE)
        x += ink_left(text) * size - width / 2;
    else if (font.align == PAPER_RIGHT)
        x -= width;
    use(p, font.colour);
    paint->cairo_move_to(p->pen, x,
                         y - (double)paint->pango_layout_get_baseline(layout) / PANGO_SCALE);
    paint->pango_cairo_layout_path(p->pen, layout);
    paint->cairo_fill(p->pen);
    paint->g_object_unref(layout);
}

/* ---- a PNG ---- */

/* From fine to coarse. `share`: the size in percent of that of step GUESS; pictures differ by 3 at
 * most. */
static const struct {
    int colours, near, share;
} steps[] = {{256, 24, 159}, {128, 48, 128}, {96, 64, 114}, {64, 80, 100}, {48, 96, 90}};
enum { STEPS = sizeof steps / sizeof *steps, GUESS = 3 }; /* what most hands need */

/* In fewer colours and with coarser edges where it would be too large. A picture that is higher than a
 * screen is wide may have more bytes. */
bool paper_png(struct paper *p, struct buf *ret, struct err *err)
{
    enum { GOOD_SIZE = 39500, GOOD_HEIGHT = PAPER_PIXELS, OF_HAND = 5, OF_POSTER = -20 };
    const bool high = p->height > GOOD_HEIGHT;
    size_t most = high ? (size_t)p->height * GOOD_SIZE / GOOD_HEIGHT : GOOD_SIZE;
    const int slack = high ? OF_POSTER : OF_HAND; /* posters differ more, and are rare: try them */
    if (p->why.text[0])
        return err_set(err, "%s", p->why.text);
    paint->cairo_surface_flush(p->surface);
    const struct pixels pixels = {
        .at = (const uint32_t *)(const void *)paint->cairo_image_surface_get_data(p->surface),
        .width = PAPER_PIXELS,
        .height = p->height,
        .stride = paint->cairo_image_surface_get_stride(p->surface) / 4};
    struct palette palette;
    int reduced = GUESS;
    size_t before = ret->n;
    bool good = false;
    palette_open(&palette, &pixels);
    palette_reduce(&palette, steps[GUESS].colours);
    size_t about = pack_png_size(&palette, steps[GUESS].near);
    for (int i = 0; i < STEPS; i++) {
        if (i + 1 < STEPS && about / 100 * (size_t)(steps[i].share + slack) > most)
            continue;
        if (i != reduced)
            palette_reduce(&palette, steps[i].colours);
        reduced = i;
        palette_lines(&palette, steps[i].near, 0, palette.height);
        good = pack_png(&palette, ret);
        if (!good || ret->n - before <= most || i + 1 == STEPS)
            break;
        ret->n = before;
    }
    palette_close(&palette);
    return good || err_set(err, "picture: larger than %zu bytes", ret->cap);
}
