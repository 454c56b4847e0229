/* The libraries that draw, librsvg and cairo, loaded when the first picture is wanted. With what
 * they need they are forty more, which cost every start a third of its time and eight megabytes.
 *
 *     painting_load(&err)              once in every function that begins a picture
 *     paint->cairo_create(surface)     what they offer, by their own names; NULL before
 */
#ifndef KOIKOI_PAINTING_H
#define KOIKOI_PAINTING_H

#include <cairo.h>
#include <librsvg/rsvg.h>

#include "err.h"

#define PAINTING_CALLS(X)                                                                          \
    X(cairo_arc)                                                                                   \
    X(cairo_create)                                                                                \
    X(cairo_destroy)                                                                               \
    X(cairo_fill)                                                                                  \
    X(cairo_image_surface_create)                                                                  \
    X(cairo_image_surface_create_for_data)                                                         \
    X(cairo_line_to)                                                                               \
    X(cairo_paint)                                                                                 \
    X(cairo_rectangle)                                                                             \
    X(cairo_set_line_cap)                                                                          \
    X(cairo_set_line_join)                                                                         \
    X(cairo_set_line_width)                                                                        \
    X(cairo_set_source_rgb)                                                                        \
    X(cairo_set_source_surface)                                                                    \
    X(cairo_status)                                                                                \
    X(cairo_stroke)                                                                                \
    X(cairo_surface_destroy)                                                                       \
    X(cairo_surface_finish)                                                                        \
    X(cairo_surface_write_to_png_stream)                                                           \
    X(g_clear_error)                                                                               \
    X(g_object_unref)                                                                              \
    X(rsvg_handle_new_from_data)                                                                   \
    X(rsvg_handle_render_document)

struct painting {
#define X(name) __typeof__(&(name)) name;
    PAINTING_CALLS(X)
#undef X
};
extern const struct painting *paint;

/* On any thread. False if they are not on this machine. */
bool painting_load(struct err *err) MUST_CHECK;

#endif
