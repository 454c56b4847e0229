/* See paper.h. */
#include "paper.h"

#include "alloc.h"
#include "palette.h"

/* A card in pixels. */
enum { CARD_W = 129, CARD_H = 206, STRIDE = CARD_W * 4 };
_Static_assert(CARD_W *PAPER_WIDTH == PAPER_CARD * PAPER_PIXELS, "a whole card is whole pixels");

const struct colour paper_felt = {0.20, 0.40, 0.33}, paper_hand = {0.12, 0.25, 0.21},
                    paper_bright = {0.98, 0.80, 0.30}, paper_dark = {0.10, 0.12, 0.11},
                    paper_pale = {0.94, 0.96, 0.93}, paper_dim = {0.70, 0.80, 0.74};

/* Units to pixels. */
static int device(double units)
{
    return (int)(units * PAPER_PIXELS / PAPER_WIDTH + 0.5);
}

bool paper_open(struct paper *p, const struct deck *deck, int height, struct err *err)
{
    *p = (struct paper){.deck = deck, .height = device(height)};
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

bool paper_png(const struct paper *p, struct buf *ret, struct err *err)
{
    enum { GOOD_SIZE = 79000 };
    paint->cairo_surface_flush(p->surface);
    struct palette_pixels pixels = {.at = paint->cairo_image_surface_get_data(p->surface),
                                    .width = PAPER_PIXELS,
                                    .height = p->height,
                                    .stride = paint->cairo_image_surface_get_stride(p->surface)};
    return palette_png(&pixels, GOOD_SIZE, ret, err);
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

static const uint8_t *image_of(const struct deck *d, int card, struct err *err)
{
    const uint8_t *known = deck_image(d, card);
    if (known)
        return known;
    uint8_t *pixels = alloc_array(CARD_H, STRIDE);
    if (!render(deck_svg(d, card), card, pixels, err)) {
        free(pixels);
        return NULL;
    }
    return deck_keep(d, card, pixels);
}

int paper_card_height(int width)
{
    return (width * CARD_H + CARD_W / 2) / CARD_W;
}

/* On whole pixels, so that a card of full size is not blurred. */
bool paper_put_card(const struct paper *p, int card, double x, double y, int width, struct err *err)
{
    const uint8_t *image = image_of(p->deck, card, err);
    if (!image)
        return false;
    cairo_surface_t *s = paint->cairo_image_surface_create_for_data(
        (uint8_t *)(uintptr_t)image, CAIRO_FORMAT_ARGB32, CARD_W, CARD_H, STRIDE);
    paint->cairo_save(p->pen);
    paint->cairo_identity_matrix(p->pen);
    paint->cairo_translate(p->pen, device(x), device(y));
    if (width != PAPER_CARD)
        paint->cairo_scale(p->pen, (double)device(width) / CARD_W, (double)device(width) / CARD_W);
    paint->cairo_set_source_surface(p->pen, s, 0, 0);
    paint->cairo_paint(p->pen);
    paint->cairo_restore(p->pen);
    use(p, paper_dark); /* lets go of the surface */
    paint->cairo_surface_destroy(s);
    return true;
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
    static const char *const anchors[] = {"start", "end", "middle"};
    int at = font.align == PAPER_LEFT    ? 0
             : font.align == PAPER_RIGHT ? PAPER_WIDTH
                                         : PAPER_WIDTH / 2;
    buf_print(&b,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">"
              "<text id=\"t\" x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-size=\"%.1f\" "
              "font-family=\"DejaVu Sans, sans-serif\" font-weight=\"%s\" "
              "fill=\"rgb(%d,%d,%d)\">",
              PAPER_WIDTH, font.size * 2, at, font.size * 3 / 2, anchors[font.align],
              font.size * scale, font.bold ? "bold" : "normal", (int)(font.colour.r * 255),
              (int)(font.colour.g * 255), (int)(font.colour.b * 255));
    put_markup(&b, text);
    buf_put(&b, STR("</text></svg>"));
    return b.cut ? NULL : paint->rsvg_handle_new_from_data((const guint8 *)svg, b.n, ret_why);
}

static bool text_failed(GError *why, struct err *err)
{
    err_set(err, "picture: words: %s", why ? why->message : "too long");
    paint->g_clear_error(&why);
    return false;
}

bool paper_text(const struct paper *p, struct paper_font font, struct str text, double x, double y,
                struct err *err)
{
    GError *why = NULL;
    RsvgRectangle ink, all = {0};
    if (text.n == 0)
        return true;
    RsvgHandle *handle = text_handle(font, 1, text, &why);
    if (handle && font.room > 0 &&
        paint->rsvg_handle_get_geometry_for_element(handle, "#t", &ink, NULL, NULL) &&
        ink.width > font.room) {
        paint->g_object_unref(handle);
        handle = text_handle(font, font.room / ink.width, text, &why);
    }
    if (!handle)
        return text_failed(why, err);
    all.x = font.align == PAPER_LEFT    ? x
            : font.align == PAPER_RIGHT ? x - PAPER_WIDTH
                                        : x - PAPER_WIDTH / 2.0;
    int lift = font.size * 3 / 2;
    all.y = y - lift;
    all.width = PAPER_WIDTH;
    all.height = font.size * 2;
    bool good = paint->rsvg_handle_render_document(handle, p->pen, &all, &why);
    paint->g_object_unref(handle);
    return good || text_failed(why, err);
}
