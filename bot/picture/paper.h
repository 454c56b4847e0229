/* Paper: the surface of one picture while it is drawn, and what can be put on it: cards, words,
 * numbers. Words are set by pango in the fonts of the system; numbers on cards are strokes of our
 * own.
 *
 *     paper_open(&paper, deck, height, &err), paper_put_card(...), paper_text(...)
 *     paper_png(&paper, &buf, &err)            false if anything before it failed
 *     paper_close(&paper)
 *
 * The functions of librsvg, pango and cairo are a table, loaded with dlopen() when the first
 * picture is drawn. With what they depend on they are forty libraries: linked, they cost each start
 * 20 ms, a third of its time, and 8 MB of memory, also where no picture is ever drawn.
 *
 *     painting_load(&err)              in each function that begins a picture
 *     paint->cairo_create(surface)     the functions by their own names; `paint` is NULL before
 */
#ifndef KOIKOI_PAPER_H
#define KOIKOI_PAPER_H

#include <cairo.h>
#include <librsvg/rsvg.h>
#include <pango/pangocairo.h>

#include "deck.h"

#define PAINTING_CALLS(X)                                                                          \
    X(cairo_arc)                                                                                   \
    X(cairo_create)                                                                                \
    X(cairo_destroy)                                                                               \
    X(cairo_fill)                                                                                  \
    X(cairo_font_options_create)                                                                   \
    X(cairo_font_options_destroy)                                                                  \
    X(cairo_font_options_set_hint_metrics)                                                         \
    X(cairo_font_options_set_hint_style)                                                           \
    X(cairo_get_source)                                                                            \
    X(cairo_identity_matrix)                                                                       \
    X(cairo_image_surface_create)                                                                  \
    X(cairo_image_surface_create_for_data)                                                         \
    X(cairo_image_surface_get_data)                                                                \
    X(cairo_image_surface_get_stride)                                                              \
    X(cairo_line_to)                                                                               \
    X(cairo_move_to)                                                                               \
    X(cairo_new_path)                                                                              \
    X(cairo_pattern_set_extend)                                                                    \
    X(cairo_paint)                                                                                 \
    X(cairo_rectangle)                                                                             \
    X(cairo_restore)                                                                               \
    X(cairo_save)                                                                                  \
    X(cairo_scale)                                                                                 \
    X(cairo_set_line_cap)                                                                          \
    X(cairo_set_line_join)                                                                         \
    X(cairo_set_line_width)                                                                        \
    X(cairo_set_source_rgb)                                                                        \
    X(cairo_set_source_surface)                                                                    \
    X(cairo_status)                                                                                \
    X(cairo_stroke)                                                                                \
    X(cairo_surface_destroy)                                                                       \
    X(cairo_surface_finish)                                                                        \
    X(cairo_surface_flush)                                                                         \
    X(cairo_surface_write_to_png_stream)                                                           \
    X(g_clear_error)                                                                               \
    X(g_object_unref)                                                                              \
    X(pango_cairo_context_set_font_options)                                                        \
    X(pango_cairo_create_layout)                                                                   \
    X(pango_cairo_layout_path)                                                                     \
    X(pango_context_set_round_glyph_positions)                                                     \
    X(pango_font_description_free)                                                                 \
    X(pango_font_description_from_string)                                                          \
    X(pango_font_description_set_absolute_size)                                                    \
    X(pango_font_description_set_weight)                                                           \
    X(pango_layout_get_baseline)                                                                   \
    X(pango_layout_get_context)                                                                    \
    X(pango_layout_get_extents)                                                                    \
    X(pango_layout_set_auto_dir)                                                                   \
    X(pango_layout_set_font_description)                                                           \
    X(pango_layout_set_single_paragraph_mode)                                                      \
    X(pango_layout_set_text)                                                                       \
    X(rsvg_handle_new_from_data)                                                                   \
    X(rsvg_handle_render_document)

struct painting {
#define X(name) __typeof__(&(name)) name;
    PAINTING_CALLS(X)
#undef X
};
extern const struct painting *paint;

/* On any thread. Fails if the libraries are not installed. */
bool painting_load(struct err *err) MUST_CHECK;

/* Places and sizes are in units; a picture is as wide as PAPER_WIDTH units, or PAPER_PIXELS. Cards
 * are rendered once, PAPER_CARD wide, and made smaller once for each width that is shown. */
enum { PAPER_WIDTH = 720, PAPER_PIXELS = 540, PAPER_CARD = 172 };

struct colour {
    double r, g, b;
};
extern const struct colour paper_felt, paper_hand, paper_bright, paper_dark, paper_pale, paper_dim,
    paper_gold, paper_red, paper_ink, paper_warp, paper_weft;

struct paper {
    const struct deck *deck;
    cairo_surface_t *surface;
    cairo_t *pen;
    int height;     /* pixels */
    struct err why; /* the first failure; empty: none */
};

bool paper_open(struct paper *p, const struct deck *deck, int height, struct err *err) MUST_CHECK;
void paper_close(struct paper *p);
/* Appends a PNG of 256 colours at most, below 40 KB for each 540 lines where it can be. The same picture gives the
 * same bytes. */
bool paper_png(struct paper *p, struct buf *ret, struct err *err) MUST_CHECK;

int paper_pixels(double units);
/* Height of a card of this width. */
int paper_card_height(int width);
void paper_put_card(struct paper *p, int card, double x, double y, int width);
void paper_box(const struct paper *p, struct colour c, double x, double y, double width,
               double height);
/* The ground of a poster: waves woven in two greens, framed by lines of gold. */
void paper_ground(struct paper *p);
/* The drawing art/NAME.svg, in a box of this size. */
void paper_art(struct paper *p, const char *name, double x, double y, double width, double height);
/* Points are pairs of x and y. */
void paper_line(const struct paper *p, struct colour c, double width, const double *points, int n);
void paper_disc(const struct paper *p, struct colour c, double x, double y, double radius);
/* 1 to 99, its middle at x, y; `size`: the height of a digit. */
void paper_number(const struct paper *p, struct colour c, int number, double x, double y,
                  double size);

enum paper_align { PAPER_LEFT, PAPER_MIDDLE, PAPER_RIGHT };
/* For what is read, for titles, for stamps. */
enum paper_face { PAPER_TEXT, PAPER_DISPLAY, PAPER_BRUSH };
struct paper_font {
    int size; /* units */
    bool bold;
    enum paper_align align;
    struct colour colour;
    int room; /* the widest that it may be; wider text becomes smaller. 0: no limit */
    enum paper_face face;
};
/* One line of text with its baseline at y. */
void paper_text(struct paper *p, struct paper_font font, struct str text, double x, double y);
/* Units of a line at its full size, on any thread after painting_load(). */
double paper_text_width(struct paper_font font, struct str text);

#endif
